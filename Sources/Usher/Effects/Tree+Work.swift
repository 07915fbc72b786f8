extension Tree {
    /// All that is pending now, in the order of ids.
    ///
    /// After each input that counted, its session starts what is new and cancels what is gone.
    public var work: [Work] { pendingWork.compactMap(\.work) }

    /// The screen with which work goes that begins now; nil once it has left, as an alert has that was answered.
    var speakingScreen: ScreenInstance? {
        speaker?.owner == nil ? nil : speaker
    }

    /// Begins an effect.
    ///
    /// - Parameters:
    ///   - effect: The effect.
    ///   - node: The coordinator that it goes with.
    ///   - screen: The screen that it goes with, too.
    ///   - origin: Where the closure was given.
    ///   - completion: What its result does.
    func begin<E: Effect>(
        _ effect: E, by node: Node, with screen: ScreenInstance?, _ origin: Origin,
        _ completion: @escaping (AnyCoordinator, Result<E.Output, EffectFailure>) throws -> Void
    ) {
        let limit = limits.outputBytes
        let kind = Work.Kind.effect { services, id in
            await effect.outcome(with: services, id: id, limit: limit)
        }
        begin(
            E.cachedName, kind, by: node, with: screen, origin,
            .effect { owner, outcome, secrets in
                try completion(owner, try E.result(outcome, secrets))
            })
    }

    /// Begins a timer.
    func begin(
        timer duration: Duration, by node: Node, with screen: ScreenInstance?, _ origin: Origin,
        _ completion: @escaping (AnyCoordinator) throws -> Void
    ) {
        begin("timer", .timer(due: now.advanced(by: duration)), by: node, with: screen, origin, .timer(completion))
    }

    /// Takes away work that goes with what has gone.
    func discardWork(where isGone: (PendingWork) -> Bool) {
        guard !pendingWork.isEmpty else { return }
        // Held to the end: what goes with it may act on this tree.
        let gone = pendingWork.filter(isGone)
        guard !gone.isEmpty else { return }
        pendingWork = pendingWork.filter { work in !gone.contains { $0 === work } }
        for work in gone { didLeave(work) }
    }

    /// Takes work away, so that its end can be told.
    func takeWork(_ id: EffectID, where condition: (PendingWork) -> Bool = { _ in true }) -> PendingWork? {
        guard let index = pendingWork.firstIndex(where: { $0.id == id && condition($0) }) else { return nil }
        let work = pendingWork[index]
        pendingWork = pendingWork.filter { $0 !== work }
        didLeave(work)
        return work
    }

    private func begin(
        _ name: String, _ kind: Work.Kind, by node: Node, with screen: ScreenInstance?, _ origin: Origin,
        _ completion: PendingWork.Completion
    ) {
        guard !isBroken else { return }
        guard !node.isLeaving else {
            return warnings.add("\(type(of: node.coordinator)) is ending: \(name) did not begin")
        }
        guard pendingWork.count < limits.effects else {
            return fail(Rejection(.limit, "a session can wait for at most \(limits.effects) effects at a time"))
        }
        workInThisInput += 1
        let id = EffectID(revision: revision + 1, index: workInThisInput)
        pendingWork = pendingWork + [PendingWork(id, name, kind, by: node, with: screen, origin, completion)]
        node.workCount += 1
    }

    /// Its coordinator may have waited for nothing else.
    private func didLeave(_ work: PendingWork) {
        work.node.workCount -= 1
        suspects.append(work.node.coordinator)
    }
}

extension AnyCoordinator {
    /// Begins a timer that goes with this coordinator alone, whichever screen's event is being handled.
    ///
    /// - Parameters:
    ///   - duration: How long from now; a begun millisecond counts as a whole one.
    ///   - repeats: Whether its closure begins it anew, so that what that holds is held for ever.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    ///   - completion: What is done then. What it throws undoes it, with a warning.
    /// - Returns: A hold on the timer, to give it up.
    package final func beginTimer(
        _ duration: Duration, repeats: Bool, file: StaticString, line: UInt, _ completion: @escaping () throws -> Void
    ) -> WorkHold {
        guard let node = workingNode(for: "after") else { return WorkHold() }
        let work = node.tree.pendingWork.begin(
            timer: duration, by: node, with: nil, SourceLocation(file, line)
        ) { _ in try completion() }
        if !repeats { work?.mayHoldWhatLeft() }
        return WorkHold(work)
    }

    /// Begins an effect that goes with this coordinator alone, whichever screen's event is being handled.
    ///
    /// - Parameters:
    ///   - effect: The work.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    ///   - completion: What its result does. What it throws undoes it: the result is refused, with a warning.
    /// - Returns: A hold on the effect, to give it up.
    package final func beginEffect<E: Effect>(
        _ effect: E, file: StaticString, line: UInt,
        _ completion: @escaping (Result<E.Output, EffectFailure>) throws -> Void
    ) -> WorkHold {
        guard let node = workingNode(for: "perform") else { return WorkHold() }
        let work = node.tree.pendingWork.begin(effect, by: node, with: nil, SourceLocation(file, line)) { _, result in
            try completion(result)
        }
        work?.mayHoldWhatLeft()
        return WorkHold(work)
    }

    /// Gives work up: its closure is never called.
    ///
    /// Work that has come to its end is left alone.
    ///
    /// - Parameter hold: The hold on it.
    package final func giveUp(_ hold: WorkHold) {
        guard let work = hold.work, let node else { return }
        node.tree.pendingWork.discard { $0 === work }
    }
}

/// A hold on pending work, by which the coordinator that began it can give it up.
package struct WorkHold {
    private(set) weak var work: PendingWork?

    /// True where the work has begun and has not come to its end.
    package var isPending: Bool { work != nil }

    init(_ work: PendingWork? = nil) {
        self.work = work
    }
}

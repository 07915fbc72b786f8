extension Navigating where Self: AnyCoordinator {
    /// Begins an effect.
    ///
    /// The effect runs once everything that this input changed is durable; it does not run on replay. If this
    /// coordinator ends, or if the screen whose event is being handled leaves, the effect is cancelled, and its closure
    /// is never called. (In `start`, there is no such screen.) To tie the effect to another screen, use that screen's
    /// handle: `Handle.perform(_:for:replacing:_:)`.
    ///
    /// ```swift
    /// perform(SignIn(name: name, password: password)) { me, result in
    ///     switch result {
    ///     case .success(let user): me.finish(user)
    ///     case .failure(let failure): me.screen?.update { $0.failure = failure.message }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - effect: The work.
    ///   - older: Work that this replaces, such as the search for a shorter text; it is cancelled first.
    ///   - completion: Called with this coordinator and the result; should capture nothing. An error that it throws
    ///     undoes its changes: the result is refused, with a warning.
    ///   - file: The file of the closure, for leak reports.
    ///   - line: The line of the closure.
    /// - Returns: A handle to cancel or replace the effect.
    @discardableResult
    public func perform<E: Effect>(
        _ effect: E, replacing older: WorkHandle = WorkHandle(), file: StaticString = #fileID, line: UInt = #line,
        _ completion: @escaping (Self, Result<E.Output, EffectFailure>) throws -> Void
    ) -> WorkHandle {
        guard let node = workingNode(for: "perform", replacing: older) else { return WorkHandle() }
        let work = node.tree.pendingWork.begin(
            effect, by: node, with: node.tree.transaction.speakingScreen, SourceLocation(file, line)
        ) { owner, result in
            guard let me = owner as? Self else { return }
            try completion(me, result)
        }
        return WorkHandle(work)
    }

    /// Begins a timer on the session's clock.
    ///
    /// The timer is cancelled in the same cases as an effect of `perform(_:replacing:_:)`. To tie the timer to a screen
    /// that was just shown, use that screen's handle: `Handle.after(_:for:replacing:_:)`.
    ///
    /// - Parameters:
    ///   - duration: The time from now, rounded up to whole milliseconds.
    ///   - older: Work that this replaces; it is cancelled first.
    ///   - completion: Called with this coordinator when the time is over; should capture nothing. An error that it
    ///     throws undoes its changes, with a warning.
    ///   - file: The file of the closure, for leak reports.
    ///   - line: The line of the closure.
    /// - Returns: A handle to cancel or replace the timer.
    @discardableResult
    public func after(
        _ duration: Duration, replacing older: WorkHandle = WorkHandle(), file: StaticString = #fileID,
        line: UInt = #line, _ completion: @escaping (Self) throws -> Void
    ) -> WorkHandle {
        guard let node = workingNode(for: "after", replacing: older) else { return WorkHandle() }
        let work = node.tree.pendingWork.begin(
            timer: duration, by: node, with: node.tree.transaction.speakingScreen, SourceLocation(file, line)
        ) { owner in
            guard let me = owner as? Self else { return }
            try completion(me)
        }
        return WorkHandle(work)
    }
}

extension Navigating where Self: AnyCoordinator {
    /// The time of the input that is being handled, the only clock that a coordinator may read.
    ///
    /// Outside of a tree, the time is the epoch.
    public var now: Timestamp {
        node?.tree.transaction.now ?? Timestamp(milliseconds: 0)
    }

    /// Returns a Boolean value indicating whether the build that started this coordinator knew a change.
    ///
    /// A session outlives releases. Coordinators that an earlier build started continue in the old way, and new ones
    /// use the new way. Call this method in the coordinator with which the changed flow begins, and pass the result on
    /// to its children.
    ///
    /// ```swift
    /// if changed("delivery-time") {
    ///     push(TimeScreen()) { me, _ in me.showPayment() }
    /// } else {
    ///     showPayment()
    /// }
    /// ```
    ///
    /// - Parameter change: One of `App.changes`. For any other, the result is false in new coordinators, with a
    ///   warning.
    public func changed(_ change: String) -> Bool { isKnown(change) }

    /// The client that opened the session; outside of a tree, a client without properties.
    ///
    /// ```swift
    /// guard client.shows(PasskeyScreen.self) else { return askForPassword() }
    /// ```
    public var client: Client {
        node?.tree.client ?? Client()
    }

    /// The session's random numbers, the same when the input is replayed; do not use them for secrets.
    ///
    /// ```swift
    /// let dice = Int.random(in: 1...6, using: &random)
    /// ```
    public var random: SeededGenerator {
        get { node?.tree.transaction.random ?? SeededGenerator(seed: 0, revision: 0) }
        set { node?.tree.transaction.random = newValue }
    }
}

extension Navigating where Self: AnyCoordinator {
    /// Begins an effect.
    ///
    /// The effect starts when the current input is durable, and does not run in a replay. If this coordinator ends, or
    /// if the screen whose event is being handled leaves, the effect is cancelled, and the closure is never called. (In
    /// `start()`, no screen's event is being handled.) To cancel the effect when another screen leaves, use that
    /// screen's handle: `Handle.perform(_:for:replacing:_:)`.
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
    ///   - older: Earlier work that the effect replaces, such as the search for a shorter text. This work is cancelled
    ///     first.
    ///   - completion: Called with this coordinator and the result; should capture nothing. If it throws an error, its
    ///     changes are undone, the result is refused, and the state has a warning.
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
    /// The timer is cancelled in the same cases as an effect of `perform(_:replacing:_:)`. To cancel the timer when
    /// another screen leaves, use that screen's handle: `Handle.after(_:for:replacing:_:)`.
    ///
    /// - Parameters:
    ///   - duration: The time from now, rounded up to whole milliseconds.
    ///   - older: Earlier work that the timer replaces. This work is cancelled first.
    ///   - completion: Called with this coordinator when the time is over; should capture nothing. If it throws an
    ///     error, its changes are undone, and the state has a warning.
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
    /// The time of the input that is being handled; a coordinator may read no other clock.
    ///
    /// For a coordinator that is not in a tree, the time is 1970-01-01T00:00:00Z.
    public var now: Timestamp {
        node?.tree.transaction.now ?? Timestamp(milliseconds: 0)
    }

    /// Returns a Boolean value indicating whether the build that started this coordinator knew a change.
    ///
    /// A session outlives releases. With this method, coordinators that an earlier build started continue in the old
    /// way, and new coordinators use the new way. Call the method in the coordinator with which the changed flow
    /// begins, and pass the result to this coordinator's children.
    ///
    /// ```swift
    /// if changed("delivery-time") {
    ///     push(TimeScreen()) { me, _ in me.showPayment() }
    /// } else {
    ///     showPayment()
    /// }
    /// ```
    ///
    /// - Parameter change: One of `App.changes`. For any other name, the result is false in new coordinators, and the
    ///   state has a warning.
    public func changed(_ change: String) -> Bool { isKnown(change) }

    /// The client that opened the session; for a coordinator that is not in a tree, a client without properties.
    ///
    /// ```swift
    /// guard client.shows(PasskeyScreen.self) else { return askForPassword() }
    /// ```
    public var client: Client {
        node?.tree.client ?? Client()
    }

    /// The session's random numbers.
    ///
    /// In a replay of the input, the numbers are the same. Do not use them for secrets.
    ///
    /// ```swift
    /// let dice = Int.random(in: 1...6, using: &random)
    /// ```
    public var random: SeededGenerator {
        get { node?.tree.transaction.random ?? SeededGenerator(seed: 0, revision: 0) }
        set { node?.tree.transaction.random = newValue }
    }
}

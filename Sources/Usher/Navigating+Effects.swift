extension Navigating where Self: AnyCoordinator {
    /// Begins an effect.
    ///
    /// It runs once all that this input has led to is durable; until then, and on replay, it does not. It is cancelled,
    /// and its closure never called, when this coordinator ends or the screen leaves whose event is being handled (none
    /// in `start`). What is to go with another screen begins with its handle: `Handle.perform(_:for:replacing:_:)`.
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
    ///   - older: Work that this replaces, such as the search for the text before the last letter: it is cancelled first.
    ///   - completion: What its result does; it is given this coordinator, and captures nothing. What it throws undoes
    ///     it: the result is refused, with a warning.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    /// - Returns: A hold on the effect, to cancel or to replace it.
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

    /// Waits for a time on the session's clock.
    ///
    /// It is given up, and its closure never called, when an effect would be cancelled. What is to go with a screen that
    /// was just shown begins with its handle: `Handle.after(_:for:replacing:_:)`.
    ///
    /// - Parameters:
    ///   - duration: How long from now; a begun millisecond counts as a whole one.
    ///   - older: Work that this replaces: it is cancelled first.
    ///   - completion: What is done then; it is given this coordinator, and captures nothing. What it throws undoes it,
    ///     with a warning.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    /// - Returns: A hold on the timer, to cancel or to replace it.
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
    /// The time of the input that is being handled, and the only clock a coordinator may read.
    ///
    /// Outside of a tree it is the epoch.
    public var now: Timestamp {
        node?.tree.transaction.now ?? Timestamp(milliseconds: 0)
    }

    /// Returns a Boolean value indicating whether the build that started this coordinator knew a change.
    ///
    /// A session outlives releases. Coordinators that an earlier build started end as they began, and new ones take the new
    /// way. Ask the coordinator with which the changed flow begins, and pass the answer on to its children.
    ///
    /// ```swift
    /// if changed("delivery-time") {
    ///     push(TimeScreen()) { me, _ in me.showPayment() }
    /// } else {
    ///     showPayment()
    /// }
    /// ```
    ///
    /// - Parameter change: One of `App.changes`. New coordinators do not know any other, and the session's state has a warning.
    public func changed(_ change: String) -> Bool { isKnown(change) }

    /// The client that the session was opened by, as it has told of itself; outside of a tree one that says nothing.
    ///
    /// ```swift
    /// guard client.shows(PasskeyScreen.self) else { return askForPassword() }
    /// ```
    public var client: Client {
        node?.tree.client ?? Client()
    }

    /// The session's random numbers, the same when the input is replayed.
    ///
    /// Not for secrets.
    ///
    /// ```swift
    /// let dice = Int.random(in: 1...6, using: &random)
    /// ```
    public var random: SeededGenerator {
        get { node?.tree.transaction.random ?? SeededGenerator(seed: 0, revision: 0) }
        set { node?.tree.transaction.random = newValue }
    }
}

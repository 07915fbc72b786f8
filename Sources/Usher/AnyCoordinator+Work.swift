extension AnyCoordinator {
    /// Begins a timer that belongs to this coordinator, not to the screen whose event is being handled.
    ///
    /// - Parameters:
    ///   - duration: The time from now, rounded up to whole milliseconds.
    ///   - repeats: Whether the closure begins the timer again, so that its captures stay in memory.
    ///   - completion: Called when the time is over. An error that it throws undoes its changes, with a warning.
    /// - Returns: A handle to cancel the timer.
    package final func beginTimer(
        _ duration: Duration, repeats: Bool, file: StaticString, line: UInt, _ completion: @escaping () throws -> Void
    ) -> WorkHandle {
        guard let node = workingNode(for: "after") else { return WorkHandle() }
        let work = node.tree.pendingWork.begin(
            timer: duration, by: node, with: nil, SourceLocation(file, line)
        ) { _ in try completion() }
        if !repeats { work?.mayHoldWhatLeft() }
        return WorkHandle(work)
    }

    /// Begins an effect that belongs to this coordinator, not to the screen whose event is being handled.
    ///
    /// - Parameters:
    ///   - effect: The work.
    ///   - completion: Called with the result. An error that it throws undoes its changes: the result is refused,
    ///     with a warning.
    /// - Returns: A handle to cancel the effect.
    package final func beginEffect<E: Effect>(
        _ effect: E, file: StaticString, line: UInt,
        _ completion: @escaping (Result<E.Output, EffectFailure>) throws -> Void
    ) -> WorkHandle {
        guard let node = workingNode(for: "perform") else { return WorkHandle() }
        let work = node.tree.pendingWork.begin(effect, by: node, with: nil, SourceLocation(file, line)) { _, result in
            try completion(result)
        }
        work?.mayHoldWhatLeft()
        return WorkHandle(work)
    }
}

extension AnyCoordinator {
    /// Begins a timer that belongs to this coordinator, not to the screen whose event is being handled.
    ///
    /// - Parameters:
    ///   - duration: The time from now, rounded up to whole milliseconds.
    ///   - repeats: Whether the closure begins the timer again. If not, objects that have left may stay in memory until
    ///     the timer's end without counting as leaks.
    ///   - completion: Called when the time is over. If the closure throws an error, its changes are undone, and the
    ///     state has a warning.
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
    ///   - completion: Called with the result. If the closure throws an error, its changes are undone, the result is
    ///     refused, and the state has a warning.
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

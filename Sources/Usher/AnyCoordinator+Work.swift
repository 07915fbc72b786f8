extension AnyCoordinator {
    /// Begins a timer that belongs to this coordinator, not to the screen whose event is being handled.
    ///
    /// The duration is rounded up to whole milliseconds. Pass true for `repeats` if the closure begins the timer again.
    /// If it does not, objects that have left may stay in memory until the timer's end without counting as leaks. If
    /// the closure throws an error, its changes are undone, and the state has a warning.
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
    /// If the closure throws an error, its changes are undone, the result is refused, and the state has a warning.
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

extension AnyCoordinator {
    /// Begins a timer that goes with this coordinator alone, whichever screen's event is being handled.
    ///
    /// - Parameters:
    ///   - duration: How long from now; a begun millisecond counts as a whole one.
    ///   - repeats: Whether its closure begins it anew, so that what that holds is held for ever.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    ///   - completion: What is done then. What it throws undoes it, with a warning.
    /// - Returns: A hold on the timer, to cancel it.
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

    /// Begins an effect that goes with this coordinator alone, whichever screen's event is being handled.
    ///
    /// - Parameters:
    ///   - effect: The work.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    ///   - completion: What its result does. What it throws undoes it: the result is refused, with a warning.
    /// - Returns: A hold on the effect, to cancel it.
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

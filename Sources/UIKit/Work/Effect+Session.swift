public import Usher

extension Effect {
    /// Starts the effect in the session whose input is being handled, and passes the result to a completion closure.
    ///
    /// ```swift
    /// func items(completion: @escaping (Result<[Item], any Error>) -> Void) {
    ///     LoadItems().perform { completion($0.mapError { $0 }) }
    /// }
    /// ```
    ///
    /// The effect is independent of screens. It retains its closure's captures until the effect ends or is cancelled,
    /// or until the session ends.
    ///
    /// - Parameter completion: Called with the result in a separate input.
    /// - Returns: A handle for cancelling the effect.
    @discardableResult
    @preconcurrency
    public func perform(
        file: StaticString = #fileID, line: UInt = #line,
        _ completion: @escaping @MainActor (Result<Output, EffectFailure>) -> Void
    ) -> SessionWork {
        MainActor.assumeIsolated {
            guard let session = UIKitSession.current else {
                completion(.failure(.outsideOfSession))
                return SessionWork()
            }
            return session.perform(self, file: file, line: line) { completion($0) }
        }
    }

    /// Performs the effect in the session whose input is being handled, and returns its output.
    ///
    /// ```swift
    /// func items() async throws -> [Item] { try await LoadItems().output() }
    /// ```
    ///
    /// - Throws: `EffectFailure`, or `CancellationError` if the task was cancelled; the effect is then cancelled, too.
    public func output(file: StaticString = #fileID, line: UInt = #line) async throws -> Output {
        guard let session = UIKitSession.current else { throw EffectFailure.outsideOfSession }
        return try await TaskSuspension.wait(in: session) { end in
            session.perform(self, file: file, line: line) { result in end(result.mapError { $0 }) }
        }
    }
}

extension EffectFailure {
    fileprivate static let outsideOfSession = EffectFailure(
        code: "session", message: "the work belongs to no session; begin it while a session handles an input")
}

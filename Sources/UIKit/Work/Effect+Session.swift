public import Usher

extension Effect {
    /// Begins the effect for the session whose input is handled, for a repository that tells closures.
    ///
    /// ```swift
    /// func items(completion: @escaping (Result<[Item], any Error>) -> Void) {
    ///     LoadItems().perform { completion($0.mapError { $0 }) }
    /// }
    /// ```
    ///
    /// It goes with no screen: until it is cancelled or its session ends it holds what its closure holds.
    ///
    /// - Parameters:
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    ///   - completion: Is given the result, in an input of its own.
    /// - Returns: A hold on the effect.
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

    /// The output, for a repository that is awaited: it is performed for the session whose input is handled.
    ///
    /// ```swift
    /// func items() async throws -> [Item] { try await LoadItems().output() }
    /// ```
    ///
    /// - Parameters:
    ///   - file: The file that it is awaited in, for the report of a leak.
    ///   - line: Its line there.
    /// - Returns: The output.
    /// - Throws: `EffectFailure`, or `CancellationError` where its task was cancelled: the effect is then given up.
    public func output(file: StaticString = #fileID, line: UInt = #line) async throws -> Output {
        guard let session = UIKitSession.current else { throw EffectFailure.outsideOfSession }
        return try await TaskSuspension.wait(in: session) { end in
            session.perform(self, file: file, line: line) { result in end(result.mapError { $0 }) }
        }
    }
}

extension EffectFailure {
    /// An effect that is begun where no session's input is handled.
    fileprivate static let outsideOfSession = EffectFailure(
        code: "session", message: "no session is there to begin the work for")
}

import Usher
package import UsherFuture

extension SessionRegistry {
    /// Handles what a user did.
    ///
    /// - Parameters:
    ///   - request: What the user did, and under which conditions that counts.
    ///   - id: The key to the session.
    /// - Returns: What the session shows afterwards.
    /// - Throws: `SessionError`; the session is then as it was.
    package func handle(_ request: InputRequest, on id: SessionID) async throws(SessionError) -> Snapshot {
        try await answer(to: request, on: id).value.get()
    }

    /// Handles what a user did, as far as nothing has to be waited for; most often that is all of it.
    ///
    /// - Parameters:
    ///   - request: What the user did, and under which conditions that counts.
    ///   - id: The key to the session.
    package func answer(to request: InputRequest, on id: SessionID) -> Future<Result<Snapshot, SessionError>> {
        let session = find(id)
        let turn = session.begin(request)
        switch session.answer(to: request, after: turn) {
        case nil, .failure(.retired), .failure(.ended), .failure(.unknown):
            let rest: Rest = { () throws(SessionError) in try await self.finish(request, on: session, from: turn) }
            guard let settlement = session.settlement(of: turn, for: request) else {
                return .async { await Self.result(of: rest) }
            }
            return .callback { self.hand(settlement, of: session, to: $0, orElse: rest) }
        case .success(let snapshot)?:
            if snapshot.ending != nil { remove(session) }
            return .ready(.success(snapshot))
        case .failure(let error)?:
            session.count(error)
            return .ready(.failure(error))
        }
    }

    /// What is left to do of a request.
    private typealias Rest = @Sendable () async throws(SessionError) -> Snapshot

    /// Hands over an answer once it is kept; where it has to be made again, what comes of that.
    private func hand(
        _ settlement: Settlement<Handled>, of session: Session,
        to receive: @escaping @Sendable (Result<Snapshot, SessionError>) -> Void, orElse rest: @escaping Rest
    ) {
        settlement.whenKept { outcome in
            switch outcome {
            case .success(let handled)?:
                session.count(handled)
                receive(.success(handled.snapshot))
            case .failure(let error)?:
                session.count(error)
                receive(.failure(error))
            case nil:
                Task { receive(await Self.result(of: rest)) }
            }
        }
    }

    private static func result(of rest: Rest) async -> Result<Snapshot, SessionError> {
        do throws(SessionError) { return .success(try await rest()) } catch { return .failure(error) }
    }

    private func finish(
        _ request: InputRequest, on session: Session, from turn: Turn<Handled>
    ) async throws(SessionError) -> Snapshot {
        defer { makeRoom(for: session) }
        do throws(SessionError) {
            let snapshot = try await session.finish(request, from: turn)
            if snapshot.ending != nil { remove(session) }
            return snapshot
        } catch {
            switch error {
            case .retired, .unknown: remove(session)
            case .ended:
                defer { remove(session) }
                // A key's first answer is given also when the session is over.
                if let first = try await session.firstAnswer(to: request.key) { return session.replay(first) }
            default: break
            }
            session.count(error)
            // It has left memory at that very moment, and is looked up again.
            guard case .retired = error else { throw error }
            return try await handle(request, on: session.id)
        }
    }
}

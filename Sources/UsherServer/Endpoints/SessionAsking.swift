import UsherHTTP
import UsherSessions

/// Endpoints that ask sessions, and tell clients what went wrong.
protocol SessionAsking: Sendable {
    /// Where the sessions are.
    var registry: SessionRegistry { get }
    /// Where that goes which clients are not told.
    var log: Log { get }
}

extension SessionAsking {
    /// Asks something of a session.
    ///
    /// - Throws: `Problem`; what its client is not told goes into the log.
    func ask<Answer>(
        _ id: SessionID, _ body: (SessionID) async throws(SessionError) -> Answer
    ) async throws(Problem) -> Answer {
        do throws(SessionError) {
            return try await body(id)
        } catch {
            throw problem(error, of: id)
        }
    }

    /// What a client is told of an error; the rest goes into the log.
    func problem(_ error: SessionError, of id: SessionID) -> Problem {
        log.write(error, in: id)
        return Problem(error, apps: registry.apps)
    }
}

extension PathParameters {
    /// The session that a path names as `{id}`.
    ///
    /// - Throws: `Problem` 404 for what can be no session's id.
    func sessionID() throws(Problem) -> SessionID {
        guard let id = bytes(of: "id").flatMap({ SessionID($0) }) else { throw Problem(.unknown, apps: []) }
        return id
    }
}

import Usher
import UsherHTTP
import UsherJSON
import UsherSessions

/// Endpoints on sessions: how they ask the registry, and what clients are told of its answers and errors.
protocol SessionAsking: Sendable {
    var registry: SessionRegistry { get }
    /// Takes the causes that clients are not told.
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

    /// The state of a session as it stands.
    func snapshot(of id: SessionID) async throws(Problem) -> Snapshot {
        try await ask(id) { id throws(SessionError) in try await registry.snapshot(of: id) }
    }

    /// The problem that a client is told; its cause goes into the log.
    func problem(_ error: SessionError, of id: SessionID) -> Problem {
        log.write(error, in: id)
        return Problem(error, apps: registry.apps)
    }

    /// The input that a request brings, with the conditions under which it counts.
    ///
    /// - Parameter content: Reads the body.
    /// - Throws: `Problem` 415 or 400.
    func input(
        of request: Request, _ preference: Preference,
        _ content: (JSONValue) throws(JSONError) -> InputContent
    ) throws(Problem) -> InputRequest {
        let json = try request.json()
        return InputRequest(
            try json.read(content), if: try EntityTag.precondition(request, epoch: registry.epoch),
            key: try request.idempotencyKey(json), wait: preference.eventWait)
    }

    /// The answer to an input that counted.
    func answer(_ snapshot: Snapshot, of id: SessionID, _ preference: Preference) -> Response {
        log.write(snapshot.newLeaks, in: id)
        return Response.state(snapshot).applying(preference)
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

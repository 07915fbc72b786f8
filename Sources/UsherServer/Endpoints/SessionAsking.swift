import Usher
import UsherHTTP
import UsherJSON
import UsherSessions

/// Endpoints that call the registry of sessions and turn its errors into responses.
protocol SessionAsking: Sendable {
    var registry: SessionRegistry { get }
    /// The log of the causes that clients do not see.
    var log: Log { get }
}

extension SessionAsking {
    /// Calls the registry about a session; `body` passes the registry the claim that authorized the request.
    ///
    /// - Throws: `Problem`; details that the client must not see are logged.
    func ask<Answer>(
        _ id: SessionID, for claim: SessionClaim = .granted, _ body: (SessionID) async throws(SessionError) -> Answer
    ) async throws(Problem) -> Answer {
        do throws(SessionError) {
            return try await body(id)
        } catch {
            throw problem(error, of: id, for: claim)
        }
    }

    /// Calls the registry without naming a session.
    func ask<Answer>(_ body: () async throws(SessionError) -> Answer) async throws(Problem) -> Answer {
        do throws(SessionError) { return try await body() } catch { throw Problem(error, apps: registry.apps) }
    }

    /// Reads a request on a session; if the request is an input, the operator can see its refusal.
    ///
    /// If the session does not exist or belongs to another user, that error takes precedence over errors in the
    /// request.
    ///
    /// - Throws: `Problem` if the session cannot be used; otherwise the `Problem` that `read` throws.
    func checked<Value>(
        _ id: SessionID, for claim: SessionClaim = .granted, isInput: Bool = false, _ read: () throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        do throws(Problem) { return try read() } catch {
            let current = try await snapshot(of: id, for: claim)
            if isInput { note(refusal: nil, of: id, error, at: current) }
            throw error
        }
    }

    func snapshot(of id: SessionID, for claim: SessionClaim = .granted) async throws(Problem) -> Snapshot {
        try await ask(id, for: claim) { id throws(SessionError) in try await registry.snapshot(of: id, for: claim) }
    }

    /// Logs an error's cause, and returns the problem for the client.
    ///
    /// If clients need a token, they get the same response for an unknown session as for the session of another user.
    func problem(_ error: SessionError, of id: SessionID, for claim: SessionClaim = .granted) -> Problem {
        log.write(error, in: id)
        if case .unknown = error, let denial = claim.denialByUnknown { return Problem(denial) }
        return Problem(error, apps: registry.apps)
    }

    /// Records a refused input for the operator, unless the request was not authorized or the session has ended.
    ///
    /// `content` is nil if the body is not an input.
    func note(refusal content: InputContent?, of id: SessionID, _ problem: Problem, at current: Snapshot?) {
        guard ![.unauthorized, .forbidden, .notFound, .gone].contains(problem.status) else { return }
        registry.note(
            refusal: content, of: id, status: problem.status.code, reason: problem.detail, at: current)
    }

    /// Returns the input of a request, with its preconditions; throws `Problem` 415 or 400.
    func input(
        of request: Request, _ preference: Preference, for claim: SessionClaim = .granted,
        _ content: (JSONValue) throws(JSONError) -> InputContent
    ) throws(Problem) -> InputRequest {
        let json = try request.json()
        return InputRequest(
            try json.read(content), if: try EntityTag.precondition(request, epoch: registry.epoch),
            key: try request.idempotencyKey(json), wait: preference.eventWait, for: claim)
    }

    /// Returns the response to a successful input; `extent` is the part of the state, or nil for the whole state.
    func answer(
        _ snapshot: Snapshot, of id: SessionID, _ preference: Preference, _ extent: Snapshot.Extent? = nil
    ) -> Response {
        log.write(snapshot.newLeaks, in: id)
        return Response.state(snapshot, extent).applying(preference)
    }
}

extension PathParameters {
    /// Returns the session whose id is `{id}` in the path; throws `Problem` 404 if the text cannot be a session's id.
    func sessionID() throws(Problem) -> SessionID {
        guard let id = bytes(of: "id").flatMap({ SessionID($0) }) else { throw Problem(.unknown, apps: []) }
        return id
    }
}

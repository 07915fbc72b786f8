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
    /// - Parameters:
    ///   - id: The session.
    ///   - claim: The claim by which the request is let in, as the body hands it on.
    ///   - body: The question.
    /// - Throws: `Problem`; what its client is not told goes into the log.
    func ask<Answer>(
        _ id: SessionID, for claim: SessionClaim = .granted, _ body: (SessionID) async throws(SessionError) -> Answer
    ) async throws(Problem) -> Answer {
        do throws(SessionError) {
            return try await body(id)
        } catch {
            throw problem(error, of: id, for: claim)
        }
    }

    /// Asks something that is about no one session.
    ///
    /// - Throws: `Problem`.
    func ask<Answer>(_ body: () async throws(SessionError) -> Answer) async throws(Problem) -> Answer {
        do throws(SessionError) { return try await body() } catch { throw Problem(error, apps: registry.apps) }
    }

    /// Reads a request on a session; that there is no such session, or that it is another's, matters more than what is wrong
    /// with the request.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - claim: The claim by which the request is let in.
    ///   - isInput: Set for an input, whose refusal is noted for the session's operator.
    ///   - read: Reads the request.
    /// - Throws: `Problem` of the session, or else of `read`.
    func checked<Value>(
        _ id: SessionID, for claim: SessionClaim = .granted, isInput: Bool = false, _ read: () throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        do throws(Problem) { return try read() } catch {
            let current = try await snapshot(of: id, for: claim)
            if isInput { note(refusal: nil, of: id, error, at: current) }
            throw error
        }
    }

    /// The state of a session as it stands.
    func snapshot(of id: SessionID, for claim: SessionClaim = .granted) async throws(Problem) -> Snapshot {
        try await ask(id, for: claim) { id throws(SessionError) in try await registry.snapshot(of: id, for: claim) }
    }

    /// The problem that a client is told; its cause goes into the log.
    ///
    /// Of a session that there is not, those who need a token are told the same as of one that is another's.
    func problem(_ error: SessionError, of id: SessionID, for claim: SessionClaim = .granted) -> Problem {
        log.write(error, in: id)
        if case .unknown = error, let denial = claim.denialByUnknown { return Problem(denial) }
        return Problem(error, apps: registry.apps)
    }

    /// Notes an input that did nothing, for the session's operator; not one that was not let in, nor of a session that there
    /// is no more.
    ///
    /// - Parameters:
    ///   - content: The input; nil for a body that was none.
    ///   - id: The session.
    ///   - problem: The answer.
    ///   - current: The state in which the session stayed, where that is known.
    func note(refusal content: InputContent?, of id: SessionID, _ problem: Problem, at current: Snapshot?) {
        guard ![.unauthorized, .forbidden, .notFound, .gone].contains(problem.status) else { return }
        registry.note(
            refusal: content, of: id, status: problem.status.code, reason: problem.detail, at: current)
    }

    /// The input that a request brings, with the conditions under which it counts.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - preference: Its preferences.
    ///   - claim: The claim by which it is let in.
    ///   - content: Reads the body.
    /// - Throws: `Problem` 415 or 400.
    func input(
        of request: Request, _ preference: Preference, for claim: SessionClaim = .granted,
        _ content: (JSONValue) throws(JSONError) -> InputContent
    ) throws(Problem) -> InputRequest {
        let json = try request.json()
        return InputRequest(
            try json.read(content), if: try EntityTag.precondition(request, epoch: registry.epoch),
            key: try request.idempotencyKey(json), wait: preference.eventWait, for: claim)
    }

    /// The answer to an input that counted.
    ///
    /// - Parameter extent: The part of the state that it has; the whole of it where nil.
    func answer(
        _ snapshot: Snapshot, of id: SessionID, _ preference: Preference, _ extent: Snapshot.Extent? = nil
    ) -> Response {
        log.write(snapshot.newLeaks, in: id)
        return Response.state(snapshot, extent).applying(preference)
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

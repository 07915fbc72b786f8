import Usher
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

/// `/sessions?subject=…` and `/sessions/{id}/messages`: the backend lists and ends sessions, and sends messages.
struct BackendEndpoints: SessionAsking {
    let registry: SessionRegistry
    let door: BackendDoor
    let log: Log

    /// The number of sessions that are ended before the list is read again.
    private static let stretch = 100

    func add(to router: inout Router) {
        router.on(.get, "/sessions", list)
        router.on(.delete, "/sessions", end)
        router.on(.post, "/sessions/{id}/messages", tell)
    }

    private func list(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        try door.require(request)
        let (subject, limit) = (try subject(of: request), try request.pageLimit())
        // Reads one session more than the page has, to find out whether the page is the last one.
        let found = try await sessions(of: subject, after: try request.pageStart(), limit: limit + 1)
        let sessions = found.prefix(limit)
        return .json(headers: ["Cache-Control": "no-store"]) { writer in
            writer.objects("sessions", of: sessions) { $0.head(of: $1) }
            if found.count > limit, let last = sessions.last { writer.member("after", last.id.text) }
        }
    }

    /// Ends all sessions of a user; if one of them cannot be ended now, the others are ended anyway.
    private func end(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        try door.require(request)
        let subject = try subject(of: request)
        var (count, last, failure): (Int, SessionID?, Problem?) = (0, nil, nil)
        while true {
            let sessions: [SessionSummary]
            do throws(Problem) {
                sessions = try await self.sessions(of: subject, after: last, limit: Self.stretch)
            } catch {
                failure = failure ?? error
                break
            }
            for summary in sessions {
                do throws(SessionError) {
                    log.write(try await registry.end(summary.id), in: summary.id)
                    count += 1
                } catch {
                    failure = failure ?? refusal(error, of: summary.id)
                }
            }
            guard sessions.count == Self.stretch else { break }
            last = sessions.last?.id
        }
        log.write(.info, "sessions of a subject ended", ["count": "\(count)"])
        if let failure { throw count == 0 ? failure : Self.partly(count, failure) }
        return .json { $0.member("ended", count) }
    }

    /// Returns the problem if some sessions were ended and others could not be.
    private static func partly(_ count: Int, _ failure: Problem) -> Problem {
        Problem(
            .outcomeUnknown,
            "\(count) sessions were ended, but other sessions could not be ended; send the request again",
            headers: failure.headers)
    }

    /// Returns the problem if a session could not be ended; nil if it had already ended.
    private func refusal(_ error: SessionError, of id: SessionID) -> Problem? {
        switch error {
        case .ended, .unknown: nil
        default: problem(error, of: id)
        }
    }

    private func tell(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        try door.require(request)
        let id = try parameters.sessionID()
        let preference = Preference(request)
        let input = try await checked(id, isInput: true) { () throws(Problem) in
            try self.input(of: request, preference) { json throws(JSONError) in
                .message(try json.onlyMember("message", usage: #"send {"message":…}"#))
            }
        }
        do throws(SessionError) {
            return answer(try await registry.handle(input, on: id, size: request.body.count), of: id, preference)
        } catch {
            let problem = problem(error, of: id)
            note(refusal: input.content, of: id, problem, at: error.current)
            throw problem
        }
    }

    private func sessions(
        of subject: String, after id: SessionID?, limit: Int
    ) async throws(Problem) -> [SessionSummary] {
        try await ask { () throws(SessionError) in
            try await SessionList(of: registry).sessions(of: subject, after: id, limit: limit)
        }
    }

    private func subject(of request: Request) throws(Problem) -> String {
        guard let subject = try request.queryParameter("subject"), SessionAccess.isSubject(subject) else {
            throw Problem(
                .malformedRequest, "name the user of the sessions, such as ?subject=kim")
        }
        return subject
    }
}

import Usher
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

/// `/sessions?subject=…` and `/sessions/{id}/messages`: the apps' backend lists and ends a user's sessions, and tells one
/// something.
struct BackendEndpoints: SessionAsking {
    let registry: SessionRegistry
    let door: BackendDoor
    let log: Log

    /// Sessions that are ended without another look at the list.
    private static let stretch = 100

    func add(to router: inout Router) {
        router.on(.get, "/sessions") { request, _ in try await list(request) }
        router.on(.delete, "/sessions") { request, _ in try await end(request) }
        router.on(.post, "/sessions/{id}/messages") { request, parameters in try await tell(request, parameters) }
    }

    private func list(_ request: Request) async throws(Problem) -> Response {
        try door.require(request)
        let (subject, limit) = (try subject(of: request), try request.pageLimit())
        // One more tells whether there are more.
        let found = try await sessions(of: subject, after: try request.pageStart(), limit: limit + 1)
        let sessions = found.prefix(limit)
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("sessions")
        writer.beginArray()
        for summary in sessions { writer.write(summary) }
        writer.endArray()
        if found.count > limit, let last = sessions.last {
            writer.key("after")
            writer.string(last.id.text)
        }
        writer.endObject()
        var response = Response.json(writer.bytes)
        response.headers.set(name: "Cache-Control", value: "no-store")
        return response
    }

    /// Ends all sessions of a user; one that cannot be ended now holds up none of the others.
    private func end(_ request: Request) async throws(Problem) -> Response {
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
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("ended")
        writer.integer(count)
        writer.endObject()
        return .json(writer.bytes)
    }

    /// The answer where some were ended and others were not.
    private static func partly(_ count: Int, _ failure: Problem) -> Problem {
        Problem(
            .outcomeUnknown, "sessions that have ended now: \(count); others could not be ended, send this again",
            headers: failure.headers)
    }

    /// The answer where a session could not be ended; nil where it is over.
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
        let input: InputRequest
        do throws(Problem) {
            input = try self.input(of: request, preference) { json throws(JSONError) in
                .message(try json.onlyMember("message", usage: #"send {"message":…}"#))
            }
        } catch {
            // That there is no such session matters more than what is wrong with the request.
            note(refusal: nil, of: id, error, at: try await snapshot(of: id))
            throw error
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
        do throws(SessionError) {
            return try await SessionList(of: registry).sessions(of: subject, after: id, limit: limit)
        } catch {
            throw Problem(error, apps: registry.apps)
        }
    }

    private func subject(of request: Request) throws(Problem) -> String {
        guard let subject = try request.queryParameter("subject"), SessionAccess.isSubject(subject) else {
            throw Problem(
                .malformedRequest, "name the user whose sessions they are, such as ?subject=kim")
        }
        return subject
    }
}

extension JSONWriter {
    /// Appends one session of a user's.
    fileprivate mutating func write(_ summary: SessionSummary) {
        beginObject()
        key("session")
        string(summary.id.text)
        if let app = summary.app {
            key("app")
            string(app)
            for (name, time) in [("created", summary.created), ("changed", summary.changed)] {
                key(name)
                string(WallTime.text(time.milliseconds))
            }
            key("revision")
            integer(summary.revision)
        }
        endObject()
    }
}

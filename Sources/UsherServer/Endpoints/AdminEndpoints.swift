import Usher
import UsherHTTP
import UsherJSON
import UsherProcess
import UsherSessions

/// `/admin`: what an operator sees and does.
struct AdminEndpoints: SessionAsking {
    let registry: SessionRegistry
    let policy: AdminPolicy
    let log: Log

    private typealias Handler = @Sendable (Request, PathParameters) async throws -> Response

    func add(to router: inout Router) {
        on(.get, "/admin/sessions", &router) { request, _ in try await list(request) }
        on(.get, "/admin/sessions/{id}/tree", &router) { _, parameters in try await tree(parameters) }
        on(.get, "/admin/sessions/{id}/journal", &router) { request, parameters in
            try await entries(request, parameters)
        }
        on(.get, "/admin/sessions/{id}/at/{revision}", &router) { _, parameters in try await pastState(parameters) }
        on(.get, "/admin/sessions/{id}/at/{revision}/tree", &router) { _, parameters in
            try await pastTree(parameters)
        }
        on(.post, "/admin/sessions/{id}/fork", &router) { request, parameters in
            try await fork(request, parameters)
        }
        on(.post, "/admin/sessions/{id}/messages", &router) { request, parameters in
            try await tell(request, parameters)
        }
        on(.post, "/admin/backup", &router) { _, _ in try await backUp() }
    }

    /// Whoever may not look inside does not learn what is there either.
    private func on(
        _ method: UsherHTTP.Method, _ path: String, _ router: inout Router, _ handler: @escaping Handler
    ) {
        router.on(method, path) { [policy] request, parameters in
            try policy.check(request)
            return try await handler(request, parameters)
        }
    }
}

extension AdminEndpoints {
    /// A session's coordinators.
    func tree(_ parameters: PathParameters) async throws(Problem) -> Response {
        .json(
            try await ask(try parameters.sessionID()) { id throws(SessionError) in try await registry.report(of: id) })
    }

    /// A page of sessions.
    func list(_ request: Request) async throws(Problem) -> Response {
        let limit = try request.pageLimit()
        let sessions = try await sessions(after: try start(of: request), limit: limit)
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("sessions")
        writer.beginArray()
        for summary in sessions { writer.write(summary) }
        writer.endArray()
        if sessions.count == limit, let last = sessions.last {
            writer.key("next")
            writer.string("/admin/sessions?after=\(last.id.text)&limit=\(limit)")
        }
        writeTotals(into: &writer)
        writer.endObject()
        return .json(writer.bytes)
    }

    private func writeTotals(into writer: inout JSONWriter) {
        writer.key("live")
        writer.integer(registry.sessionCount)
        writer.key("awake")
        writer.integer(registry.awakeCount)
        writer.key("coordinators")
        writer.beginObject()
        let census = registry.census
        for (name, count) in [
            ("live", registry.liveCoordinators), ("created", census.created), ("finished", census.finished),
            ("leaked", census.leaked),
        ] {
            writer.key(name)
            writer.integer(count)
        }
        writer.endObject()
    }

    private func sessions(after id: SessionID?, limit: Int) async throws(Problem) -> [SessionSummary] {
        do throws(SessionError) {
            return try await registry.sessions(after: id, limit: limit)
        } catch {
            throw Problem(error, apps: registry.apps)
        }
    }

    private func start(of request: Request) throws(Problem) -> SessionID? {
        guard let text = try request.queryParameter("after") else { return nil }
        guard let id = SessionID(text) else {
            throw Problem(.badRequest, "\"after\" takes a session's id", type: ProblemType.malformedRequest)
        }
        return id
    }
}

extension AdminEndpoints {
    /// Tells a session something on behalf of a backend.
    func tell(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        let preference = Preference(request)
        let message: InputRequest
        do throws(Problem) {
            message = InputRequest(
                .message(try request.read { json throws(JSONError) in try MessageRequest(json).message }),
                if: try EntityTag.precondition(request, epoch: registry.epoch), key: try request.idempotencyKey(),
                wait: preference.eventWait)
        } catch {
            // That there is no such session matters more than what is wrong with the request.
            _ = try await ask(id) { id throws(SessionError) in try await registry.snapshot(of: id) }
            throw error
        }
        let snapshot = try await ask(id) { id throws(SessionError) in try await registry.handle(message, on: id) }
        log.write(snapshot.newLeaks, in: id)
        return Response.state(snapshot).applying(preference)
    }
}

extension JSONWriter {
    /// Appends one session of an operator's list.
    mutating func write(_ summary: SessionSummary) {
        beginObject()
        key("session")
        string(summary.id.text)
        guard let app = summary.app else {
            key("damaged")
            boolean(true)
            return endObject()
        }
        key("app")
        string(app)
        for (name, time) in [("created", summary.created), ("changed", summary.changed)] {
            key(name)
            string(WallTime.text(time.milliseconds))
        }
        key("revision")
        integer(summary.revision)
        key("recorded")
        integer(summary.recorded)
        key("hibernated")
        boolean(summary.awake == nil)
        if let awake = summary.awake { write(awake) }
        endObject()
    }

    private mutating func write(_ awake: SessionSummary.Awake) {
        for (name, count) in [
            ("screens", awake.screens), ("coordinators", awake.coordinators.live),
            ("leaked", awake.coordinators.leaked), ("bytes", awake.bytes),
        ] {
            key(name)
            integer(count)
        }
    }
}

/// The body of `POST /admin/sessions/{id}/messages`.
struct MessageRequest {
    /// What the root coordinator is told, in Swift's coding of its `Message`.
    let message: JSONValue

    /// Reads the body.
    ///
    /// - Throws: `JSONError` for a missing or unknown member.
    init(_ json: JSONValue) throws(JSONError) {
        message = try json.onlyMember("message", usage: #"send {"message":…}"#)
    }
}

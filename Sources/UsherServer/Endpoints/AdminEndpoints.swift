import Usher
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

/// `/admin`: lists sessions and their coordinators, hands them a backend's messages, copies the journal, lists the servers
/// that share it.
struct AdminEndpoints: SessionAsking {
    let registry: SessionRegistry
    let access: Access
    let log: Log

    func add(to router: inout Router) {
        router.on(.get, "/admin/sessions", for: access) { request, _ in try await list(request) }
        router.on(.get, "/admin/sessions/{id}/tree", for: access) { _, parameters in try await tree(parameters) }
        router.on(.post, "/admin/sessions/{id}/messages", for: access) { request, parameters in
            try await tell(request, parameters)
        }
        router.on(.post, "/admin/backup", for: access) { _, _ in try await backUp() }
        router.on(.get, "/admin/nodes", for: access) { _, _ in try await nodes() }
    }

    private func list(_ request: Request) async throws(Problem) -> Response {
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

    private func writeTotals(into writer: inout JSONWriter) {
        let coordinatorCounts = registry.coordinatorCounts
        writer.members(["live": registry.sessionCount, "awake": registry.awakeCount])
        writer.key("coordinators")
        writer.beginObject()
        writer.members([
            "live": registry.liveCoordinators, "created": coordinatorCounts.created,
            "finished": coordinatorCounts.finished,
            "leaked": coordinatorCounts.leaked,
        ])
        writer.endObject()
    }

    private func tree(_ parameters: PathParameters) async throws(Problem) -> Response {
        .json(
            try await ask(try parameters.sessionID()) { id throws(SessionError) in try await registry.report(of: id) })
    }

    private func tell(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        let preference = Preference(request)
        let input: InputRequest
        do throws(Problem) {
            input = try self.input(of: request, preference) { json throws(JSONError) in
                .message(try json.onlyMember("message", usage: #"send {"message":…}"#))
            }
        } catch {
            // That there is no such session matters more than what is wrong with the request.
            _ = try await snapshot(of: id)
            throw error
        }
        let snapshot = try await ask(id) { id throws(SessionError) in try await registry.handle(input, on: id) }
        return answer(snapshot, of: id, preference)
    }

    private func nodes() async throws(Problem) -> Response {
        let nodes: [JournalNode]
        do throws(SessionError) { nodes = try await registry.nodes() } catch {
            throw Problem(error, apps: registry.apps)
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("nodes")
        writer.beginArray()
        for node in nodes {
            writer.beginObject()
            for (name, text) in [
                ("name", node.name), ("build", node.build), ("since", WallTime.text(node.since)),
                ("until", WallTime.text(node.until)),
            ] {
                writer.key(name)
                writer.string(text)
            }
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return .json(writer.bytes)
    }

    private func backUp() async throws(Problem) -> Response {
        let backup: Backup
        do throws(SessionError) {
            backup = try await registry.backUp()
        } catch {
            if case .notRead(let cause) = error { log.write(.error, "backup failed", ["cause": cause]) }
            throw Problem(error, apps: registry.apps)
        }
        log.write(.info, "journal backed up", ["path": backup.path])
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("path")
        writer.string(backup.path)
        writer.members(["bytes": backup.size])
        writer.endObject()
        return .json(writer.bytes, status: .created)
    }
}

extension Router {
    /// Adds a handler for the operator alone; others do not learn what is there either.
    mutating func on(
        _ method: UsherHTTP.Method, _ pattern: String, for access: Access, _ handler: @escaping AsyncHandler
    ) {
        on(method, pattern) { request, parameters in
            try access.requireOperator(request)
            return try await handler(request, parameters)
        }
    }
}

extension JSONWriter {
    /// Appends members that are numbers.
    fileprivate mutating func members(_ numbers: KeyValuePairs<String, Int>) {
        for (name, number) in numbers {
            key(name)
            integer(number)
        }
    }

    /// Appends one session of the list.
    fileprivate mutating func write(_ summary: SessionSummary) {
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
        members(["revision": summary.revision, "recorded": summary.recorded])
        write(summary.memory)
        endObject()
    }

    private mutating func write(_ memory: SessionSummary.Memory) {
        key("hibernated")
        switch memory {
        case .asleep: boolean(true)
        case .busy:
            boolean(false)
            key("busy")
            boolean(true)
        case .awake(let awake):
            boolean(false)
            members([
                "screens": awake.screens, "coordinators": awake.coordinators.live,
                "leaked": awake.coordinators.leaked, "bytes": awake.bytes,
            ])
        }
    }
}

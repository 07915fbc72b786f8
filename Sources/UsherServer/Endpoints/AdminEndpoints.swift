import Usher
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

/// `/admin`: shows a session's coordinators, copies the journal, lists the servers that share it.
struct AdminEndpoints: SessionAsking {
    let registry: SessionRegistry
    let access: Access
    let log: Log

    func add(to router: inout Router) {
        router.on(.get, "/admin/sessions/{id}/tree", for: access) { _, parameters in try await tree(parameters) }
        router.on(.post, "/admin/backup", for: access) { _, _ in try await backUp() }
        router.on(.get, "/admin/nodes", for: access) { _, _ in try await nodes() }
    }

    private func tree(_ parameters: PathParameters) async throws(Problem) -> Response {
        .json(
            try await ask(try parameters.sessionID()) { id throws(SessionError) in try await registry.report(of: id) })
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
            guard case .notRead(let cause) = error else { throw Problem(error, apps: registry.apps) }
            log.write(.error, "backup failed", ["cause": cause])
            throw Problem(
                .journalUnavailable, "there is no backup of the journal: \(cause)", headers: ["Retry-After": "60"])
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
    mutating func members(_ numbers: KeyValuePairs<String, Int>) {
        for (name, number) in numbers {
            key(name)
            integer(number)
        }
    }
}

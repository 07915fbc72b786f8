import Usher
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

/// `/admin`: the endpoints for the operator, except the operator's session endpoints.
struct AdminEndpoints: SessionAsking {
    let registry: SessionRegistry
    let access: Access
    let maps: AppMaps
    let log: Log

    func add(to router: inout Router) {
        router.on(.get, "/admin/sessions", for: access, sessions)
        router.on(.get, "/admin/sessions/{id}/tree", for: access, tree)
        router.on(.post, "/admin/backup", for: access, backUp)
        router.on(.get, "/admin/nodes", for: access, nodes)
        router.on(.post, "/admin/release", for: access, confirmRelease)
        router.on(.get, "/admin/incidents", for: access, incidents)
        router.on(.get, "/admin/sessions/{id}/journal", for: access, journal)
        router.on(.get, "/admin/sessions/{id}/at/{revision}", for: access, pastState)
        router.on(.get, "/admin/sessions/{id}/at/{revision}/tree", for: access, pastTree)
        router.on(.get, "/admin/sessions/{id}/history", for: access, history)
        router.on(.get, "/admin/sessions/{id}/walk", for: access, walk)
        router.on(.post, "/admin/sessions/{id}/fork", for: access, fork)
        router.on(.post, "/admin/sessions/{id}/rollback", for: access, rollBack)
        router.on(.get, "/admin/sessions/{id}/export", for: access, export)
        router.on(.post, "/admin/import", for: access, importSession)
        router.on(.get, "/admin/apps/{app}/map", for: access, map)
    }

    private func tree(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        .json(
            try await ask(try parameters.sessionID()) { id throws(SessionError) in try await registry.report(of: id) })
    }

    private func backUp(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
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
        return .json(status: .created) { writer in
            writer.member("path", backup.path)
            writer.member("bytes", backup.size)
        }
    }
}

extension Router {
    /// Adds a handler for the operator; other senders get 401 or 403 before the handler runs.
    mutating func on(
        _ method: UsherHTTP.Method, _ pattern: String, for access: Access, _ handler: @escaping AsyncHandler
    ) {
        on(method, pattern) { request, parameters in
            try access.requireOperator(request)
            return try await handler(request, parameters).repeatable(for: request)
        }
    }
}

extension Response {
    /// Creates a response with a JSON object, whose members `write` writes; `headers` must not have `Content-Type`.
    static func json(
        status: Status = .ok, headers: HeaderFields = HeaderFields(), _ write: (inout JSONWriter) -> Void
    ) -> Response {
        .json(JSONWriter.object(write), status: status, headers: headers)
    }
}

import Usher
import UsherHTTP
import UsherJSON
import UsherProcess
import UsherSessions

/// `/admin`: what an operator sees.
struct AdminEndpoints: Sendable {
    let registry: SessionRegistry
    let policy: AdminPolicy

    private static let pageLimit = 1...1_000
    private static let defaultPage = 100

    func add(to router: inout Router) {
        router.on(.get, "/admin/sessions") { request, _ in
            try policy.check(request)
            return try await list(request)
        }
        router.on(.get, "/admin/sessions/{id}/tree") { request, parameters in
            try policy.check(request)
            return try await tree(parameters)
        }
    }

    private func tree(_ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        do throws(SessionError) {
            return .json(try await registry.report(of: id))
        } catch {
            throw Problem(error, apps: registry.apps)
        }
    }

    private func list(_ request: Request) async throws(Problem) -> Response {
        let limit = try limit(of: request)
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
        writer.key("live")
        writer.integer(registry.sessionCount)
        writer.key("awake")
        writer.integer(registry.awakeCount)
        writer.key("coordinators")
        registry.census.write(into: &writer)
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

    private func limit(of request: Request) throws(Problem) -> Int {
        guard let text = try request.queryParameter("limit") else { return Self.defaultPage }
        guard let limit = Int(text), Self.pageLimit.contains(limit) else {
            throw Problem(
                .badRequest,
                "\"limit\" takes a number from \(Self.pageLimit.lowerBound) to \(Self.pageLimit.upperBound)",
                type: ProblemType.malformedRequest)
        }
        return limit
    }
}

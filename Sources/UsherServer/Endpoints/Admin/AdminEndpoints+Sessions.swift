import Usher
import UsherHTTP
import UsherJSON
import UsherSessions

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

import UsherHTTP
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

/// `GET /admin/incidents`: the newest crashes, each with the input in progress, and whether this build refuses that
/// input.
extension AdminEndpoints {
    func incidents(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let incidents = try await ask { () throws(SessionError) in try await registry.incidents() }
        return .json { writer in
            writer.objects("incidents", of: incidents) { writer, incident in
                let input = incident.input
                writer.member("time", WallTime.text(input.time))
                if let session = input.identity.session { writer.member("session", SessionID(session).text) }
                writer.member("app", input.site.app)
                if !input.site.screen.isEmpty { writer.member("screen", input.site.screen) }
                writer.member("event", input.site.event)
                writer.member("revision", input.identity.revision)
                writer.member("crash", input.crash)
                writer.member("refused", incident.isRefused)
                writer.member("build", String(input.build, radix: 16))
            }
        }
    }
}

import UsherHTTP
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

/// `GET /admin/incidents`: the newest crashes, and whether this build refuses the inputs that were in flight.
struct IncidentEndpoints: Sendable {
    let registry: SessionRegistry
    let access: Access

    func add(to router: inout Router) {
        router.on(.get, "/admin/incidents", for: access) { _, _ in try await list() }
    }

    private func list() async throws -> Response {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("incidents")
        writer.beginArray()
        do throws(SessionError) {
            for incident in try await registry.incidents() { writer.write(incident.input, incident.isRefused) }
        } catch {
            throw Problem(error, apps: registry.apps)
        }
        writer.endArray()
        writer.endObject()
        return .json(writer.bytes)
    }
}

extension JSONWriter {
    /// Appends one incident.
    fileprivate mutating func write(_ input: GuiltyInput, _ isRefused: Bool) {
        beginObject()
        member("time", WallTime.text(input.time))
        if let session = input.identity.session { member("session", SessionID(session).text) }
        member("app", input.site.app)
        if !input.site.screen.isEmpty { member("screen", input.site.screen) }
        member("event", input.site.event)
        member("revision", input.identity.revision)
        member("crash", input.crash)
        key("refused")
        boolean(isRefused)
        member("build", String(input.build, radix: 16))
        endObject()
    }
}

import UsherHTTP
import UsherJSON
import UsherProcess
import UsherSessions

/// `GET /admin/incidents`: the newest crashes, and what became of the inputs that were in flight.
struct IncidentEndpoints: Sendable {
    let registry: SessionRegistry
    let access: Access

    func add(to router: inout Router) {
        router.on(.get, "/admin/incidents", for: access) { _, _ in list() }
    }

    private func list() -> Response {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("incidents")
        writer.beginArray()
        for incident in registry.incidents { writer.write(incident) }
        writer.endArray()
        writer.endObject()
        return .json(writer.bytes)
    }
}

extension JSONWriter {
    /// Appends one incident.
    fileprivate mutating func write(_ incident: CrashIncident) {
        beginObject()
        members([
            "time": WallTime.text(incident.time), "kind": incident.kind.rawValue, "session": incident.session?.text,
            "app": incident.app, "screen": incident.screen.isEmpty ? nil : incident.screen, "event": incident.event,
        ])
        key("revision")
        integer(incident.revision)
        if let thread = incident.thread {
            key("thread")
            integer(thread)
        }
        members(["signal": incident.crash?.cause, "symbol": incident.crash?.symbol])
        if !incident.stack.isEmpty { member("stack", incident.stack) }
        members([
            "verdict": incident.verdict.name, "reason": incident.verdict.reason,
            "build": String(incident.build, radix: 16),
        ])
        endObject()
    }

    /// Appends members that are texts, as far as there are any.
    private mutating func members(_ texts: KeyValuePairs<String, String?>) {
        for case (let name, let text?) in texts {
            key(name)
            string(text)
        }
    }
}

extension CrashIncident.Verdict {
    /// In a word.
    var name: String {
        switch self {
        case .pending: "pending"
        case .survives: "survives"
        case .guilty: "guilty"
        case .untried: "untried"
        }
    }

    /// Why it could not be tried.
    var reason: String? { if case .untried(let reason) = self { reason } else { nil } }
}

import Usher
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

/// `GET /admin/sessions`: the operator's list, which finds one of a million.
struct SessionListEndpoint {
    let registry: SessionRegistry
    let access: Access

    func add(to router: inout Router) {
        router.on(.get, "/admin/sessions", for: access) { request, _ in try await list(request) }
    }

    private func list(_ request: Request) async throws(Problem) -> Response {
        let filter = try SessionFilter(request)
        let (page, total) = try await answer(to: filter)
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("sessions")
        writer.beginArray()
        for summary in page.sessions { writer.write(summary) }
        writer.endArray()
        if let next = page.next { writer.member("next", filter.path(after: next)) }
        writer.write(total)
        writeTotals(into: &writer)
        writer.member("onlyHere", Self.membersOfThisServer)
        writer.endObject()
        return .json(writer.bytes)
    }

    /// The members of a session that another server on the journal may tell otherwise.
    private static let membersOfThisServer = [
        "held", "cause", "hibernated", "busy", "visible", "screens", "coordinators", "bytes",
    ]

    private func answer(to filter: SessionFilter) async throws(Problem) -> (SessionPage, SessionPage.Total) {
        let list = SessionList(of: registry)
        do throws(SessionError) {
            guard filter.state != .held else {
                return (try await list.heldSessions(matching: filter.query), list.heldTotal(matching: filter.query))
            }
            let isAwake = filter.state.map { $0 == .awake }
            let page = try await list.sessions(matching: filter.query, awake: isAwake)
            return (page, try await list.total(matching: filter.query, awake: isAwake))
        } catch {
            throw Problem(error, apps: registry.apps)
        }
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
}

extension JSONWriter {
    fileprivate mutating func write(_ total: SessionPage.Total) {
        key("total")
        beginObject()
        switch total {
        case .all(let count):
            members(["count": count])
            member("of", "all")
        case .matching(let count):
            members(["count": count])
            member("of", "matching")
        }
        endObject()
    }

    /// Appends one session of the list.
    fileprivate mutating func write(_ summary: SessionSummary) {
        beginObject()
        member("session", summary.id.text)
        if let held = summary.held {
            member("held", held.kind.rawValue)
            member("cause", held.cause)
        }
        guard let app = summary.app else { return endObject() }
        member("app", app)
        for (name, time) in [("created", summary.created), ("changed", summary.changed), ("used", summary.used)] {
            member(name, WallTime.text(time.milliseconds))
        }
        members(["revision": summary.revision, "recorded": summary.recorded, "leaked": summary.leaked])
        if let subject = summary.subject { member("subject", subject) }
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
            if !awake.visible.isEmpty { member("visible", awake.visible) }
            members(["screens": awake.screens, "coordinators": awake.coordinators.live, "bytes": awake.bytes])
        }
    }
}

import Usher
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

/// `GET /admin/sessions`: the operator's list of sessions, with filters; it is fast even with millions of sessions.
extension AdminEndpoints {
    func sessions(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let filter = try SessionFilter(request)
        let (page, total) = try await ask { () throws(SessionError) in try await answer(to: filter) }
        return .json { writer in
            writer.objects("sessions", of: page.sessions) { $0.members(of: $1) }
            if let next = page.next { writer.member("next", filter.path(after: next)) }
            writer.object("total") { $0.members(of: total) }
            writeTotals(into: &writer)
            writer.member("onlyHere", Self.membersOfThisServer)
        }
    }

    /// The members of a session that may have other values on the other servers of the journal.
    private static let membersOfThisServer = [
        "held", "cause", "hibernated", "busy", "visible", "screens", "coordinators", "bytes",
    ]

    private func answer(to filter: SessionFilter) async throws(SessionError) -> (SessionPage, SessionPage.Total) {
        let list = SessionList(of: registry)
        if let screen = filter.visible {
            return (
                try await list.sessions(showing: screen, matching: filter.query),
                try await list.total(matching: filter.query, awake: true)
            )
        }
        guard filter.state != .held else {
            let page = try await list.heldSessions(matching: filter.query)
            return (page, try await list.heldTotal(matching: filter.query))
        }
        let isAwake = filter.state?.isAwake
        let page = try await list.sessions(matching: filter.query, awake: isAwake)
        return (page, try await list.total(matching: filter.query, awake: isAwake))
    }

    private func writeTotals(into writer: inout JSONWriter) {
        let counts = registry.coordinatorCounts
        writer.member("live", registry.sessionCount)
        writer.member("awake", registry.awakeCount)
        writer.object("coordinators") { writer in
            writer.member("live", registry.liveCoordinators)
            writer.member("created", counts.created)
            writer.member("finished", counts.finished)
            writer.member("leaked", counts.leaked)
        }
    }
}

extension JSONWriter {
    /// Adds the members that the operator and the backend may see; if the session cannot be read, adds only the id.
    mutating func head(of summary: SessionSummary) {
        member("session", summary.id.text)
        guard let head = summary.head else { return }
        member("app", head.app)
        member("created", WallTime.text(head.created))
        member("changed", WallTime.text(head.time))
        member("revision", head.revision)
    }

    fileprivate mutating func members(of total: SessionPage.Total) {
        switch total {
        case .all(let count):
            member("count", count)
            member("of", "all")
        case .matching(let count):
            member("count", count)
            member("of", "matching")
        }
    }

    fileprivate mutating func members(of summary: SessionSummary) {
        head(of: summary)
        if let held = summary.held {
            member("held", held.kind.rawValue)
            member("cause", held.cause)
        }
        guard let head = summary.head else { return }
        member("used", WallTime.text(summary.used.milliseconds))
        member("recorded", head.bytes)
        member("leaked", summary.leaked)
        if let subject = head.access?.subject { member("subject", subject) }
        if let tombstone = summary.tombstone {
            member("reason", tombstone.reason.rawValue)
            return member("endedAt", WallTime.text(tombstone.time.milliseconds))
        }
        members(of: head.access)
        members(of: summary.memory)
    }

    private mutating func members(of access: SessionAccess?) {
        guard let access, access.needsToken else { return member("access", "id") }
        member("access", access.owner == nil ? "revoked" : "token")
        if !access.readers.isEmpty { member("readers", access.readers.count) }
    }

    private mutating func members(of memory: SessionSummary.Memory) {
        switch memory {
        case .asleep: member("hibernated", true)
        case .busy:
            member("hibernated", false)
            member("busy", true)
        case .awake(let awake):
            member("hibernated", false)
            if !awake.visible.isEmpty { member("visible", awake.visible) }
            member("screens", awake.screens)
            member("coordinators", awake.coordinators.live)
            member("bytes", awake.bytes)
        }
    }
}

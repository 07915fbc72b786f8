import Usher
package import UsherJournal

/// A page of an operator's list.
package struct SessionPage: Sendable {
    /// The number of sessions for the query; if too many sessions match, the number of all live sessions.
    package enum Total: Sendable {
        /// The number of all live sessions, because too many sessions match the query to be counted.
        case all(Int)
        /// The number of sessions that match the query.
        case matching(Int)
    }

    /// The sessions.
    package let sessions: [SessionSummary]
    /// The place after which the next page begins; `nil` for the last page.
    package let next: SessionQuery.Cursor?
}

/// The lists of live sessions for operators and backends, read from the journal's indexes.
///
/// An operator's list also shows the state of sessions in this server's memory. A backend's list contains the sessions
/// of one user.
package struct SessionList {
    private let settings: SessionSettings
    private let store: SessionStore
    private let registry: SessionRegistry

    /// Creates the lists for a registry.
    package init(of registry: SessionRegistry) {
        settings = registry.settings
        store = registry.store
        self.registry = registry
    }

    /// Returns a page of sessions.
    ///
    /// The journal does not know which sessions are in this server's memory. If `isAwake` is given, only a limited
    /// number of sessions is examined. The page may then have few sessions or none, although the next page has more.
    ///
    /// - Parameters:
    ///   - query: The query for the page.
    ///   - isAwake: `true` for sessions in this server's memory, `false` for all others; `nil` for both.
    /// - Throws: `SessionError` if the journal cannot be read.
    package func sessions(
        matching query: SessionQuery, awake isAwake: Bool? = nil
    ) async throws(SessionError) -> SessionPage {
        var (question, sessions, looked) = (query, [SessionSummary](), 0)
        // Reads one session more than the page has, to find out whether there is a next page.
        question.limit = isAwake == nil ? query.limit + 1 : max(query.limit + 1, Self.stretch)
        while true {
            let found = try await settings.ask(await settings.journal.sessions(matching: question))
            for session in found {
                guard sessions.count < query.limit else { return SessionPage(sessions: sessions, next: question.place) }
                question.place = session.place(in: query.order)
                let summary = try await summary(of: session)
                if isAwake.map({ $0 == summary.isAwake }) ?? true { sessions.append(summary) }
            }
            looked += found.count
            guard found.count == question.limit else { return SessionPage(sessions: sessions, next: nil) }
            guard looked < Self.lookLimit else { return SessionPage(sessions: sessions, next: question.place) }
        }
    }

    /// Returns a page of live sessions that are known to be on hold for this build, in the order of the sessions' ids.
    ///
    /// - Parameter query: The query for the page, in the order of the ids.
    /// - Throws: `SessionError` if the journal cannot be read.
    package func heldSessions(matching query: SessionQuery) async throws(SessionError) -> SessionPage {
        guard let keys = query.keysBehindPlace else { return SessionPage(sessions: [], next: nil) }
        // Finds one session more than are examined, to find out whether there is a next page.
        let held = try await settings.ask(await settings.held.sessions(in: keys, limit: Self.lookLimit + 1))
        return try await sessions(among: held.map { ($0.0, $0.1?.reason) }, matching: query)
    }

    /// Returns a page of live sessions in this server's memory that show a screen, in the order of the sessions' ids.
    ///
    /// The page leaves out sessions that are handling an input.
    ///
    /// - Parameters:
    ///   - screen: The beginning of the visible screen's name.
    ///   - query: The query for the page, in the order of the ids.
    /// - Throws: `SessionError` if the journal cannot be read.
    package func sessions(
        showing screen: String, matching query: SessionQuery
    ) async throws(SessionError) -> SessionPage {
        guard let keys = query.keysBehindPlace else { return SessionPage(sessions: [], next: nil) }
        let showing = store.keys(in: keys, limit: Self.lookLimit + 1) { session in
            guard case .awake(let awake) = session.summary() else { return false }
            return awake.visible.utf8.starts(with: screen.utf8)
        }
        return try await sessions(among: showing.map { ($0, nil) }, matching: query)
    }

    private func sessions(
        among candidates: [(key: JournalKey, held: HoldReason?)], matching query: SessionQuery
    ) async throws(SessionError) -> SessionPage {
        var sessions: [SessionSummary] = []
        var last: JournalKey?
        for (index, (key, held)) in candidates.enumerated() {
            guard sessions.count < query.limit, index < Self.lookLimit else {
                return SessionPage(sessions: sessions, next: last.map { .init(key: $0) })
            }
            last = key
            var one = query.fromTheFirst(limit: 1)
            one.keys = key...key
            let found = try await settings.ask(await settings.journal.sessions(matching: one))
            sessions += found.map { summary(of: $0, held: held) }
        }
        return SessionPage(sessions: sessions, next: nil)
    }

    /// Returns the number of sessions that are known to be on hold for this build.
    ///
    /// - Parameter query: The query. If it has conditions, the number of all live sessions is returned instead.
    /// - Throws: `SessionError` if the journal cannot be read.
    package func heldTotal(matching query: SessionQuery) async throws(SessionError) -> SessionPage.Total {
        guard query.isForAll else { return .all(registry.sessionCount) }
        try await settings.ask(await settings.held.refresh())
        return .matching(settings.held.counts.values.reduce(0, +))
    }

    /// Returns the number of sessions that match a query; if many sessions match, the number of all live sessions.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - isAwake: `true` for sessions in this server's memory, `false` for all others; `nil` for both.
    /// - Throws: `SessionError` if the journal cannot be read.
    package func total(
        matching query: SessionQuery, awake isAwake: Bool? = nil
    ) async throws(SessionError) -> SessionPage.Total {
        if query.isForAll, isAwake == nil { return .matching(registry.sessionCount) }
        guard isAwake == nil else { return .all(registry.sessionCount) }
        let count = try await settings.ask(await settings.journal.count(matching: query, limit: Self.lookLimit + 1))
        return count > Self.lookLimit ? .all(registry.sessionCount) : .matching(count)
    }

    /// The number of examined sessions after which one answer ends, even if its page is not full.
    private static let lookLimit = 1_000

    /// The number of sessions that are read at once if the page contains only awake or only sleeping sessions.
    private static let stretch = 200

    private func summary(of session: FoundSession) async throws(SessionError) -> SessionSummary {
        guard session.head?.ending == nil else { return summary(of: session, held: nil) }
        let verdict = try await settings.ask(await settings.held.verdict(on: SessionID(session.key)))
        return summary(of: session, held: verdict?.reason)
    }

    private func summary(of session: FoundSession, held: HoldReason?) -> SessionSummary {
        let id = SessionID(session.key)
        let known = store.find(id)
        // The use in the journal may be later than the real last use. This server's memory has only the uses on this
        // server.
        let noted = session.touched &- settings.bounds.useCover.milliseconds
        return SessionSummary(
            id, session.head, known?.summary() ?? .asleep,
            used: max(noted, session.head?.time ?? .min, known?.lastUse ?? .min),
            held: held)
    }

    /// Returns live sessions of a user, in the order of their ids.
    ///
    /// - Parameters:
    ///   - subject: The user for whom the sessions were opened.
    ///   - id: The last id before the page; `nil` for the first page.
    ///   - limit: The largest number of sessions.
    /// - Throws: `SessionError` if the journal cannot be read.
    package func sessions(
        of subject: String, after id: SessionID? = nil, limit: Int
    ) async throws(SessionError) -> [SessionSummary] {
        let query = SessionQuery(for: subject, after: id.map { .init(key: $0.journalKey) }, limit: limit)
        let found = try await settings.ask(await settings.journal.sessions(matching: query))
        return found.map { SessionSummary(SessionID($0.key), $0.head, .asleep, used: $0.head?.time ?? 0) }
    }
}

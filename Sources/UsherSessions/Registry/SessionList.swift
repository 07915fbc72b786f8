import Usher
package import UsherJournal

/// A page of an operator's list.
package struct SessionPage: Sendable {
    /// The number of sessions that there are, as far as that is cheap to tell.
    package enum Total: Sendable {
        /// Of all live ones: of those that are asked for there are too many to count them.
        case all(Int)
        /// Of those that are asked for.
        case matching(Int)
    }

    /// The sessions.
    package let sessions: [SessionSummary]
    /// The place behind which the next page begins; nil for the last.
    package let next: SessionQuery.Cursor?
}

/// The lists of live sessions, found by the journal's indexes: the operator's, with what this server's memory has of them, and a
/// backend's of a user's.
package struct SessionList {
    private let settings: SessionSettings
    private let store: SessionStore
    private let registry: SessionRegistry

    /// Lists the sessions of a registry.
    package init(of registry: SessionRegistry) {
        settings = registry.settings
        store = registry.store
        self.registry = registry
    }

    /// Live sessions, as many as fill a page.
    ///
    /// The journal cannot find those that are in memory here, or are not: an answer looks at so many, and may have fewer than a
    /// page, or none, with others behind them.
    ///
    /// - Parameters:
    ///   - query: The question for those of the page.
    ///   - isAwake: True for those that are in memory here, false for the others; nil for both.
    /// - Throws: `SessionError` when the journal cannot be read.
    package func sessions(
        matching query: SessionQuery, awake isAwake: Bool? = nil
    ) async throws(SessionError) -> SessionPage {
        var (question, sessions, looked) = (query, [SessionSummary](), 0)
        // One more than the page takes tells whether there is another.
        question.limit = isAwake == nil ? query.limit + 1 : max(query.limit + 1, Self.stretch)
        while true {
            let asked = question
            let found = try await settings.ask { journal throws(JournalError) in
                try await journal.sessions(matching: asked)
            }
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

    /// Live sessions that this build must not serve, as far as its servers have found them, in the order of their ids.
    ///
    /// - Parameter query: The question for those of the page, in that order.
    /// - Throws: `SessionError` when the journal cannot be read.
    package func heldSessions(matching query: SessionQuery) async throws(SessionError) -> SessionPage {
        guard let keys = query.keysBehindPlace else { return SessionPage(sessions: [], next: nil) }
        // One more than is looked at tells whether there is another.
        let held = try await settings.ask { _ throws(JournalError) in
            try await settings.held.sessions(in: keys, limit: Self.lookLimit + 1)
        }
        return try await sessions(among: held.map { ($0.0, $0.1?.reason) }, matching: query)
    }

    /// Live sessions in this server's memory that show a screen, in the order of their ids.
    ///
    /// A session that handles an input at this moment is left out.
    ///
    /// - Parameters:
    ///   - screen: The beginning of the visible screen's name.
    ///   - query: The question for those of the page, in that order.
    /// - Throws: `SessionError` when the journal cannot be read.
    package func sessions(
        showing screen: String, matching query: SessionQuery
    ) async throws(SessionError) -> SessionPage {
        guard let keys = query.keysBehindPlace else { return SessionPage(sessions: [], next: nil) }
        // One more than an answer looks at tells whether there is another page.
        let showing = store.keys(in: keys, limit: Self.lookLimit + 1) { session in
            guard case .awake(let awake) = session.summary() else { return false }
            return awake.visible.utf8.starts(with: screen.utf8)
        }
        return try await sessions(among: showing.map { ($0, nil) }, matching: query)
    }

    /// The sessions among some that a question is for, with the reasons for which they are held.
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
            let asked = one
            let found = try await settings.ask { journal throws(JournalError) in
                try await journal.sessions(matching: asked)
            }
            sessions += found.map { summary(of: $0, held: held) }
        }
        return SessionPage(sessions: sessions, next: nil)
    }

    /// The number of sessions that this build must not serve, as far as its servers have found them.
    ///
    /// - Parameter query: The question; unless it is for all of them, the number is that of all live sessions.
    /// - Throws: `SessionError` when the journal cannot be read.
    package func heldTotal(matching query: SessionQuery) async throws(SessionError) -> SessionPage.Total {
        guard query.isForAll else { return .all(registry.sessionCount) }
        try await settings.ask { _ throws(JournalError) in try await settings.held.refresh() }
        return .matching(settings.held.counts.values.reduce(0, +))
    }

    /// The number of sessions that a question is for, where they are few; else that of all, at most a minute old.
    ///
    /// - Parameters:
    ///   - query: The question.
    ///   - isAwake: True for those that are in memory here, false for the others; nil for both.
    /// - Throws: `SessionError` when the journal cannot be read.
    package func total(
        matching query: SessionQuery, awake isAwake: Bool? = nil
    ) async throws(SessionError) -> SessionPage.Total {
        if query.isForAll, isAwake == nil { return .matching(registry.sessionCount) }
        guard isAwake == nil else { return .all(registry.sessionCount) }
        let count = try await settings.ask { journal throws(JournalError) in
            try await journal.count(matching: query, limit: Self.lookLimit + 1)
        }
        return count > Self.lookLimit ? .all(registry.sessionCount) : .matching(count)
    }

    /// Sessions of the journal that are looked at for one answer, beside a page.
    private static let lookLimit = 1_000

    /// Those that are read at once, where some of them are left out.
    private static let stretch = 200

    private func summary(of session: FoundSession) async throws(SessionError) -> SessionSummary {
        let verdict = try await settings.ask { _ throws(JournalError) in
            try await settings.held.verdict(on: SessionID(session.key))
        }
        return summary(of: session, held: verdict?.reason)
    }

    private func summary(of session: FoundSession, held: HoldReason?) -> SessionSummary {
        let id = SessionID(session.key)
        let known = store.find(id)
        // The journal notes a use some time ahead, and the memory has only those of this server.
        let noted = session.touched &- settings.bounds.useCover.milliseconds
        return SessionSummary(
            id, session.head, known?.summary() ?? .asleep,
            used: max(noted, session.head?.time ?? .min, known?.lastUse ?? .min),
            held: held)
    }

    /// Live sessions of a subject, in the order of their ids.
    ///
    /// - Parameters:
    ///   - subject: The user for whom they were opened.
    ///   - id: The last id before the page; nil for the first page.
    ///   - limit: The number of sessions at most.
    /// - Throws: `SessionError` when the journal cannot be read.
    package func sessions(
        of subject: String, after id: SessionID? = nil, limit: Int
    ) async throws(SessionError) -> [SessionSummary] {
        let listings = try await settings.ask { journal throws(JournalError) in
            try await journal.sessions(of: subject, after: id?.journalKey, limit: limit)
        }
        return listings.map { SessionSummary(SessionID($0.key), $0.head, .asleep, used: $0.head?.time ?? 0) }
    }
}

/// A query for sessions: either for live sessions, or for the ended sessions of a user.
package struct SessionQuery: Equatable, Sendable {
    package enum Order: String, CaseIterable, Sendable {
        case id
        /// By the sessions' last recorded use, newest first.
        case used
        /// By the time of the sessions' creation, newest first.
        case created

        /// The column by which databases sort sessions first, before they sort by key; nil to sort only by key.
        package var column: String? {
            switch self {
            case .id: nil
            case .used: "touched"
            case .created: "created"
            }
        }
    }

    /// A place in an order, after which a page starts; the session at this place may no longer exist.
    package struct Cursor: Equatable, Sendable {
        /// The time that determines the order, in milliseconds since 1970; nil in the order of keys.
        package let time: Int64?
        package let key: JournalKey

        package init(time: Int64? = nil, key: JournalKey) {
            self.time = time
            self.key = key
        }
    }

    package var order: Order
    /// The app of the sessions; nil for any app.
    package var app: String?
    /// The user for whom the sessions were opened, used only in the order of keys; nil for any user.
    package var subject: String?
    /// A Boolean value that indicates whether only sessions with leaks match.
    package var hasLeaked: Bool
    /// `true` to match only ended sessions; `false` to match only live sessions.
    ///
    /// Always `false` without a subject, because journals can find ended sessions only by user.
    package var hasEnded: Bool
    /// The range of the sessions' keys, used only in the order of keys; in other orders, the query would read all
    /// sessions.
    package var keys: ClosedRange<JournalKey>
    /// The place after which the page starts; nil for the first page.
    package var place: Cursor?
    package var limit: Int

    /// Creates a query for a page of sessions.
    package init(
        by order: Order = .id, of app: String? = nil, for subject: String? = nil, hasLeaked: Bool = false,
        hasEnded: Bool = false,
        in keys: ClosedRange<JournalKey> = JournalKey.all, after place: Cursor? = nil, limit: Int
    ) {
        self.order = order
        self.app = app
        self.subject = order == .id ? subject : nil
        self.hasLeaked = hasLeaked
        self.hasEnded = hasEnded && self.subject != nil
        self.keys = order == .id ? keys : JournalKey.all
        self.place = place
        self.limit = limit
    }

    /// A Boolean value that indicates whether the query matches all sessions.
    package var isForAll: Bool { app == nil && subject == nil && !hasLeaked && keys == JournalKey.all }

    /// Returns the same query without a place, with another limit.
    package func fromTheFirst(limit: Int) -> SessionQuery {
        var query = self
        query.place = nil
        query.limit = limit
        return query
    }

    /// The range of keys after the query's place, in the order of keys; nil if there are no such keys.
    package var keysBehindPlace: ClosedRange<JournalKey>? {
        guard let place else { return keys }
        guard let next = place.key.next, next <= keys.upperBound else { return nil }
        return max(next, keys.lowerBound)...keys.upperBound
    }

    /// The place after which the page starts, in an order of times; without a place, a position before all sessions.
    package var placeBefore: (time: Int64, key: JournalKey) {
        place.map { ($0.time ?? .max, $0.key) } ?? (.max, JournalKey.all.upperBound)
    }

    /// Selects the query's page from sessions that include all matching sessions, for a journal without indexes.
    package func select(from sessions: some Sequence<FoundSession>) -> [FoundSession] {
        let found = sessions.filter { session in
            hasEnded == (session.head?.ending != nil) && (app.map { $0 == session.head?.app } ?? true)
                && isSubject(of: session)
                && (!hasLeaked || session.head?.leaked ?? 0 > 0) && keys.contains(session.key) && isBehindPlace(session)
        }
        return Array(found.sorted { isBefore($0.place(in: order), $1.place(in: order)) }.prefix(max(0, limit)))
    }

    // Compares bytes, because texts that are canonically equivalent name different users.
    private func isSubject(of session: FoundSession) -> Bool {
        guard let subject else { return true }
        return session.head?.access?.subject?.utf8.elementsEqual(subject.utf8) ?? false
    }

    private func isBehindPlace(_ session: FoundSession) -> Bool {
        place.map { isBefore($0, session.place(in: order)) } ?? true
    }

    private func isBefore(_ one: Cursor, _ other: Cursor) -> Bool {
        order == .id ? one.key < other.key : (one.time ?? 0, one.key) > (other.time ?? 0, other.key)
    }
}

/// A session that matches a query, with the times for the order.
package struct FoundSession: Sendable {
    package let key: JournalKey
    package let head: SessionHeader?
    /// The time when the session was opened, in milliseconds since 1970.
    package let created: Int64
    /// The time of the last recorded use in milliseconds since 1970; the actual last use may be earlier or later.
    package let touched: Int64

    package init(_ listing: SessionListing, created: Int64? = nil, touched: Int64) {
        key = listing.key
        head = listing.head
        self.created = created ?? listing.head?.created ?? 0
        self.touched = touched
    }

    /// Returns the session's place in an order.
    package func place(in order: SessionQuery.Order) -> SessionQuery.Cursor {
        switch order {
        case .id: SessionQuery.Cursor(key: key)
        case .used: SessionQuery.Cursor(time: touched, key: key)
        case .created: SessionQuery.Cursor(time: created, key: key)
        }
    }
}

extension JournalKey {
    package static let all = JournalKey(high: 0, low: 0)...JournalKey(high: .max, low: .max)

    /// The next key; nil for the last key.
    package var next: JournalKey? {
        guard low == .max else { return JournalKey(high: high, low: low + 1) }
        return high == .max ? nil : JournalKey(high: high + 1, low: 0)
    }
}

package struct SessionListing: Sendable {
    package let key: JournalKey
    /// The session's header; nil if its row is damaged.
    package let head: SessionHeader?

    package init(key: JournalKey, head: SessionHeader?) {
        self.key = key
        self.head = head
    }
}

/// A session with due work; such sessions are sorted by the time when the work is due.
package struct DueSession: Comparable, Sendable {
    /// The time when the work is due, in milliseconds since 1970.
    package let time: Int64
    package let key: JournalKey

    package init(time: Int64, key: JournalKey) {
        self.time = time
        self.key = key
    }

    /// Creates an element; nil if the session has ended or its header has no due time.
    package init?(_ header: SessionHeader, _ key: JournalKey) {
        guard header.ending == nil, let time = header.wakeAt else { return nil }
        self.init(time: time, key: key)
    }

    package static func < (one: DueSession, other: DueSession) -> Bool {
        (one.time, one.key) < (other.time, other.key)
    }

    /// Returns a page of sessions with due work, as `Journal.due(by:after:limit:for:)` does.
    package static func page(
        of all: some Sequence<DueSession>, by time: Int64, after place: DueSession?, limit: Int
    ) -> [DueSession] {
        let due = all.filter { due in due.time <= time && place.map { $0 < due } ?? true }
        return Array(due.sorted().prefix(max(0, limit)))
    }
}

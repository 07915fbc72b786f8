/// A question for sessions that have not ended: which of them, in which order, and from which place on.
package struct SessionQuery: Equatable, Sendable {
    /// The order in which sessions come.
    package enum Order: String, CaseIterable, Sendable {
        /// By their keys.
        case id
        /// The last used first, as far as the journal was told: by the time at which a session was touched.
        case used
        /// The newest first.
        case created
    }

    /// A place in an order, behind which a page begins, also where the session there has gone.
    package struct Cursor: Equatable, Sendable {
        /// The time by which the session there is ordered: milliseconds since 1970; nil in the order of keys.
        package let time: Int64?
        /// The session there, or one that was there.
        package let key: JournalKey

        /// Makes a cursor.
        ///
        /// - Parameters:
        ///   - time: The time by which the session there is ordered; nil in the order of keys.
        ///   - key: The session there.
        package init(time: Int64? = nil, key: JournalKey) {
            self.time = time
            self.key = key
        }
    }

    /// The order.
    package var order: Order
    /// The app that the sessions must be of; nil for any.
    package var app: String?
    /// The user for whom they must have been opened, which only the order of keys takes; nil for any.
    package var subject: String?
    /// True where they must have leaked.
    package var hasLeaked: Bool
    /// The range of their keys, which only the order of keys takes: in another all would have to be looked at.
    package var keys: ClosedRange<JournalKey>
    /// The place where the page begins, exclusive; nil for the first page.
    package var place: Cursor?
    /// The number of sessions at most.
    package var limit: Int

    /// Makes a question for a page of sessions.
    ///
    /// - Parameters:
    ///   - order: The order.
    ///   - app: The app that the sessions must be of.
    ///   - subject: The user for whom they must have been opened; not in another order than that of keys.
    ///   - hasLeaked: True where they must have leaked.
    ///   - keys: The range of their keys; all of them, in another order than that of keys.
    ///   - place: The place where the page begins, exclusive.
    ///   - limit: The number of sessions at most.
    package init(
        by order: Order = .id, of app: String? = nil, for subject: String? = nil, hasLeaked: Bool = false,
        in keys: ClosedRange<JournalKey> = JournalKey.all, after place: Cursor? = nil, limit: Int
    ) {
        self.order = order
        self.app = app
        self.subject = order == .id ? subject : nil
        self.hasLeaked = hasLeaked
        self.keys = order == .id ? keys : JournalKey.all
        self.place = place
        self.limit = limit
    }

    /// True where all sessions are asked for.
    package var isForAll: Bool { app == nil && subject == nil && !hasLeaked && keys == JournalKey.all }

    /// The same question for so many sessions from the first on.
    package func fromTheFirst(limit: Int) -> SessionQuery {
        var query = self
        query.place = nil
        query.limit = limit
        return query
    }

    /// The keys that are left behind the place, in the order of keys; nil where there are none.
    package var keysBehindPlace: ClosedRange<JournalKey>? {
        guard let place else { return keys }
        guard let next = place.key.next, next <= keys.upperBound else { return nil }
        return max(next, keys.lowerBound)...keys.upperBound
    }

    /// The place behind which the sessions are, in an order of times: that before the first where none is given.
    package var placeBefore: (time: Int64, key: JournalKey) {
        place.map { ($0.time ?? .max, $0.key) } ?? (.max, JournalKey.all.upperBound)
    }

    /// The sessions that are asked for, of a journal that has no index to find them by.
    ///
    /// - Parameter sessions: All live ones, in any order.
    package func select(from sessions: some Sequence<FoundSession>) -> [FoundSession] {
        let found = sessions.filter { session in
            (app.map { $0 == session.head?.app } ?? true) && isSubject(of: session)
                && (!hasLeaked || session.head?.leaked ?? 0 > 0) && keys.contains(session.key) && isBehindPlace(session)
        }
        return Array(found.sorted { isBefore($0.place(in: order), $1.place(in: order)) }.prefix(max(0, limit)))
    }

    // By their bytes: texts that are canonically equal name different users.
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

/// A session that was asked for, with the times by which the journal orders it.
package struct FoundSession: Sendable {
    /// The session.
    package let key: JournalKey
    /// Its header; nil where its row is damaged.
    package let head: SessionHeader?
    /// The time at which it was opened: milliseconds since 1970.
    package let created: Int64
    /// The time at which it was touched last: milliseconds since 1970; it may have been used later, or not as late.
    package let touched: Int64

    /// Makes one.
    ///
    /// - Parameters:
    ///   - listing: The session and its header.
    ///   - created: The time at which it was opened; the header's unless told.
    ///   - touched: The time at which it was touched last.
    package init(_ listing: SessionListing, created: Int64? = nil, touched: Int64) {
        key = listing.key
        head = listing.head
        self.created = created ?? listing.head?.created ?? 0
        self.touched = touched
    }

    /// Its place in an order.
    package func place(in order: SessionQuery.Order) -> SessionQuery.Cursor {
        switch order {
        case .id: SessionQuery.Cursor(key: key)
        case .used: SessionQuery.Cursor(time: touched, key: key)
        case .created: SessionQuery.Cursor(time: created, key: key)
        }
    }
}

extension JournalKey {
    /// The range of all keys.
    package static let all = JournalKey(high: 0, low: 0)...JournalKey(high: .max, low: .max)

    /// The next key; nil behind the last.
    package var next: JournalKey? {
        guard low == .max else { return JournalKey(high: high, low: low + 1) }
        return high == .max ? nil : JournalKey(high: high + 1, low: 0)
    }
}

/// One session in a journal's list.
package struct SessionListing: Sendable {
    /// The session.
    package let key: JournalKey
    /// Its header; nil where its row is damaged.
    package let head: SessionHeader?

    /// Makes a listing.
    ///
    /// - Parameters:
    ///   - key: The session.
    ///   - head: Its header.
    package init(key: JournalKey, head: SessionHeader?) {
        self.key = key
        self.head = head
    }
}

/// One session in a journal's list of those that have something to do; earlier ones come first.
package struct DueSession: Comparable, Sendable {
    /// When it is due: milliseconds since 1970.
    package let time: Int64
    /// The session.
    package let key: JournalKey

    /// Makes an entry of the list.
    ///
    /// - Parameters:
    ///   - time: When it is due: milliseconds since 1970.
    ///   - key: The session.
    package init(time: Int64, key: JournalKey) {
        self.time = time
        self.key = key
    }

    /// Makes an entry of the list; nil where a session's header names no time by which it is due.
    ///
    /// - Parameters:
    ///   - header: The header.
    ///   - key: The session.
    package init?(_ header: SessionHeader, _ key: JournalKey) {
        guard header.ending == nil, let time = header.wakeAt else { return nil }
        self.init(time: time, key: key)
    }

    /// The order of a journal's list.
    package static func < (one: DueSession, other: DueSession) -> Bool {
        (one.time, one.key) < (other.time, other.key)
    }

    /// A page of the list.
    ///
    /// - Parameters:
    ///   - all: All sessions that have something to do, in any order.
    ///   - time: Milliseconds since 1970: what is due by then.
    ///   - place: The last of the page before; nil for the first page.
    ///   - limit: How many at most.
    package static func page(
        of all: some Sequence<DueSession>, by time: Int64, after place: DueSession?, limit: Int
    ) -> [DueSession] {
        let due = all.filter { due in due.time <= time && place.map { $0 < due } ?? true }
        return Array(due.sorted().prefix(max(0, limit)))
    }
}

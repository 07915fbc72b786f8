import UsherJournal

/// The statements that list sessions, each prepared on first use.
///
/// Each statement scans one index from the start of the page of results. SQLite therefore sorts nothing and does not
/// read the whole table.
final class QueryStatements {
    /// The properties of a query that determine its statement.
    struct Shape: Hashable {
        let order: SessionQuery.Order
        let hasApp: Bool
        let hasSubject: Bool
        let hasLeaked: Bool
        let hasEnded: Bool

        init(_ query: SessionQuery) {
            (order, hasLeaked) = (query.order, query.hasLeaked)
            (hasApp, hasSubject, hasEnded) = (query.app != nil, query.subject != nil, query.hasEnded)
        }
    }

    private let database: Database
    private var lists: [Shape: ListStatement] = [:]
    private var counts: [Shape: Statement] = [:]

    init(_ database: Database) {
        self.database = database
    }

    func list(for query: SessionQuery) throws(SQLiteFailure) -> ListStatement {
        try statement(for: query, in: &lists) { shape throws(SQLiteFailure) in
            try ListStatement(Self.listed(shape), of: "sessions", and: Self.listedColumns, on: database)
        }
    }

    /// Returns the statement that counts the sessions of a query, up to a limit.
    func count(for query: SessionQuery) throws(SQLiteFailure) -> Statement {
        try statement(for: query, in: &counts) { shape throws(SQLiteFailure) in
            try Statement(Self.count(shape), on: database)
        }
    }

    private func statement<Prepared>(
        for query: SessionQuery, in statements: inout [Shape: Prepared],
        _ prepare: (Shape) throws(SQLiteFailure) -> Prepared
    ) throws(SQLiteFailure) -> Prepared {
        let shape = Shape(query)
        if let statement = statements[shape] { return statement }
        let statement = try prepare(shape)
        statements[shape] = statement
        return statement
    }

    static func list(_ shape: Shape) -> String {
        ListStatement.sql(listed(shape), of: "sessions", and: listedColumns)
    }

    private static let listedColumns = ", created, touched"

    private static func listed(_ shape: Shape) -> String {
        "\(source(shape)) ORDER BY \(order(shape)) LIMIT ?3"
    }

    static func count(_ shape: Shape) -> String {
        "SELECT count(*) FROM (SELECT 1 \(source(shape)) LIMIT ?3)"
    }

    /// Returns the statement's parameters: the first and last key (or the time and key of the place before the page),
    /// the limit, the app and the subject.
    static func values(of query: SessionQuery) -> [SQLValue]? {
        let bounds: [SQLValue]
        if query.order == .id {
            guard let keys = query.keysBehindPlace else { return nil }
            bounds = [.key(keys.lowerBound), .key(keys.upperBound)]
        } else {
            let place = query.placeBefore
            bounds = [.integer(place.time), .key(place.key)]
        }
        let texts = [query.app, query.subject].compactMap(\.self)
        return bounds + [.integer(max(0, query.limit))] + texts.map { SQLValue.text($0) }
    }

    private static func source(_ shape: Shape) -> String {
        // The plus sign prevents SQLite from using the index of ended sessions, which is not in the order of keys.
        let live = shape.hasLeaked ? Format.leaked : index(shape) == nil ? "+ended IS NULL" : "ended IS NULL"
        let bounds = shape.order.column.map { "(\($0), session) < (?1, ?2)" } ?? "session BETWEEN ?1 AND ?2"
        let app = shape.hasApp ? "app = ?4 AND " : ""
        guard !shape.hasSubject else {
            // A cross join makes SQLite read the left table first. This is fast, because a user has few sessions.
            let subject = "subject = \(shape.hasApp ? "?5" : "?4")"
            let state = shape.hasEnded ? "+ended IS NOT NULL" : live
            return "FROM subjects CROSS JOIN sessions USING (session) WHERE \(app)\(subject) AND \(bounds) AND \(state)"
        }
        return "FROM sessions \(index(shape).map { "INDEXED BY \($0)" } ?? "") WHERE \(app)\(bounds) AND \(live)"
    }

    private static func order(_ shape: Shape) -> String {
        shape.order.column.map { "\($0) DESC, session DESC" } ?? "session"
    }

    /// Returns the index that is in the required order; nil if the table itself is in this order.
    ///
    /// Few sessions have leaks, so the index of these sessions does not include the app.
    private static func index(_ shape: Shape) -> String? {
        let parts = [shape.hasLeaked ? "leaked" : shape.hasApp ? "app" : nil, shape.order.column].compactMap(\.self)
        return parts.isEmpty ? nil : "sessions_\(parts.joined(separator: "_"))"
    }
}

// Lists.
extension SQLiteStorage {
    func sessions(matching query: SessionQuery) throws(JournalError) -> [FoundSession] {
        guard let values = QueryStatements.values(of: query) else { return [] }
        let statement = try prepared { () throws(SQLiteFailure) in try queries.list(for: query) }
        let found = try listings(statement, values) { row, listing in
            FoundSession(listing, created: row.integer(2), touched: row.integer(3))
        }
        // Checks the subject again, because a damaged index must not show a user's session to another user.
        guard let subject = query.subject.map(ExactText.init) else { return found }
        return found.filter { session in
            session.head.map { $0.access?.subject.map(ExactText.init) == subject } ?? true
        }
    }

    func count(matching query: SessionQuery, limit: Int) throws(JournalError) -> Int {
        guard let values = QueryStatements.values(of: query.fromTheFirst(limit: limit)) else { return 0 }
        let statement = try prepared { () throws(SQLiteFailure) in try queries.count(for: query) }
        return try statement.all(values) { Int($0.integer(0)) }.first ?? 0
    }

    private func prepared<Prepared>(
        _ statement: () throws(SQLiteFailure) -> Prepared
    ) throws(JournalError) -> Prepared {
        do throws(SQLiteFailure) { return try statement() } catch { throw error.journalError(database.path) }
    }
}

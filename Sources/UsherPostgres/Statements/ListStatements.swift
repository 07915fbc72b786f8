import UsherJournal

/// The statements that list and count sessions; each scans one index from the start of the page, and sorts no rows.
struct ListStatements {
    let list: String
    /// The statement that counts the sessions of a query, but at most up to a limit.
    let count: String

    init(_ query: SessionQuery) {
        let column = query.order.column
        let order = column.map { "\($0) DESC, session DESC" } ?? "session"
        let source = Self.source(query, column)
        list = """
            SELECT session, head, revision, answers, access, leaked, created, touched \(source)
            ORDER BY \(order) LIMIT $3::int8
            """
        count = "SELECT count(*) FROM (SELECT \(source) ORDER BY \(order) LIMIT $3::int8) f"
    }

    /// Returns the conditions, including the conditions that make the database choose a partial index.
    private static func source(_ query: SessionQuery, _ column: String?) -> String {
        var conditions = [query.hasEnded ? "ended IS NOT NULL" : "ended IS NULL"]
        if let column {
            conditions.append("(\(column), session) < ($1::int8, $2::uuid)")
        } else {
            conditions.append("session BETWEEN $1::uuid AND $2::uuid")
        }
        if query.hasLeaked { conditions.append("leaked IS NOT NULL") }
        if query.app != nil { conditions.append("app = $4::bytea") }
        // Repeats the condition of the partial index, so that the database chooses this index.
        if query.subject != nil {
            conditions += ["subject = \(query.app == nil ? "$4" : "$5")::bytea", "subject IS NOT NULL"]
        }
        return "FROM usher.sessions WHERE \(conditions.joined(separator: " AND "))"
    }

    /// Returns the parameters: first the first and last key, or the time and key of the previous session; then the
    /// limit, the app and the subject.
    static func parameters(of query: SessionQuery) -> [Parameter] {
        let bounds: [Parameter]
        if query.order == .id {
            // If no session can follow the place, the range is empty, because its first key is greater than its last
            // key.
            let (all, keys) = (JournalKey.all, query.keysBehindPlace)
            bounds = [.key(keys?.lowerBound ?? all.upperBound), .key(keys?.upperBound ?? all.lowerBound)]
        } else {
            let place = query.placeBefore
            bounds = [.integer(place.time), .key(place.key)]
        }
        let texts = [query.app, query.subject].compactMap(\.self)
        return bounds + [.integer(max(0, query.limit))] + texts.map { .text($0) }
    }
}

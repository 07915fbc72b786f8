import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("Query plans with 100,000 sessions")
struct QueryPlanTests {
    private static let count = 100_000

    /// Creates a journal's file with many sessions of ten apps, each with a header and no entries, by SQL statements.
    private static func filled(_ path: String) throws -> Database {
        let database = try Database.journal(at: path, for: .serving, pageSize: 4096)
        try database.execute(
            """
            BEGIN;
            INSERT INTO sessions WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                SELECT randomblob(16), i * 7919 % \(count), iif(i % 3 = 0, i, NULL), NULL, 'app' || (i % 10), i,
                    iif(i % 1000 = 1, 1, NULL) FROM n;
            INSERT INTO rows SELECT session, 0, x'00' FROM sessions;
            INSERT INTO subjects SELECT 'user' || (created / 10), session FROM sessions;
            COMMIT; ANALYZE
            """)
        return database
    }

    private static let queries: [SessionQuery] =
        SessionQuery.Order.allCases.flatMap { order in
            [nil, "app1"].flatMap { app in
                [false, true].map { SessionQuery(by: order, of: app, hasLeaked: $0, limit: 100) }
            }
        }
        + [nil, "app1"].flatMap { app in
            [false, true].map { SessionQuery(of: app, for: "user1", hasEnded: $0, limit: 100) }
        }

    private static func plan(_ sql: String, on database: Database) throws -> [String] {
        let statement = try Statement("EXPLAIN QUERY PLAN " + sql, on: database)
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(3)) }
        return lines
    }

    @Test func `the query plan of each statement uses one index`() throws {
        let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        let storage = try SQLiteStorage(try Self.filled(folder("journal.db")))
        defer { storage.close() }
        for query in Self.queries {
            let shape = QueryStatements.Shape(query)
            for sql in [QueryStatements.list(shape), QueryStatements.count(shape)] {
                let lines = try Self.plan(sql, on: storage.database)
                #expect(lines.contains { $0.hasPrefix("SEARCH sessions") }, "\(sql): \(lines)")
                #expect(
                    !lines.contains { $0.hasPrefix("SCAN sessions") || $0.contains("TEMP B-TREE") },
                    "\(sql): \(lines)")
            }
            let all = try storage.count(matching: query, limit: Self.count)
            let wanted =
                switch (query.subject != nil, query.app != nil, query.hasLeaked) {
                case (false, false, false): 66_667
                case (false, true, false): 6_667
                // All sessions with leaks belong to one app.
                case (false, _, true): 67
                // Of ten sessions, each with another app, three have ended.
                case (true, false, _): query.hasEnded ? 3 : 7
                case (true, true, _): query.hasEnded ? 0 : 1
                }
            #expect(all == wanted)
            var (found, rest) = (0, query)
            for _ in 0..<4 {
                let page = try storage.sessions(matching: rest)
                found += page.count
                guard let last = page.last else { break }
                rest.place = last.place(in: query.order)
            }
            #expect(found == min(400, wanted))
        }
    }
}

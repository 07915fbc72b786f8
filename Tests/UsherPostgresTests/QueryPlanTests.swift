import LocalhostClient
import PostgresCluster
import Testing
import UsherJournal

@testable import UsherPostgres

@Suite("Query plans with 100,000 sessions in PostgreSQL", .blocking)
struct QueryPlanTests {
    private static let queries: [SessionQuery] =
        SessionQuery.Order.allCases.flatMap { order in
            [nil, "app1"].flatMap { app in
                [false, true].map { SessionQuery(by: order, of: app, hasLeaked: $0, limit: 100) }
            }
        }
        + [nil, "app1"].flatMap { app in
            [false, true].map { SessionQuery(of: app, for: "user1", hasEnded: $0, limit: 100) }
        }

    /// Returns the plan of a statement as a server runs it, with the values of a page in the middle.
    private static func explanation(of statement: String, _ query: SessionQuery) -> String {
        let key = "'80000000-0000-0000-0000-000000000000'"
        let bounds = query.order == .id ? "\(key), 'ffffffff-ffff-ffff-ffff-ffffffffffff'" : "50000, \(key)"
        let texts = [query.app, query.subject].compactMap { $0.map { ", '\($0)'" } }.joined()
        return """
            PREPARE explained AS \(statement);
            EXPLAIN (COSTS OFF) EXECUTE explained(\(bounds), 100\(texts));
            """
    }

    @Test func `the query plan of each statement uses one index`() throws {
        let cluster = try PostgresCluster.shared
        let name = try cluster.makeDatabase()
        try Migration.run(on: PostgresLocation(cluster.uri(of: name, as: "usher_owner")))
        // Statistics of all rows instead of a random sample, which now and then led to another plan.
        try cluster.run(
            """
            INSERT INTO usher.sessions
                SELECT gen_random_uuid(), 1, 1, 0, '\\x00', (i * 7919) % 100000, CASE WHEN i % 3 = 0 THEN i END, NULL,
                    convert_to('user' || i / 10, 'UTF8'),
                    convert_to('app' || i % 10, 'UTF8'), i, CASE WHEN i % 20 = 1 THEN 1 END
                FROM generate_series(1, 100000) AS i;
            SET default_statistics_target = 10000;
            ANALYZE usher.sessions;
            """, on: name)
        for query in Self.queries {
            let statements = ListStatements(query)
            for statement in [statements.list, statements.count] {
                let plan = try cluster.run(
                    "SET plan_cache_mode = force_generic_plan; " + Self.explanation(of: statement, query), on: name)
                #expect(plan.contains("Index Scan") || plan.contains("Index Only Scan"), "\(statement): \(plan)")
                #expect(!plan.contains("Seq Scan") && !plan.contains("Sort"), "\(statement): \(plan)")
                #expect(!plan.contains("Bitmap"), "\(statement): \(plan)")
            }
        }
    }
}

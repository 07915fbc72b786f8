import LocalhostClient
import Testing
import UsherJournal

@testable import UsherPostgres

@Suite("Residue of many ended sessions in PostgreSQL", .blocking)
struct ResidueTests {
    @Test func `the amount of residue of many ended sessions is estimated from a sample`() async throws {
        let database = try JournalDatabase()
        let journal = try database.open("first")
        try database.run(
            """
            INSERT INTO usher.sessions SELECT gen_random_uuid(), 1, 0, 0, decode(repeat('00', 168), 'hex'), 0, 5,
                NULL, NULL, 'a', 0 FROM generate_series(1, 60000)
            """)
        let residue = try await journal.residue()
        #expect((9_000_000...15_000_000).contains(residue), "\(residue)")
        let plan = try database.run("EXPLAIN (COSTS OFF) " + ReadingStatements.residue)
        #expect(plan.contains("Sample Scan on sessions"))
    }
}

import JournalSubject
import LocalhostClient
import Testing
import UsherJournal
import UsherPostgres

@Suite("Notifications between servers", .blocking)
struct BellTests {
    /// A listener whose notifications a test waits for.
    private final class Ear: JournalListener {
        private let rings: AsyncStream<[JournalRing]>
        private let continuation: AsyncStream<[JournalRing]>.Continuation

        init() { (rings, continuation) = AsyncStream.makeStream() }

        func hear(_ rings: [JournalRing]) { continuation.yield(rings) }

        /// Waits for a notification of a session at a revision.
        func wait(for ring: JournalRing) async -> Bool {
            for await rings in rings where rings.contains(ring) { return true }
            return false
        }

        /// Waits for the notification that others may have been lost.
        func waitForLoss() async {
            for await rings in rings where rings.isEmpty { return }
        }
    }

    private let database: JournalDatabase

    init() throws { database = try JournalDatabase() }

    @Test(.timeLimit(.minutes(5)))
    func `a server is notified of the changes that another server wrote, but not of its own changes`() async throws {
        let first = try database.open("first")
        let second = try database.open("second")
        let (own, other) = (Ear(), Ear())
        first.peers?.add(own)
        second.peers?.add(other)
        var author = Author(1)
        var foreign = Author(2)
        await first.keep(author.create())
        await second.keep(foreign.create())
        // A server that has just started may not listen yet.
        var isHeard = false
        while !isHeard {
            await first.keep(author.append())
            let ring = JournalRing(author.key, at: author.head.revision)
            isHeard = await withTaskGroup(of: Bool.self) { group in
                group.addTask { await other.wait(for: ring) }
                group.addTask {
                    try? await Task.sleep(for: .seconds(1))
                    return false
                }
                defer { group.cancelAll() }
                return await group.next() ?? false
            }
        }
        await second.keep(foreign.append())
        #expect(await own.wait(for: JournalRing(foreign.key, at: 2)))
    }

    @Test(.timeLimit(.minutes(5)))
    func `a server whose listening connection was cut is notified that it may have missed changes`() async throws {
        let journal = try database.open("first")
        let ear = Ear()
        journal.peers?.add(ear)
        try database.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"
        )
        await ear.waitForLoss()
    }
}

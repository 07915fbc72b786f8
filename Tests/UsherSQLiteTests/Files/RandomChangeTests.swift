import JournalSubject
import Programs
import SeededRandom
import Testing
import UsherJournal

@testable import UsherSQLite

/// Tests that a journal on disk always has the content of a journal in memory, even after a close or a crash.
@Suite("Journals on disk and in memory")
struct RandomChangeTests {
    @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6, 7, 8], [Durability.sync, .relaxed])
    func `a journal on disk and a journal in memory have the same records after the same random changes`(
        seed: UInt64, durability: Durability
    ) async throws {
        let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        var random = SplitMix64(seed: seed &* 0x9E37_79B9_7F4A_7C15)
        var walk = RandomWalk(seed)
        var name = "journal0.db"
        var journal = try Subject(opening: name, in: folder, durability, Self.settings(seed))
        for round in 1...12 {
            for _ in 0..<Int(random.next() % 60) { await walk.step(journal, &random) }
            try await walk.compare(journal, "seed \(seed), round \(round)")
            guard random.next() % 2 == 0 else { continue }
            let next = "journal\(round).db"
            if random.next() % 2 == 0 { try folder.crash(name, to: next) }
            await journal.close()
            if folder.bytes(of: next).isEmpty { try folder.write(folder.bytes(of: name), to: next) }
            name = next
            journal = try Subject(opening: name, in: folder, durability, Self.settings(seed))
            try await walk.compare(journal, "seed \(seed), reopened after round \(round)")
        }
        await journal.close()
    }

    /// Returns settings with segments that are always full, with or without flushes while the thread is idle.
    private static func settings(_ seed: UInt64) -> SQLiteSettings {
        var settings = SQLiteSettings()
        settings.buffer.entries = Int(3 + seed * 5)
        settings.flushPatience = seed.isMultiple(of: 2) ? 0 : .max / 2
        return settings
    }
}

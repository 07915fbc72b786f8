import JournalSubject
import Programs
import RecordedDisk
import Testing
import UsherJournal
import UsherMetrics

@testable import UsherSQLite

/// Tests of commits that fail when they are synchronized, after SQLite has written their frames to the log.
@Suite("A commit that was refused")
struct RefusedCommitTests {
    private let folder: TemporaryFolder
    private let disk = RecordedDisk()
    private let journal: Subject

    init() throws {
        folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        var settings = SQLiteSettings()
        settings.fileSystem = disk.name
        journal = try Subject(in: folder, .sync, settings)
    }

    @Test(arguments: [1, 3])
    func `a refused commit does not reappear after a crash`(others: Int) async throws {
        var (kept, lost) = (Author(1), Author(2))
        await journal.keep(kept.create())
        for _ in 1..<others { await journal.keep(kept.append()) }
        disk.fail(.sync, of: "-wal", with: RecordedDisk.syncError)
        await journal.keep(lost.create())
        #expect(lost.tail.failure.map(isUnavailable) == true)
        try folder.crash("journal.db", to: "left.db")
        let left = try Subject(opening: "left.db", in: folder)
        #expect(try await left.record(of: lost.key) == nil)
        #expect(try await left.record(of: kept.key)?.entries.count == others)
        await left.close()
        // No restart is needed.
        await journal.keep(kept.append())
        #expect(!kept.tail.isBroken)
        await journal.close()
    }

    @Test
    func `if a refused commit cannot be removed from the log, its outcome is unknown and later commits are blocked`()
        async throws
    {
        var (kept, doubtful, refused) = (Author(1), Author(2), Author(3))
        await journal.keep(kept.create())
        disk.fail(.sync, of: "-wal", with: RecordedDisk.syncError, times: .max)
        await journal.keep(doubtful.create())
        guard case .outcomeUnknown = doubtful.tail.failure else {
            Issue.record("\(String(describing: doubtful.tail.failure))")
            return
        }
        await journal.keep(refused.create())
        #expect(refused.tail.failure.map(isUnavailable) == true)
        // Known data is still read, even from the broken disk.
        #expect(try await journal.record(of: kept.key)?.entries.count == 1)
        #expect(try await journal.record(of: doubtful.key) == nil)
        disk.mend()
        var next = Author(4)
        await journal.keep(next.create())
        #expect(!next.tail.isBroken)
        try folder.crash("journal.db", to: "left.db")
        let left = try Subject(opening: "left.db", in: folder)
        for (author, isThere) in [(kept, true), (doubtful, false), (refused, false), (next, true)] {
            #expect((try await left.record(of: author.key) != nil) == isThere)
        }
        await left.close()
        await journal.close()
    }

    @Test func `a refused commit leaves nothing in the log that looks like damage, even after several refusals`()
        async throws
    {
        var kept = Author(1)
        await journal.keep(kept.create())
        // Begin with the longer one, so that its frames follow those of the next one, without a checkpoint in between.
        for size in [60_000, 20_000, 9_000, 100] {
            var refused = kept.forked()
            disk.fail(.sync, of: "-wal", with: RecordedDisk.syncError, times: 2)
            await journal.keep(refused.append("\"\(String(repeating: "x", count: size))\""))
            #expect(refused.tail.failure.map(isUnavailable) == true)
        }
        await journal.keep(kept.append())
        try folder.crash("journal.db", to: "left.db")
        let left = try Subject(opening: "left.db", in: folder)
        #expect(try await left.record(of: kept.key)?.entries.count == 2)
        await left.close()
        await journal.close()
    }

    @Test func `refused commits and commits with an unknown outcome are counted`() async throws {
        var authors = (UInt64(1)...3).map { Author($0) }
        await journal.keep(authors[0].create())
        disk.fail(.sync, of: "-wal", with: RecordedDisk.syncError)
        await journal.keep(authors[1].create())
        disk.fail(.sync, of: "-wal", with: RecordedDisk.syncError, times: .max)
        await journal.keep(authors[2].create())
        let metrics = try #require(journal.journal.metrics)
        #expect(metrics.failures.value == 2)
        #expect(metrics.unknownOutcomes.value == 1)
        disk.mend()
        await journal.close()
    }

    private func isUnavailable(_ error: JournalError) -> Bool {
        if case .unavailable = error { true } else { false }
    }
}

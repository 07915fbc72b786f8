import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("A full or read-only disk", .enabled(if: SmallDisk.canBeMounted))
struct FullDiskTests {
    @Test
    func `while the disk is full, only changes that do not fit are refused; as soon as there is room, changes succeed`()
        async throws
    {
        let disk = try SmallDisk("size=300k")
        let journal = try Subject(in: disk.folder)
        var kept = Author(1)
        await journal.keep(kept.create())
        let lost = await fill(journal)
        #expect(lost.tail.failure.map(isUnavailable) == true)
        #expect(lost.tail.failure?.description.contains("is full") == true)
        await #expect(throws: JournalError.self) { while true { try await journal.add(.of(kept.key)) } }
        let guilty = try await journal.guiltyInputs()
        // Stored data can be read even if the disk is full.
        #expect(try await journal.record(of: lost.key)?.entries.count ?? 0 < lost.head.revision)
        #expect(try await journal.record(of: kept.key)?.entries.count == 1)
        #expect(disk.remount("size=4m"))
        await journal.keep(kept.append())
        #expect(!kept.tail.isBroken)
        let before = try await journal.record(of: lost.key)
        await journal.close()
        let again = try Subject(in: disk.folder)
        #expect(try await again.record(of: lost.key) == before)
        #expect(try await again.guiltyInputs() == guilty)
        #expect(try await again.record(of: kept.key)?.entries.count == 2)
        await again.close()
    }

    @Test func `each change that is acknowledged while the disk is full survives a crash`() async throws {
        let disk = try SmallDisk("size=300k")
        let elsewhere = try TemporaryFolder()
        let journal = try Subject(in: disk.folder)
        let lost = await fill(journal)
        let acknowledged = try await journal.record(of: lost.key)
        try elsewhere.write(disk.folder.bytes(of: "journal.db"), to: "left.db")
        try elsewhere.write(disk.folder.bytes(of: "journal.db-wal"), to: "left.db-wal")
        let left = try Subject(opening: "left.db", in: elsewhere)
        #expect(acknowledged != nil)
        #expect(try await left.record(of: lost.key) == acknowledged)
        await left.close()
        await journal.close()
    }

    @Test func `with relaxed durability, the epoch changes when a commit is lost`() async throws {
        let disk = try SmallDisk("size=300k")
        let journal = try Subject(in: disk.folder, .relaxed, now: { 36 })
        #expect(journal.journal.epoch == "10")
        _ = await fill(journal)
        #expect(journal.journal.epoch == "10-1")
        await journal.close()
    }

    @Test func `opening a journal on a read-only file system fails with the error that the journal is read-only`()
        async throws
    {
        let disk = try SmallDisk("size=300k")
        await (try Subject(in: disk.folder)).close()
        #expect(disk.remount("ro"))
        #expect(refusal(in: disk.folder) == .readOnly(path: disk.folder("journal.db")))
        #expect(refusal("other.db", in: disk.folder) == .readOnly(path: disk.folder("other.db")))
    }

    /// Appends entries to a session until an append fails.
    private func fill(_ journal: Subject) async -> Author {
        var author = Author(7)
        await journal.keep(author.create())
        let payload = "\"\(String(repeating: "x", count: 5_000))\""
        for _ in 0..<1_000 where !author.tail.isBroken { await journal.keep(author.append(payload)) }
        return author
    }

    private func isUnavailable(_ error: JournalError) -> Bool {
        guard case .unavailable = error else { return false }
        return true
    }
}

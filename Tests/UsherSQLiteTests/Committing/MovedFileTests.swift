import JournalSubject
import Programs
import Testing
import UsherJournal
import UsherSQLite

@Suite("A journal whose file was moved")
struct MovedFileTests {
    @Test(arguments: [Durability.sync, .relaxed])
    func `a change is refused after the journal's file was deleted`(durability: Durability) async throws {
        let folder = try TemporaryFolder()
        let journal = try Subject(in: folder, durability)
        var author = Author(1)
        await journal.keep(author.create())
        folder.remove("journal.db")
        await journal.keep(author.append())
        #expect(
            author.tail.failure
                == .unavailable(
                    "the journal \(folder("journal.db")) was moved or deleted; put it back, and the server continues"))
        #expect(try await journal.record(of: author.key)?.entries.count == 1)
        await journal.close()
    }

    @Test(arguments: [nil, Array("another".utf8)] as [[UInt8]?])
    func `a journal whose write-ahead log was deleted or replaced refuses changes and loses no earlier change`(
        other: [UInt8]?
    ) async throws {
        let folder = try TemporaryFolder()
        let journal = try Subject(in: folder)
        var (kept, lost) = (Author(1), Author(2))
        await journal.keep(kept.create())
        folder.remove("journal.db-wal")
        if let other { try folder.write(other, to: "journal.db-wal") }
        await journal.keep(lost.create())
        #expect(
            lost.tail.failure
                == .unavailable(
                    """
                    the write-ahead log \(folder("journal.db"))-wal was moved, deleted or replaced; put it back, or restart \
                    the server
                    """))
        #expect(try await journal.record(of: kept.key)?.entries.count == 1)
        // Acknowledged changes are now in the file, even if the process ends.
        try folder.write(folder.bytes(of: "journal.db"), to: "left.db")
        let left = try Subject(opening: "left.db", in: folder)
        #expect(try await left.record(of: kept.key)?.entries.count == 1)
        await left.close()
        await journal.close()
        let again = try Subject(in: folder)
        #expect(try await again.record(of: kept.key)?.entries.count == 1)
        #expect(try await again.record(of: lost.key) == nil)
        await again.close()
    }

    @Test(arguments: [true, false])
    func `the log of a journal that was opened through a symbolic link is beside the real file`(
        isThere: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        if isThere { await (try Subject(opening: "real.db", in: folder)).close() }
        #expect(run("ln", "-s", "real.db", folder("journal.db")))
        let journal = try Subject(in: folder)
        var (kept, lost) = (Author(1), Author(2))
        await journal.keep(kept.create())
        #expect(!kept.tail.isBroken)
        #expect(run("mv", folder("real.db-wal"), folder("elsewhere")))
        await journal.keep(lost.create())
        #expect(lost.tail.isBroken)
        #expect(run("mv", folder("elsewhere"), folder("real.db-wal")))
        await journal.keep(kept.append())
        #expect(!kept.tail.isBroken)
        await journal.close()
    }

    @Test func `a journal continues after its write-ahead log was put back`() async throws {
        let folder = try TemporaryFolder()
        let journal = try Subject(in: folder)
        var (kept, lost) = (Author(1), Author(2))
        await journal.keep(kept.create())
        #expect(run("mv", folder("journal.db-wal"), folder("elsewhere")))
        await journal.keep(lost.create())
        #expect(lost.tail.isBroken)
        #expect(run("mv", folder("elsewhere"), folder("journal.db-wal")))
        await journal.keep(kept.append())
        #expect(!kept.tail.isBroken)
        await journal.close()
    }

    @Test func `a journal continues with its content after its file was put back`() async throws {
        let folder = try TemporaryFolder()
        let journal = try Subject(in: folder)
        var (kept, lost) = (Author(1), Author(2))
        await journal.keep(kept.create())
        #expect(run("mv", folder("journal.db"), folder("elsewhere")))
        await journal.keep(lost.create())
        #expect(lost.tail.isBroken)
        #expect(run("mv", folder("elsewhere"), folder("journal.db")))
        await journal.keep(kept.append())
        #expect(!kept.tail.isBroken)
        await journal.close()
        let again = try Subject(in: folder)
        #expect(try await again.record(of: kept.key)?.entries.count == 2)
        #expect(try await again.record(of: lost.key) == nil)
        await again.close()
    }
}

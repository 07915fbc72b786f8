import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("Inspection of a journal")
struct InspectingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `inspecting a journal whose file is missing does not create the file`() throws {
        #expect(refusal(in: folder, for: .inspecting) == .missing(path: folder("journal.db")))
        #expect(try folder.names.isEmpty)
    }

    @Test func `an empty file is refused and not changed`() throws {
        try folder.write([], to: "journal.db")
        #expect(refusal(in: folder, for: .inspecting) == .notAJournal(path: folder("journal.db")))
        #expect(folder.bytes(of: "journal.db").isEmpty)
    }

    @Test(.enabled(if: SmallDisk.canBeMounted), arguments: [true, false])
    func `a journal on a read-only disk can be inspected, with and without a log`(isCrashed: Bool)
        async throws
    {
        let disk = try SmallDisk("size=4m")
        var author = Author(1)
        let journal = try Subject(in: disk.folder)
        await journal.keep(author.create(), author.append())
        if isCrashed { try disk.folder.crash("journal.db", to: "left ?#%.db") }
        await journal.close()
        if !isCrashed { try disk.folder.write(disk.folder.bytes(of: "journal.db"), to: "left ?#%.db") }
        let names = try disk.folder.names
        #expect(disk.remount("ro"))
        let inspected = try Subject(opening: "left ?#%.db", in: disk.folder, for: .inspecting)
        #expect(try await inspected.record(of: author.key)?.entries.count == 2)
        #expect(try await inspected.count() == 1)
        await inspected.keep(author.end())
        #expect(author.tail.failure == JournalError.readOnly)
        await inspected.close()
        #expect(try disk.folder.names == names)
    }

    @Test(.enabled(if: SmallDisk.canBeMounted))
    func `on a read-only disk, a file of another program is refused, and a missing file is reported`() throws {
        let disk = try SmallDisk("size=4m")
        #expect(run("sqlite3", disk.folder("other.db"), "CREATE TABLE notes(id)"))
        #expect(disk.remount("ro"))
        #expect(refusal("other.db", in: disk.folder, for: .inspecting) == .notAJournal(path: disk.folder("other.db")))
        #expect(refusal("none.db", in: disk.folder, for: .inspecting) == .missing(path: disk.folder("none.db")))
    }

    @Test func `while several processes inspect a file at once, no server can open the file`() async throws {
        var author = Author(1)
        let journal = try Subject(in: folder)
        await journal.keep(author.create(), author.append())
        await journal.close()
        let first = try Subject(opening: "journal.db", in: folder, for: .inspecting)
        let second = try Subject(opening: "journal.db", in: folder, for: .inspecting)
        #expect(try await first.record(of: author.key)?.entries.count == 2)
        #expect(try await second.record(of: author.key)?.entries.count == 2)
        #expect(refusal(in: folder) == .inUse(path: folder("journal.db")))
        await first.close()
        #expect(refusal(in: folder) == .inUse(path: folder("journal.db")))
        await second.close()
        #expect(refusal(in: folder) == nil)
    }

    @Test func `after a crash, inspecting a journal does not change the journal`() async throws {
        var author = Author(1)
        let journal = try Subject(in: folder)
        await journal.keep(author.create(), author.append())
        try folder.crash("journal.db", to: "left.db")
        let left = (folder.bytes(of: "left.db"), folder.bytes(of: "left.db-wal"))
        #expect(!left.1.isEmpty)
        let inspected = try Subject(opening: "left.db", in: folder, for: .inspecting)
        #expect(try await inspected.record(of: author.key)?.entries.count == 2)
        await inspected.keep(author.end())
        #expect(author.tail.failure == JournalError.readOnly)
        await #expect(throws: JournalError.readOnly) { _ = try await inspected.purge(endedBefore: 9, limit: 1) }
        await inspected.close()
        #expect(folder.bytes(of: "left.db") == left.0)
        #expect(folder.bytes(of: "left.db-wal") == left.1)
        await journal.close()
    }
}

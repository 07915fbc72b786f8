import Foundation
import JournalSubject
import Programs
import Synchronization
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("Backups of a journal")
struct BackupTests {
    private let folder: TemporaryFolder
    private let time: Int64 = 1_795_181_309_042

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a backup is a journal that only its owner can read, with the time in the file name`()
        async throws
    {
        let journal = try Subject(in: folder, .sync, now: { [time] in time })
        var author = Author(1)
        await journal.keep(author.create(), author.append(answerUnder: "k"))
        let backup = try await journal.backUp()
        #expect(backup.path == folder("backups/journal-20261120T132829.042Z.db"))
        #expect(backup.size == folder.bytes(of: "backups/journal-20261120T132829.042Z.db").count)
        #expect(try folder.attributes(of: "backups")[.posixPermissions] as? Int == 0o700)
        let file = try folder.attributes(of: "backups/journal-20261120T132829.042Z.db")
        #expect(file[.posixPermissions] as? Int == 0o600)
        #expect(try names == ["journal-20261120T132829.042Z.db"])
        let copy = try Subject(opening: "backups/journal-20261120T132829.042Z.db", in: folder)
        #expect(try await copy.record(of: author.key) == journal.record(of: author.key))
        await copy.keep(author.append())
        #expect(!author.tail.isBroken)
        await copy.close()
        await journal.close()
    }

    @Test func `changes that are committed during a backup are not delayed and are part of the backup`() throws {
        let storage = try SQLiteStorage(in: folder, "journal.db")
        let payload = "\"\(String(repeating: "x", count: 200_000))\""
        var authors = (UInt64(1)...10).map { Author($0) }
        for index in authors.indices { try storage.commit(authors[index].create(), authors[index].append(payload)) }
        let backup = try RunningBackup(of: storage.database, to: folder("copy.db")) { _ in }
        var steps = 0
        while !backup.step() {
            try storage.commit(authors[steps % 10].append("\"late\""))
            steps += 1
        }
        #expect(steps > 3)
        let copy = try SQLiteStorage(in: folder, "copy.db")
        for author in authors {
            let copied = RecordContent(try copy.record(of: author.key))
            #expect(copied?.head == author.head)
            #expect(copied == RecordContent(try storage.record(of: author.key)))
        }
    }

    @Test func `only one backup runs at a time, and each backup has a new name`() async throws {
        let journal = try Subject(in: folder, .sync, now: { 0 })
        _ = try await journal.backUp()
        await #expect(throws: JournalError.self) { _ = try await journal.backUp() }
        #expect(try names == ["journal-19700101T000000.000Z.db"])
        await journal.close()
    }

    @Test func `a failed backup is reported, and the journal continues`() async throws {
        try folder.write([], to: "backups")
        let journal = try Subject(in: folder, .sync, now: { 0 })
        await #expect(throws: JournalError.self) { _ = try await journal.backUp() }
        var author = Author(1)
        await journal.keep(author.create())
        #expect(!author.tail.isBroken)
        await journal.close()
    }

    @Test(arguments: [
        ("usher", "./backups/usher-19700101T000000.000Z"), ("/a/b.c/j", "/a/b.c/backups/j-19700101T000000.000Z"),
        ("a/.hidden", "a/backups/.hidden-19700101T000000.000Z"), ("/j.x.db", "//backups/j.x-19700101T000000.000Z.db"),
    ])
    func `the name of a backup begins with the name of its journal`(path: String, backup: String) {
        #expect(BackupName.path(of: path, at: 0) == backup)
    }

    @Test func `closing the journal stops a running backup and deletes the incomplete copy`() throws {
        let storage = try SQLiteStorage(in: folder, "journal.db")
        var author = Author(1)
        try storage.commit(author.create(), author.append(String(repeating: "x", count: 1_000_000)))
        let result = Mutex<Result<Backup, JournalError>?>(nil)
        let backup = try RunningBackup(of: storage.database, to: folder("copies/copy.db")) { end in
            result.withLock { $0 = end }
        }
        #expect(!backup.step())
        backup.giveUp(JournalError.closed)
        #expect(result.withLock { $0 } == .failure(JournalError.closed))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("copies")).isEmpty)
    }

    @Test(arguments: [Purpose.serving, .inspecting])
    func `a backup that replaces the journal is refused if the old write-ahead log is still there`(
        purpose: Purpose
    ) async throws {
        let journal = try Subject(in: folder, .sync, now: { 0 })
        var author = Author(1)
        await journal.keep(author.create())
        let backup = try await journal.backUp()
        await journal.keep(author.append())
        try folder.crash("journal.db", to: "left.db")
        await journal.close()
        let copy = folder.bytes(of: "backups/journal-19700101T000000.000Z.db")
        #expect(copy.count == backup.size)
        try folder.write(copy, to: "left.db")
        let log = folder.bytes(of: "left.db-wal")
        #expect(refusal("left.db", in: folder, for: purpose) == .foreignLog(path: folder("left.db")))
        #expect(folder.bytes(of: "left.db") == copy)
        #expect(folder.bytes(of: "left.db-wal") == log)
        folder.remove("left.db-wal")
        let restored = try Subject(opening: "left.db", in: folder, for: purpose)
        #expect(try await restored.record(of: author.key)?.entries.count == 1)
        await restored.close()
    }

    @Test func `inspecting a backup does not change the backup, and serving the backup creates a log beside it`()
        async throws
    {
        let journal = try Subject(in: folder, .sync, now: { 0 })
        var author = Author(1)
        await journal.keep(author.create())
        _ = try await journal.backUp()
        await journal.close()
        let copy = folder.bytes(of: "backups/journal-19700101T000000.000Z.db")
        try folder.write(copy, to: "copy.db")
        await (try Subject(opening: "copy.db", in: folder, for: .inspecting)).close()
        #expect(folder.bytes(of: "copy.db") == copy)
        let served = try Subject(opening: "copy.db", in: folder)
        await served.keep(author.append())
        try folder.crash("copy.db", to: "left.db")
        await served.close()
        let left = try Subject(opening: "left.db", in: folder)
        #expect(try await left.record(of: author.key)?.entries.count == 2)
        await left.close()
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder("backups")) }
    }
}

import JournalSubject
import Programs
import RecordedDisk
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("A disk that fails to read")
struct ReadErrorTests {
    private let folder: TemporaryFolder
    private let disk = RecordedDisk()
    private let settings: SQLiteSettings

    init() throws {
        folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        var settings = SQLiteSettings()
        settings.fileSystem = disk.name
        settings.flushPatience = .max / 2
        self.settings = settings
    }

    @Test func `if a read fails while a journal is opened, no damage is reported, and the next opening works`()
        async throws
    {
        var authors = (UInt64(1)...40).map { Author($0) }
        let journal = try Subject(in: folder, .sync, settings)
        for index in authors.indices { await journal.keep(authors[index].create(), authors[index].append()) }
        try folder.crash("journal.db", to: "left.db")
        await journal.close()
        for suffix in ["left.db", "left.db-wal"] {
            var isOpen = false
            for reads in 0..<200 where !isOpen {
                disk.fail(.read, of: suffix, with: RecordedDisk.readError, after: reads, times: .max)
                do throws(SQLiteJournalError) {
                    let storage = try storage()
                    isOpen = true
                    storage.close()
                } catch {
                    guard case .other = error else {
                        Issue.record("read \(reads) of \(suffix): \(error)")
                        continue
                    }
                }
            }
            disk.mend()
            #expect(isOpen)
        }
        #expect(try storage().count() == 40)
    }

    @Test func `no session is marked as damaged if a reader or a flush fails to read from the disk`() async throws {
        var authors = (UInt64(1)...40).map { Author($0) }
        let journal = try Subject(in: folder)
        for index in authors.indices { await journal.keep(authors[index].create()) }
        await journal.close()
        let storage = try SQLiteStorage(
            .journal(at: folder("journal.db"), for: .serving, pageSize: 4096, fileSystem: disk.name), settings)
        try storage.database.execute("PRAGMA cache_size = 0")
        for index in authors.indices { try storage.commit(authors[index].append()) }
        disk.fail(.read, of: "", with: RecordedDisk.readError, times: .max)
        var failures = 0
        for author in authors {
            do throws(JournalError) { _ = try storage.record(of: author.key) } catch {
                failures += 1
                guard case .unavailable = error else {
                    Issue.record("\(error)")
                    continue
                }
            }
        }
        #expect(failures > 0)
        storage.flushRest()
        disk.mend()
        storage.flushRest()
        #expect(storage.buffer.sealed == nil)
        for author in authors {
            #expect(!storage.buffer.isDamaged(author.key))
            #expect(try storage.record(of: author.key)?.entries.count == 2)
        }
        storage.close()
    }

    private func storage() throws(SQLiteJournalError) -> SQLiteStorage {
        try SQLiteStorage(
            .journal(at: folder("left.db"), for: .serving, pageSize: 4096, fileSystem: disk.name), settings)
    }
}

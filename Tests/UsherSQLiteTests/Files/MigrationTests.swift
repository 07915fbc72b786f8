import Foundation
import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("A journal of an earlier format is taken over")
struct MigrationTests {
    private let folder: TemporaryFolder
    /// The first page size bytes of `Fixtures/format2.journal`, a file of an earlier build, and all behind.
    private let fixture: [UInt8]

    init() throws {
        folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/format2.journal")
        fixture = Array(try Data(contentsOf: url))
        try folder.write(fixture, to: "journal.db")
    }

    @Test(arguments: [1, 2])
    func `it is of this format once it was served, and keeps guilty inputs`(format: Int64) async throws {
        if format == 1 {
            await (try Subject(opening: "other.db", in: folder)).close()
            try folder.write(folder.bytes(of: "other.db"), to: "journal.db")
            try Database(opening: folder("journal.db")).makeFirstFormat()
        }
        let journal = try Subject(in: folder)
        try await journal.add(.of(Author(1).key))
        await journal.close()
        #expect(try Self.format(of: folder("journal.db")) == 4)
        let again = try Subject(in: folder)
        #expect(try await again.guiltyInputs() == [.of(Author(1).key)])
        await again.close()
    }

    @Test func `its sessions are listed by app and by time`() async throws {
        let journal = try Subject(in: folder)
        let all = try await journal.sessions(after: nil, limit: 9).compactMap(\.head)
        #expect(all.count == 3)
        let query = SessionQuery(by: .created, of: all.first?.app, limit: 9)
        #expect(
            try await journal.sessions(matching: query).map(\.head?.created) == all.map(\.created).sorted(by: >))
        #expect(try await journal.count(matching: query, limit: 9) == 3)
        #expect(try await journal.sessions(matching: SessionQuery(hasLeaked: true, limit: 9)).isEmpty)
        await journal.close()
    }

    @Test func `to be looked at it stays as it is, and has none`() async throws {
        let journal = try Subject(in: folder, for: .inspecting)
        #expect(try await journal.guiltyInputs().isEmpty)
        #expect(try await journal.count() == 3)
        await #expect(throws: BatchedJournal.unchangeable) { try await journal.add(.of(nil)) }
        await journal.close()
        #expect(folder.bytes(of: "journal.db") == fixture)
    }

    @Test func `a crash while it is taken over leaves the one format or the other`() async throws {
        // The transaction is in the log alone: whatever part of it a crash leaves, torn or whole.
        let database = try Database.journal(at: folder("journal.db"), for: .serving, pageSize: 512)
        let (file, log) = (folder.bytes(of: "journal.db"), folder.bytes(of: "journal.db-wal"))
        #expect(log.count > 32 + 536)
        var formats: [Int64] = []
        for count in Set(stride(from: 0, through: log.count, by: 101)).union([log.count, log.count - 1]).sorted() {
            let left = try TemporaryFolder(in: TemporaryFolder.inMemory)
            try left.write(file, to: "left.db")
            try left.write(Array(log.prefix(count)), to: "left.db-wal")
            formats.append(try Self.format(of: left("left.db")))
            let inspected = try Subject(opening: "left.db", in: left, for: .inspecting)
            #expect(try await inspected.count() == 3)
            await inspected.close()
            let served = try Subject(opening: "left.db", in: left)
            try await served.add(.of(nil, .creation))
            #expect(try await served.guiltyInputs().count == 1)
            #expect(try await served.count() == 3)
            await served.close()
            #expect(try Self.format(of: left("left.db")) == 4)
        }
        #expect(Set(formats) == [2, 4])
        #expect(formats == formats.sorted())
        database.close()
    }

    private static func format(of path: String) throws -> Int64 {
        let database = try Database(opening: path)
        defer { database.close() }
        return try database.integer("PRAGMA user_version")
    }
}

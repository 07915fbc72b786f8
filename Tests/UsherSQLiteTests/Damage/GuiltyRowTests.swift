import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("Damaged rows of guilty inputs")
struct GuiltyRowTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    }

    @Test(arguments: [
        "UPDATE guilty SET content = x'01' WHERE number = 2", "UPDATE guilty SET content = x'' WHERE number = 2",
        "UPDATE guilty SET session = NULL WHERE number = 2", "UPDATE guilty SET session = x'00' WHERE number = 2",
        "UPDATE guilty SET session = (SELECT session FROM guilty WHERE number = 1) WHERE number = 2",
    ])
    func `a damaged row of a guilty input is skipped, and is deleted when another row is deleted`(sql: String)
        throws
    {
        let storage = try SQLiteStorage(in: folder)
        let inputs = (UInt64(1)...3).map { GuiltyInput.of(Author($0).key) }
        for input in inputs { try storage.add(input) }
        try storage.database.execute(sql)
        #expect(try storage.guiltyInputs() == [inputs[0], inputs[2]])
        try storage.forget(.only(inputs[0].identity))
        #expect(try storage.guiltyInputs() == [inputs[2]])
        #expect(try storage.count("guilty") == 1)
    }

    @Test func `each guilty input that was acknowledged survives a crash or power loss`() async throws {
        let journal = try Subject(in: folder, .relaxed)
        let file = folder.bytes(of: "journal.db")
        var author = Author(1)
        await journal.keep(author.create())
        let inputs = (0..<4).map { GuiltyInput.of(author.key, upon: $0) }
        // The size of the log when each input was acknowledged.
        var acknowledged: [Int] = []
        for input in inputs {
            try await journal.add(input)
            acknowledged.append(folder.bytes(of: "journal.db-wal").count)
        }
        let log = folder.bytes(of: "journal.db-wal")
        try #require(folder.bytes(of: "journal.db") == file)
        for count in Set(stride(from: 0, through: log.count, by: 509)).union(acknowledged).sorted() {
            for isTorn in [false, true] {
                let left = try TemporaryFolder(in: TemporaryFolder.inMemory)
                try left.write(file, to: "left.db")
                // Pages that were not synchronized are dropped, or have another content.
                let rest = isTorn ? [UInt8](repeating: 0xAA, count: log.count - count) : []
                try left.write(Array(log.prefix(count)) + rest, to: "left.db-wal")
                let read = try Subject(opening: "left.db", in: left)
                let found = try await read.guiltyInputs()
                #expect(found == Array(inputs.prefix(found.count)))
                #expect(found.count >= acknowledged.count { $0 <= count }, "\(count) of \(log.count) bytes")
                await read.close()
            }
        }
        await journal.close()
    }
}

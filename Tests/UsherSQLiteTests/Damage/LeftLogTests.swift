import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("A write-ahead log that a crash has left")
struct LeftLogTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    }

    @Test(arguments: [Purpose.serving, .inspecting])
    func `without its journal is refused, and left alone`(purpose: Purpose) async throws {
        let log = try await crashed()
        folder.remove("left.db")
        #expect(refusal("left.db", in: folder, for: purpose) == .logAlone(path: folder("left.db")))
        #expect(folder.bytes(of: "left.db-wal") == log)
        #expect(folder.bytes(of: "left.db").isEmpty)
        // SQLite would delete the log of an empty file.
        try folder.write([], to: "left.db")
        #expect(refusal("left.db", in: folder, for: purpose) == .logAlone(path: folder("left.db")))
        #expect(folder.bytes(of: "left.db-wal") == log)
    }

    @Test func `is refused for any changed bit, but in its last transaction and behind it`() async throws {
        let log = try await crashed()
        let file = folder.bytes(of: "left.db")
        let last = try #require(Self.lastTransaction(log))
        for position in stride(from: 0, to: log.count, by: 97) {
            var changed = log
            changed[position] ^= 1 << UInt8(position % 8)
            try folder.write(file, to: "left.db")
            try folder.write(changed, to: "left.db-wal")
            guard position < last else {
                // A transaction that was torn looks the same.
                #expect(outcome() == nil, "byte \(position)")
                continue
            }
            guard case .corrupt(_, let reason) = outcome() else {
                Issue.record("byte \(position) of \(log.count) was not noticed")
                continue
            }
            #expect(reason.contains("truncate -s"))
            #expect(folder.bytes(of: "left.db-wal") == changed, "byte \(position)")
            #expect(folder.bytes(of: "left.db") == file, "byte \(position)")
        }
    }

    @Test func `is read up to its damage once it is cut as the refusal says`() async throws {
        var log = try await crashed()
        log[log.count * 3 / 4] ^= 4
        try folder.write(log, to: "left.db-wal")
        guard case .corrupt(_, let reason) = refusal("left.db", in: folder) else {
            Issue.record("it was not noticed")
            return
        }
        let words = reason.split(separator: " ")
        let size = try #require(words.firstIndex(of: "-s").flatMap { Int(words[$0 + 1]) })
        try folder.write(Array(log.prefix(size)), to: "left.db-wal")
        let journal = try Subject(opening: "left.db", in: folder)
        let count = try await journal.record(of: Author(1).key)?.entries.count ?? 0
        #expect(count > 1 && count < 8)
        await journal.close()
    }

    /// Opens the journal that was left, and closes it before the next.
    ///
    /// - Returns: Why it is refused.
    private func outcome() -> SQLiteJournalError? {
        do throws(SQLiteJournalError) {
            _ = try SQLiteStorage(.journal(at: folder("left.db"), for: .serving, pageSize: 4096))
            return nil
        } catch {
            return error
        }
    }

    /// Leaves a journal and its log, as a crash does.
    ///
    /// - Returns: The log.
    private func crashed() async throws -> [UInt8] {
        var author = Author(1)
        let journal = try Subject(in: folder)
        await journal.keep(author.create())
        for _ in 1..<8 { await journal.keep(author.append(answerUnder: "k\(author.head.revision)")) }
        try folder.crash("journal.db", to: "left.db")
        await journal.close()
        return folder.bytes(of: "left.db-wal")
    }

    /// The offset of the last transaction: behind the last commit but one.
    private static func lastTransaction(_ log: [UInt8]) -> Int? {
        let frame = 24 + 4096
        let frames = stride(from: 32, to: log.count, by: frame)
        let commits = frames.filter { log[($0 + 4)..<($0 + 8)].contains { $0 != 0 } }
        return commits.dropLast().last.map { $0 + frame }
    }
}

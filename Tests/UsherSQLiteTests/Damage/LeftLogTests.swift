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
    func `a log without its journal is refused and not changed`(purpose: Purpose) async throws {
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

    @Test func `a log with a changed bit is refused, unless the bit is in the log's last transaction or behind it`()
        async throws
    {
        let log = try await crashed()
        let file = folder.bytes(of: "left.db")
        let last = try #require(Self.transaction(log, fromTheEnd: 1))
        for position in stride(from: 0, to: log.count, by: 97) {
            var changed = log
            changed[position] ^= 1 << UInt8(position % 8)
            try folder.write(file, to: "left.db")
            try folder.write(changed, to: "left.db-wal")
            guard position < last else {
                // A torn transaction looks the same.
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

    @Test func `a log is accepted if a torn transaction is followed by the rest of an older transaction`()
        async throws
    {
        var author = Author(1)
        let first = try Subject(in: folder)
        await first.keep(author.create())
        await first.keep(author.append(String(repeating: "long", count: 20_000)))
        try folder.crash("journal.db", to: "left.db")
        await first.close()
        var torn = folder.bytes(of: "left.db-wal")
        let end = torn.count
        torn[try #require(Self.transaction(torn, fromTheEnd: 1)) + 1_000] ^= 1
        try folder.write(torn, to: "left.db-wal")

        // The server that recovers overwrites only the beginning of the log, and is then killed, too.
        var other = Author(2)
        let second = try Subject(opening: "left.db", in: folder)
        let before = folder.bytes(of: "left.db-wal")
        await second.keep(other.create())
        try folder.crash("left.db", to: "again.db")
        await second.close()
        var tornAgain = folder.bytes(of: "again.db-wal")
        let change = try #require(zip(before, tornAgain).enumerated().first { $1.0 != $1.1 }?.offset)
        try #require(tornAgain.count == end)
        tornAgain[change + 1_000] ^= 1
        try folder.write(folder.bytes(of: "again.db"), to: "left.db")
        try folder.write(tornAgain, to: "left.db-wal")
        #expect(outcome() == nil)
    }

    @Test func `a damaged log can be read up to the damage after it was truncated as the error message says`()
        async throws
    {
        var log = try await crashed()
        // Other transactions follow it, so it cannot be the end that a crash has cut off.
        log[try #require(Self.transaction(log, fromTheEnd: 4)) + 1_000] ^= 4
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

    /// Opens the journal that was left, and closes it before the next attempt.
    ///
    /// - Returns: The reason why it is refused.
    private func outcome() -> SQLiteJournalError? {
        do throws(SQLiteJournalError) {
            _ = try SQLiteStorage(.journal(at: folder("left.db"), for: .serving, pageSize: 4096))
            return nil
        } catch {
            return error
        }
    }

    /// Creates a journal and its log as a crash leaves them.
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

    /// Returns the offset of a transaction, after the previous commit.
    ///
    /// - Parameter place: 1 for the last transaction.
    private static func transaction(_ log: [UInt8], fromTheEnd place: Int) -> Int? {
        let frame = 24 + 4096
        let frames = stride(from: 32, to: log.count, by: frame)
        let commits = frames.filter { log[($0 + 4)..<($0 + 8)].contains { $0 != 0 } }
        return commits.dropLast(place).last.map { $0 + frame }
    }
}

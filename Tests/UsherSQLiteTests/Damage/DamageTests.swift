import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

/// SQLite has no checksums of its own: whatever a disk makes of a file, no session may be shown that never was.
@Suite("A damaged journal")
struct DamageTests {
    /// The bytes are dealt out to tests that run side by side.
    private static let hands = 8

    @Test(arguments: 0..<hands, [UInt8(0xFF), 1])
    func `any changed byte of the file is noticed, or changes nothing`(hand: Int, mask: UInt8) async throws {
        let small = try await SmallJournal.closed()
        let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        var opened = 0
        for position in stride(from: hand, to: small.file.count, by: Self.hands) {
            var changed = small.file
            changed[position] ^= mask
            try folder.write(changed, to: "journal.db")
            opened += small.check(in: folder, "byte \(position) ^ \(mask)") ? 1 : 0
            folder.remove("journal.db-wal")
        }
        // Most of the file is rows: to refuse it as a whole for one of them would be easy.
        #expect(opened > small.file.count / Self.hands / 2)
    }

    @Test(arguments: 0..<hands)
    func `so is any of a file whose write buffer is not flushed yet`(hand: Int) async throws {
        let small = try await SmallJournal.unflushed()
        let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        for position in stride(from: hand, to: small.file.count, by: Self.hands) {
            var changed = small.file
            changed[position] ^= 0xFF
            try folder.write(changed, to: "journal.db")
            _ = small.check(in: folder, "byte \(position) ^ 255")
            folder.remove("journal.db-wal")
        }
    }

    @Test(arguments: 0..<hands, [UInt8(0xFF), 1])
    func `any changed byte of the log that a crash has left is noticed, or costs its last transaction and nothing else`(
        hand: Int, mask: UInt8
    ) async throws {
        let small = try await SmallJournal.crashed()
        let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        for position in stride(from: hand * 29, to: small.log.count, by: Self.hands * 29) {
            var changed = small.log
            changed[position] ^= mask
            try folder.write(small.file, to: "journal.db")
            try folder.write(changed, to: "journal.db-wal")
            try small.checkEnd(in: folder, "byte \(position) of the log ^ \(mask)")
            folder.remove("journal.db-wal")
        }
    }

    @Test func `what is not damaged is all there`() async throws {
        let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        let closed = try await SmallJournal.closed()
        try folder.write(closed.file, to: "journal.db")
        #expect(closed.check(in: folder, "nothing"))
        let crashed = try await SmallJournal.crashed()
        #expect(Set(crashed.states.map(\.count)) == [0, 1, 2, 3])
        try folder.write(crashed.file, to: "left.db")
        try folder.write(crashed.log, to: "left.db-wal")
        let left = try Subject(opening: "left.db", in: folder)
        for (key, snapshot) in try #require(crashed.states.last) { #expect(try await left.record(of: key) == snapshot) }
        await left.close()
    }
}

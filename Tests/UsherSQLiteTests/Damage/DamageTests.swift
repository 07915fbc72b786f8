import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

/// Tests that no damage of a file leads to a session that never existed.
///
/// SQLite itself has no checksums.
@Suite("A damaged journal")
struct DamageTests {
    /// The numbers of parallel tests that share the bytes, and of the step between bytes.
    ///
    /// The gate tries every eleventh byte.
    private static let (hands, step) = (8, LongRun.choose(11, long: 1))

    @Test(arguments: 0..<hands, [UInt8(0xFF), 1])
    func `any changed byte of the journal's file is noticed or harmless`(hand: Int, mask: UInt8) async throws {
        let small = try await SmallJournal.closed()
        let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        var opened = 0
        for position in stride(from: hand * Self.step, to: small.file.count, by: Self.hands * Self.step) {
            var changed = small.file
            changed[position] ^= mask
            try folder.write(changed, to: "journal.db")
            opened += small.check(in: folder, "byte \(position) ^ \(mask)") ? 1 : 0
            folder.remove("journal.db-wal")
        }
        // Most of the file consists of rows. It must not be refused as a whole because of one of them.
        #expect(opened > small.file.count / Self.hands / Self.step / 2)
    }

    @Test(arguments: 0..<hands)
    func `any changed byte of a file with buffered entries is noticed or harmless`(hand: Int) async throws {
        let small = try await SmallJournal.unflushed()
        let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        for position in stride(from: hand * Self.step, to: small.file.count, by: Self.hands * Self.step) {
            var changed = small.file
            changed[position] ^= 0xFF
            try folder.write(changed, to: "journal.db")
            _ = small.check(in: folder, "byte \(position) ^ 255")
            folder.remove("journal.db-wal")
        }
    }

    @Test(arguments: 0..<hands, [UInt8(0xFF), 1])
    func `after a crash, a changed byte in the log is noticed, or costs only the last transaction`(
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

    @Test func `a damaged page of headers damages only its own sessions, and all sessions are listed`()
        async throws
    {
        let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        let journal = try Subject(in: folder)
        var authors = (UInt64(1)...200).map { Author($0) }
        for index in authors.indices { await journal.keep(authors[index].create()) }
        await journal.close()
        var spared: [Int] = []
        for lossy in Self.losingEachPage(of: folder.bytes(of: "journal.db")) {
            try folder.write(lossy, to: "journal.db")
            guard let damaged = try? Subject(in: folder, .relaxed) else { continue }
            // Otherwise, the page contains one of their keys.
            if let all = try? await damaged.sessions(after: nil, limit: 999), all.count == 200,
                let idle = try? await damaged.idle(since: .max, limit: 999), idle.count == 200
            {
                let lost = all.count { $0.head == nil }
                #expect(idle.count { $0.head == nil } == lost)
                guard (1..<200).contains(lost) else {
                    await damaged.close()
                    continue
                }
                spared.append(200 - lost)
                for listing in all where listing.head == nil {
                    let touch = AuthoredChange(.touch(1_000_000_000_000), of: listing.key)
                    await damaged.keep(touch)
                    #expect(touch.tail.failure == nil)
                    await #expect(throws: JournalError.self) { try await damaged.record(of: listing.key) }
                }
            }
            await damaged.close()
        }
        #expect(spared.count > 2)
    }

    @Test func `if an ended session is damaged, other sessions can still be purged`() async throws {
        let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        let journal = try Subject(in: folder)
        for id in UInt64(1)...200 {
            var author = Author(id)
            await journal.keep(author.create(), author.end())
        }
        await journal.close()
        var forgotten: [Int] = []
        for lossy in Self.losingEachPage(of: folder.bytes(of: "journal.db")) {
            try folder.write(lossy, to: "journal.db")
            guard let damaged = try? Subject(in: folder) else { continue }
            if let count = try? await damaged.purge(endedBefore: .max, limit: 999) { forgotten.append(count) }
            await damaged.close()
        }
        #expect(forgotten.count { (1..<200).contains($0) } > 2)
    }

    /// Returns the file with each of its pages, except the first, replaced by zeros in turn.
    private static func losingEachPage(of file: [UInt8]) -> some Sequence<[UInt8]> {
        (1..<file.count / 4096).lazy.map { page in
            var lossy = file
            lossy.replaceSubrange(page * 4096..<(page + 1) * 4096, with: repeatElement(0, count: 4096))
            return lossy
        }
    }

    @Test func `a journal without damage passes the checks that these tests use`() async throws {
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

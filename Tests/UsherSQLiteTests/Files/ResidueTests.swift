import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("Residue of ended sessions in a file")
struct ResidueTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Ends sessions that leave rows.
    private func end(_ numbers: ClosedRange<UInt64>, in storage: SQLiteStorage) throws {
        for number in numbers {
            var author = Author(number)
            let answer = KeyedAnswer(key: "k\(number)", fingerprint: nil, revision: 1, body: [1, 2, 3])
            try storage.commit(author.create(opening: answer), author.append(answerUnder: "a"), author.end())
        }
    }

    @Test func `after a restart, the residue is counted step by step, even while sessions end and are purged`() throws {
        var before = 0
        do {
            let storage = try SQLiteStorage(in: folder)
            storage.countResidue()
            try end(1...150, in: storage)
            before = storage.residue
            storage.close()
        }
        let storage = try SQLiteStorage(in: folder)
        #expect(storage.residue == 0)
        storage.countResidue()
        #expect((1..<before).contains(storage.residue))
        try end(1_000...1_009, in: storage)
        while storage.countsResidue { storage.countResidue() }
        let each = before / 150
        #expect(abs(storage.residue - before - 10 * each) < each)
        #expect(try storage.purge(endedBefore: .max, limit: 1_000) == 160)
        #expect(storage.residue == 0)
    }

    @Test func `residue that is purged during the count is not counted`() throws {
        var before = 0
        do {
            let storage = try SQLiteStorage(in: folder)
            try end(1...150, in: storage)
            while storage.countsResidue { storage.countResidue() }
            before = storage.residue
            storage.close()
        }
        let storage = try SQLiteStorage(in: folder)
        storage.countResidue()
        #expect(storage.countsResidue)
        #expect(try storage.purge(endedBefore: .max, limit: 60) == 60)
        while storage.countsResidue { storage.countResidue() }
        let each = before / 150
        #expect(abs(storage.residue - before + 60 * each) < each)
    }

    @Test func `a change that is rolled back adds no residue`() throws {
        let storage = try SQLiteStorage(in: folder)
        while storage.countsResidue { storage.countResidue() }
        var author = Author(1)
        try storage.commit(author.create())
        try storage.begin()
        try storage.apply(author.end().next)
        storage.rollBack()
        try storage.commit(author.touch(1))
        #expect(storage.residue == 0)
    }
}

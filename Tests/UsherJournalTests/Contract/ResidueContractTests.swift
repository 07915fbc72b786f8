import JournalSubject
import Testing
import UsherJournal

@Suite("Every journal counts the residue of ended sessions")
struct ResidueContractTests {
    @Test(arguments: BackEnd.all)
    func `the residue of an ended session is its tombstone, stored answers and opening, until its purge`(
        backEnd: BackEnd
    )
        async throws
    {
        let journal = try Subject(backEnd)
        var small = Author(1)
        var large = Author(2)
        let opening = KeyedAnswer(key: "k", fingerprint: nil, revision: 1, body: [UInt8](repeating: 1, count: 50_000))
        await journal.keep(small.create(), small.append(), large.create(opening: opening))
        #expect(try await journal.residue() == 0)
        await journal.keep(small.end(at: 3_000))
        let tombstone = try await journal.residue()
        #expect((1...1_000).contains(tombstone))
        await journal.keep(large.append(answerUnder: "a"), large.end(at: 4_000))
        #expect((50_000...52_000).contains(try await journal.residue()))
        #expect(try await journal.purge(endedBefore: 3_500, limit: 10) == 1)
        #expect((50_000...51_000).contains(try await journal.residue()))
        #expect(try await journal.purge(endedBefore: .max, limit: 10) == 1)
        #expect(try await journal.residue() == 0)
        #expect(try await journal.opening(under: "k") == nil)
    }

    @Test(arguments: BackEnd.all)
    func `the sessions that ended first are purged first`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var authors = (1...20).map { Author($0) }
        for index in authors.indices { await journal.keep(authors[index].create(), authors[index].append()) }
        for (time, index) in zip(Int64(4_000)..., authors.indices.reversed()) {
            await journal.keep(authors[index].end(at: time))
        }
        #expect(try await journal.purge(endedBefore: .max, limit: 5) == 5)
        for (index, author) in authors.enumerated() {
            #expect((try await journal.head(of: author.key) == nil) == (index >= 15))
        }
    }
}

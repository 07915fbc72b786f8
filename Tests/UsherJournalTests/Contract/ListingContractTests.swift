import JournalSubject
import Testing
import UsherJournal

@Suite("Every journal lists, expires and purges sessions")
struct ListingContractTests {
    @Test(arguments: BackEnd.all)
    func `sessions are returned in pages, in the order of their keys`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var keys: [JournalKey] = []
        for number in UInt64(1)...25 {
            var author = Author(number)
            await journal.keep(author.create())
            keys.append(author.key)
        }
        var found: [JournalKey] = []
        while true {
            let page = try await journal.sessions(after: found.last, limit: 10)
            #expect(page.allSatisfy { $0.head?.app == "notes" })
            found += page.map(\.key)
            guard page.count == 10 else { break }
        }
        #expect(found == keys.sorted())
        #expect(try await journal.count() == 25)
    }

    @Test(arguments: BackEnd.all)
    func `sessions that were not used since a given time are returned, the least recently used first`(
        backEnd: BackEnd
    ) async throws {
        let journal = try Subject(backEnd)
        var keys: [JournalKey] = []
        for number in UInt64(1)...20 {
            var author = Author(number)
            await journal.keep(author.create(at: Int64(number) * 10))
            keys.append(author.key)
        }
        let touched = AuthoredChange(.touch(1_000), of: keys[0])
        let earlier = AuthoredChange(.touch(5), of: keys[1])
        await journal.keep(touched, earlier)
        #expect(try await journal.idle(since: 60, limit: 3).map(\.key) == Array(keys[1...3]))
        #expect(try await journal.idle(since: 60, limit: 100).map(\.key) == Array(keys[1...5]))
        #expect(try await journal.idle(since: 10, limit: 100).isEmpty)
    }

    @Test(arguments: BackEnd.ofThisProcess)
    func `sessions whose work is due are returned in pages, the earliest first`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var expected: [DueSession] = []
        for number in UInt64(1)...24 {
            var author = Author(number)
            // Many sessions have the same time, like those with running effects.
            let time = Int64(number % 4) * 10
            author.rest(until: time)
            let change = author.create()
            let begun = BegunWork(WorkPiece(revision: 1, place: 1), due: time, under: 0, at: 0)
            await journal.keep(AuthoredChange(change.action, of: change.key, at: change.tail, beginning: [begun]))
            if time <= 20 { expected.append(DueSession(time: time, key: author.key)) }
        }
        var ended = Author(25)
        ended.rest(until: 0)
        await journal.keep(ended.create(), ended.end())
        var found: [DueSession] = []
        while true {
            let page = try await journal.due(by: 20, after: found.last, limit: 5)
            found += page
            guard page.count == 5 else { break }
        }
        #expect(found == expected.sorted())
    }

    @Test(arguments: BackEnd.all)
    func `sessions that ended before a given time are purged a few at a time, together with their openings`(
        backEnd: BackEnd
    )
        async throws
    {
        let journal = try Subject(backEnd)
        var keys: [JournalKey] = []
        for number in UInt64(1)...5 {
            var author = Author(number)
            let answer = KeyedAnswer(key: "k\(number)", fingerprint: nil, revision: 1, body: [])
            await journal.keep(author.create(opening: answer))
            if number > 1 { await journal.keep(author.end(at: Int64(number))) }
            keys.append(author.key)
        }
        #expect(try await journal.purge(endedBefore: 5, limit: 2) == 2)
        #expect(try await journal.purge(endedBefore: 5, limit: 2) == 1)
        #expect(try await journal.purge(endedBefore: 5, limit: 2) == 0)
        #expect(try await journal.record(of: keys[1]) == nil)
        #expect(try await journal.opening(under: "k2") == nil)
        #expect(try await journal.head(of: keys[4])?.ending?.time == 5)
        #expect(try await journal.opening(under: "k1")?.session == keys[0])
        #expect(try await journal.record(of: keys[0])?.entries.count == 1)
    }

    @Test(arguments: BackEnd.all)
    func `a purged session can be created again`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create(), author.end(at: 1))
        #expect(try await journal.purge(endedBefore: 2, limit: 1) == 1)
        var again = Author(1)
        await journal.keep(again.create())
        #expect(!again.tail.isBroken)
        #expect(try await journal.count() == 1)
    }
}

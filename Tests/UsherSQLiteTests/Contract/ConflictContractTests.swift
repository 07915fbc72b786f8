import Testing
import UsherJournal

@Suite("Every journal refuses what does not follow")
struct ConflictContractTests {
    @Test(arguments: Storage.allCases)
    func `of two writers, one is refused, and its later changes are skipped`(storage: Storage) async throws {
        let journal = try Subject(storage)
        var first = Author(1)
        await journal.keep(first.create())
        var second = first.forked()
        await journal.keep(first.append("\"first\""))
        await journal.keep(second.append("\"second\""), second.append("\"third\""))
        #expect(second.tail.failure == .conflict)
        #expect(!first.tail.isBroken)
        let record = try #require(try await journal.record(of: first.key))
        #expect(record.entries.map { String(decoding: $0.payload, as: UTF8.self) }.last == "\"first\"")
        #expect(record.entries.count == 2)
    }

    @Test(arguments: Storage.allCases)
    func `a conflict fails alone`(storage: Storage) async throws {
        let journal = try Subject(storage)
        var first = Author(1)
        var second = Author(2)
        var stranger = Author(3)
        _ = stranger.create()
        await journal.keep(first.create(), stranger.append(), second.create())
        #expect(stranger.tail.failure == .conflict)
        #expect(!first.tail.isBroken && !second.tail.isBroken)
        #expect(try await journal.count() == 2)
        #expect(try await journal.record(of: stranger.key) == nil)
    }

    @Test(arguments: Storage.allCases)
    func `a session begins once`(storage: Storage) async throws {
        let journal = try Subject(storage)
        var first = Author(1)
        var second = first.forked()
        await journal.keep(first.create(), first.append(), second.create())
        #expect(second.tail.failure == .conflict)
        #expect(try await journal.record(of: first.key)?.entries.count == 2)
    }

    @Test(arguments: Storage.allCases)
    func `an idempotency key opens one session`(storage: Storage) async throws {
        let journal = try Subject(storage)
        var first = Author(1)
        var second = Author(2)
        let answer = KeyedAnswer(key: "k", fingerprint: 1, revision: 1, body: [])
        await journal.keep(first.create(opening: answer), second.create(opening: answer))
        #expect(second.tail.failure == .conflict)
        #expect(try await journal.record(of: second.key) == nil)
        #expect(try await journal.opening(under: "k")?.session == first.key)
        #expect(try await journal.count() == 1)
    }

    @Test(arguments: Storage.allCases)
    func `nothing follows on an end`(storage: Storage) async throws {
        let journal = try Subject(storage)
        var author = Author(1)
        await journal.keep(author.create())
        var late = author.forked()
        var again = author.forked()
        await journal.keep(author.end())
        await journal.keep(late.append(), again.end())
        #expect(late.tail.failure == .conflict)
        #expect(again.tail.failure == .conflict)
    }

    @Test(arguments: Storage.allCases)
    func `a session that there is not cannot be changed`(storage: Storage) async throws {
        let journal = try Subject(storage)
        let changes: [JournalChange.Action] = [
            .touch(1), .erase(revision: 1),
            .keep(Author(1).head, answer: KeyedAnswer(key: "k", fingerprint: nil, revision: 1, body: [])),
        ]
        for action in changes {
            let tail = WriteChain()
            await journal.keep(JournalChange(action, of: Author(1).key, at: tail))
            #expect(tail.failure == .conflict)
        }
    }

    @Test(arguments: Storage.allCases)
    func `nothing is kept at a tail that is broken already`(storage: Storage) async throws {
        let journal = try Subject(storage)
        var author = Author(1)
        author.tail.fail(.unsupported("gone"))
        await journal.keep(author.create())
        #expect(try await journal.record(of: author.key) == nil)
        #expect(author.tail.failure == .unsupported("gone"))
    }
}

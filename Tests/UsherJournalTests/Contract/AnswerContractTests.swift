import JournalSubject
import Testing
import UsherJournal

@Suite("Every journal stores answers for idempotency keys")
struct AnswerContractTests {
    @Test(arguments: BackEnd.all)
    func `an answer that was stored is returned under its key`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create(), author.append(answerUnder: "a"), author.keep(under: "b"))
        let answer = try #require(try await journal.answer(under: "a", of: author.key))
        #expect(answer == KeyedAnswer(key: "a", fingerprint: 1, revision: 2, body: Array("{\"revision\":2}".utf8)))
        #expect(try await journal.answer(under: "b", of: author.key)?.fingerprint == 2)
        #expect(try await journal.answer(under: "c", of: author.key) == nil)
        #expect(try await journal.head(of: author.key)?.answers == 2)
    }

    @Test(arguments: BackEnd.all)
    func `only the newest sixteen answers of a session are stored`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create())
        for number in 1...20 { await journal.keep(author.append(answerUnder: "k\(number)")) }
        let record = try #require(try await journal.record(of: author.key))
        #expect(record.answers.map(\.key) == (5...20).map { "k\($0)" })
        #expect(try await journal.answer(under: "k4", of: author.key) == nil)
        #expect(try await journal.answer(under: "k5", of: author.key)?.revision == 6)
        #expect(try await journal.answer(under: "k20", of: author.key)?.revision == 21)
    }

    @Test(arguments: BackEnd.all)
    func `a session is found by the idempotency key of its opening, whatever characters the key has`(backEnd: BackEnd)
        async throws
    {
        let journal = try Subject(backEnd)
        for (number, key) in zip(UInt64(1)..., ["", "k", "K", "ключ", "a\0b", "' OR 1"]) {
            var author = Author(number)
            let answer = KeyedAnswer(key: key, fingerprint: nil, revision: 1, body: [0, 255])
            await journal.keep(author.create(opening: answer))
            #expect(try await journal.opening(under: key) == KeyedOpening(session: author.key, answer: answer))
        }
        #expect(try await journal.opening(under: "a") == nil)
    }

    @Test(arguments: BackEnd.all)
    func `erasing an entry's secrets does not change the stored answers`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(
            author.create(), author.append("\"hunter2\"", secret: 0..<9, answerUnder: "a"),
            author.append(answerUnder: "b"), author.erase(2))
        let record = try #require(try await journal.record(of: author.key))
        #expect(record.entries[1].payload == Array("null".utf8))
        #expect(record.entries[1].isErased)
        #expect(record.answers.map(\.fingerprint) == [1, 2])
        #expect(record.head == author.head)
    }

    @Test(arguments: BackEnd.all)
    func `erasing a missing entry, or an entry without secrets, changes nothing`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create(), author.append())
        let before = try await journal.record(of: author.key)
        await journal.keep(author.erase(1), author.erase(7), author.erase(0), author.erase(-1), author.erase(.max))
        #expect(try await journal.record(of: author.key) == before)
        #expect(!author.tail.isBroken)
    }
}

import JournalSubject
import Testing
import UsherJournal

@Suite("Every journal can start a session's history over")
struct BeginningContractTests {
    @Test(arguments: BackEnd.all)
    func `starting over deletes the earlier entries and keeps the stored answers`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(
            author.create(), author.append(answerUnder: "a"), author.append("\"secret\"", secret: 1..<7),
            author.startOver(answerUnder: "b"))
        #expect(try await journal.record(of: author.key)?.entries.map(\.revision) == [4])
        await journal.keep(author.append(), author.append(answerUnder: "c"), author.append())
        #expect(author.tail.failure == nil)
        let record = try #require(try await journal.record(of: author.key))
        #expect(record.head == author.head && record.head.history.start == 4)
        #expect(record.entries.map(\.revision) == [4, 5, 6, 7])
        #expect(record.entries.map(\.kind) == [.creation, .input, .input, .input])
        #expect(record.answers.map(\.key) == ["a", "b", "c"])
        #expect(try await journal.creation(of: author.key)?.revision == 4)
        #expect(try await journal.answer(under: "a", of: author.key)?.revision == 2)
        #expect(try await journal.sessions(after: nil, limit: 2).map(\.head) == [author.head])
        #expect(try await journal.count() == 1)
        await journal.keep(author.startOver())
        #expect(try await journal.record(of: author.key)?.entries.map(\.revision) == [8])
        await journal.keep(author.end())
        #expect(try await journal.record(of: author.key)?.entries.isEmpty == true)
    }

    @Test(arguments: BackEnd.all)
    func `after a session was started over, changes that are based on the earlier record are refused`(backEnd: BackEnd)
        async throws
    {
        let journal = try Subject(backEnd)
        var first = Author(1)
        await journal.keep(first.create(), first.append())
        var (second, third) = (first.forked(), first.forked())
        await journal.keep(first.startOver())
        await journal.keep(second.append(), second.append())
        await journal.keep(third.startOver())
        #expect(first.tail.failure == nil)
        #expect(second.tail.failure == .conflict && third.tail.failure == .conflict)
        #expect(try await journal.record(of: first.key)?.entries.map(\.revision) == [3])
        let refused = AuthoredChange(
            .startOver(first.head, entry: [], answer: nil), of: first.key, at: first.forked().tail)
        await journal.keep(refused)
        #expect(refused.tail.failure == .conflict, "a beginning leads to a revision of its own")
    }

    @Test(arguments: BackEnd.all)
    func `a read while a long session starts over returns either the old record or the new record`(
        backEnd: BackEnd
    ) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        journal.submit(author.create())
        for _ in 0..<5 {
            for number in 1..<700 {
                journal.submit(author.append(number % 100 == 0 ? String(repeating: "x", count: 5_000) : "{}"))
            }
            let key = author.key
            async let record = journal.record(of: key)
            journal.submit(author.startOver())
            for _ in 0..<3 { journal.submit(author.append()) }
            let found = try #require(try await record)
            #expect(found.entries.first?.revision == found.head.history.start)
            #expect(found.entries.last?.revision == found.head.revision)
        }
        #expect(try await journal.record(of: author.key)?.entries.count == 4)
    }

    @Test(arguments: BackEnd.all)
    func `after a session has started over, its earlier secrets are gone, and its new secrets can be erased`(
        backEnd: BackEnd
    ) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create(), author.append("\"secret\"", secret: 1..<7), author.append())
        await journal.keep(author.startOver(secret: 7..<14), author.erase(2), author.erase(4), author.append())
        #expect(author.tail.failure == nil)
        let record = try #require(try await journal.record(of: author.key))
        #expect(record.entries.map(\.revision) == [4, 5])
        #expect(record.entries.first?.isErased == true)
        #expect(record.entries.first.map { String(decoding: $0.payload, as: UTF8.self) } == #"{"app":null}"#)
    }

    @Test(arguments: BackEnd.all)
    func `a session can be created with a history that has already started over`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        _ = (author.create(), author.append())
        guard case .startOver(let head, let entry, _) = author.startOver().action else { return }
        await journal.keep(
            AuthoredChange(.create(head, entries: [entry], opening: nil), of: author.key, at: author.tail))
        await journal.keep(author.append())
        #expect(author.tail.failure == nil)
        #expect(try await journal.record(of: author.key)?.entries.map(\.revision) == [3, 4])
    }

    @Test(arguments: BackEnd.all)
    func `starting over removes the time at which a timer was due to wake the session`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        author.rest(until: 5_000)
        await journal.keep(author.create())
        author.rest(until: nil)
        await journal.keep(author.startOver())
        #expect(try await journal.head(of: author.key)?.wakeAt == nil)
        #expect(try await journal.due(by: .max, limit: 9).isEmpty)
    }
}

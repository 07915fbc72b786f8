import JournalSubject
import Testing
import UsherJournal

@Suite("Every journal stores sessions")
struct SessionContractTests {
    @Test(arguments: BackEnd.all)
    func `stored entries and stored answers can be read`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create(), author.append("{}"), author.append("{\"a\":1}", answerUnder: "k"))
        let record = try #require(try await journal.record(of: author.key))
        #expect(record.head == author.head)
        #expect(record.entries.map(\.revision) == [1, 2, 3])
        #expect(record.entries.last?.payload == Array("{\"a\":1}".utf8))
        #expect(record.answers.map(\.key) == ["k"])
        #expect(try await journal.head(of: author.key) == author.head)
        #expect(!author.tail.isBroken)
    }

    @Test(arguments: BackEnd.all)
    func `reading an unknown session returns nil`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        let key = Author(1).key
        #expect(try await journal.record(of: key) == nil)
        #expect(try await journal.head(of: key) == nil)
        #expect(try await journal.answer(under: "k", of: key) == nil)
        #expect(try await journal.opening(under: "k") == nil)
        #expect(try await journal.sessions(after: nil, limit: 10).isEmpty)
        #expect(try await journal.count() == 0)
    }

    @Test(arguments: BackEnd.all)
    func `a read returns all changes that were submitted before it`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        journal.submit(author.create())
        #expect(try await journal.head(of: author.key)?.revision == 1)
        journal.submit(author.append())
        #expect(try await journal.record(of: author.key)?.entries.count == 2)
    }

    @Test(arguments: BackEnd.all)
    func `a long record is read completely, even if it grows meanwhile`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        journal.submit(author.create())
        for number in 1..<3_000 {
            journal.submit(author.append(number % 100 == 0 ? String(repeating: "x", count: 5_000) : "{}"))
            guard number % 500 == 0 else { continue }
            let (key, before) = (author.key, author.head.revision)
            async let record = journal.record(of: key)
            for _ in 0..<3 { journal.submit(author.append()) }
            let entries = try await record?.entries ?? []
            #expect(entries.count >= before && entries.count <= before + 3)
            #expect(entries.last?.revision == entries.count)
        }
        #expect(try await journal.record(of: author.key)?.entries.count == author.head.revision)
    }

    @Test(arguments: BackEnd.all)
    func `a session can be created with several entries`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        guard case .create(_, let first, _) = author.create().action,
            case .append(let head, let second, _) = author.append().action
        else { return }
        await journal.keep(
            AuthoredChange(.create(head, entries: first + [second], opening: nil), of: author.key, at: author.tail))
        #expect(try await journal.record(of: author.key)?.entries.count == 2)
    }

    @Test(arguments: BackEnd.all)
    func `several entries of one change are appended in order, each with its own secrets`(
        backEnd: BackEnd
    ) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(
            author.create(), author.append(), author.extend(by: ["1", "2", "3"], answerUnder: "a"), author.append(),
            author.extend(by: ["\"hush\"", "\"hush\""], secret: 0..<6), author.append())
        let before = try #require(try await journal.record(of: author.key))
        #expect(before.entries.map(\.revision) == Array(1...9) && before.head == author.head)
        #expect(before.entries[2...4].map { String(decoding: $0.payload, as: UTF8.self) } == ["1", "2", "3"])
        #expect(try await journal.answer(under: "a", of: author.key)?.revision == 5)
        await journal.keep(author.erase(7), author.append())
        #expect(!author.tail.isBroken)
        let after = try #require(try await journal.record(of: author.key))
        #expect(after.entries.map(\.isErased) == (1...10).map { $0 == 7 })
    }

    @Test(arguments: BackEnd.all)
    func `the entries of one change are written all together, or not at all`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create(), author.append())
        var other = author.forked()
        await journal.keep(author.extend(by: ["1", "2"]))
        let before = try await journal.record(of: author.key)
        await journal.keep(other.extend(by: ["3", "4"]))
        #expect(other.tail.failure == .conflict && !author.tail.isBroken)
        #expect(try await journal.record(of: author.key) == before)
    }

    @Test(arguments: BackEnd.all)
    func `a session can end or start over at a revision even if the entries before that revision were never written`(
        backEnd: BackEnd
    ) async throws {
        let journal = try Subject(backEnd)
        var (over, anew) = (Author(1), Author(2))
        await journal.keep(over.create(), anew.create())
        _ = (over.extend(by: ["1", "2"]), anew.extend(by: ["1", "2"]))
        await journal.keep(over.end(), anew.startOver(), anew.append())
        #expect(!over.tail.isBroken && !anew.tail.isBroken)
        #expect(try await journal.record(of: over.key)?.head == over.head)
        #expect(try await journal.record(of: anew.key)?.entries.map(\.revision) == [4, 5])
    }

    @Test(arguments: BackEnd.all)
    func `an ended session keeps its header and answers, and is not listed`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(
            author.create(), author.append(answerUnder: "a"), author.end(at: 9, answerUnder: "b"))
        let record = try #require(try await journal.record(of: author.key))
        #expect(record.entries.isEmpty)
        #expect(record.answers.map(\.key) == ["a", "b"])
        #expect(record.head.ending == SessionHeader.End(reason: "finished", time: 9))
        #expect(try await journal.answer(under: "b", of: author.key)?.revision == 2)
        #expect(try await journal.count() == 0)
        #expect(try await journal.sessions(after: nil, limit: 10).isEmpty)
        #expect(try await journal.idle(since: .max, limit: 10).isEmpty)
    }

    @Test(arguments: BackEnd.all)
    func `ending a session stores the details of the end and deletes the session's first entry`(backEnd: BackEnd)
        async throws
    {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create(), author.append(), author.append())
        #expect(try await journal.creation(of: author.key)?.kind == .creation)
        #expect(try await journal.creation(of: Author(2).key) == nil)
        let details = #"{"result":"\#(String(repeating: "x", count: 20_000))"}"#
        await journal.keep(author.end(telling: details))
        let ending = try await journal.head(of: author.key)?.ending
        #expect(ending?.details == Array(details.utf8))
        #expect(try await journal.record(of: author.key)?.head.ending == ending)
        #expect(try await journal.creation(of: author.key) == nil)
        #expect(try await journal.residue() > details.utf8.count)
    }

    @Test(arguments: BackEnd.all)
    func `the end of a session can have a new revision`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create())
        _ = author.append()
        await journal.keep(author.end())
        #expect(try await journal.head(of: author.key)?.revision == 2)
        #expect(!author.tail.isBroken)
    }
}

import JournalSubject
import Testing
import UsherJournal

@Suite("Every journal stores access to sessions")
struct AccessContractTests {
    private static func access(_ token: UInt8, of subject: String? = nil, readers: [UInt8] = []) -> SessionAccess {
        SessionAccess(
            owner: TokenHash(of: [token]), readers: readers.map { TokenHash(of: [$0]) }, subject: subject)
    }

    @Test(arguments: BackEnd.all)
    func `the journal stores a session's tokens from the session's creation until the session's purge`(backEnd: BackEnd)
        async throws
    {
        let journal = try Subject(backEnd)
        var author = Author(1, access: Self.access(1, of: "kim"))
        await journal.keep(author.create())
        await journal.keep(author.append(), author.append(answerUnder: "k"))
        #expect(try await journal.record(of: author.key)?.head == author.head)
        await journal.keep(author.end())
        #expect(try await journal.head(of: author.key) == author.head)
        #expect(try await journal.head(of: author.key)?.access == Self.access(1, of: "kim"))
    }

    @Test(arguments: BackEnd.all)
    func `new tokens replace the old tokens and add no entry to the journal`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1, access: Self.access(1))
        await journal.keep(author.create(), author.append())
        await journal.keep(author.grant(Self.access(2, readers: [3, 4])))
        #expect(try await journal.head(of: author.key)?.access == Self.access(2, readers: [3, 4]))
        await journal.keep(author.append(), author.grant(SessionAccess(owner: nil)), author.append())
        #expect(!author.tail.isBroken)
        let record = try await journal.record(of: author.key)
        #expect(record?.head == author.head)
        #expect(record?.entries.count == 4)
        #expect(record?.head.access == SessionAccess(owner: nil))
    }

    @Test(arguments: BackEnd.all)
    func `a session that was opened without tokens can get tokens later`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create())
        #expect(try await journal.head(of: author.key)?.access == nil)
        await journal.keep(author.grant(Self.access(1)))
        #expect(try await journal.head(of: author.key)?.access == Self.access(1))
    }

    @Test(arguments: BackEnd.all)
    func `a change of tokens is refused if it was not based on the current record`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1, access: Self.access(1))
        await journal.keep(author.create(), author.append())
        var late = author.forked()
        await journal.keep(author.append())
        await journal.keep(late.grant(Self.access(2)))
        #expect(late.tail.failure == .conflict)
        #expect(try await journal.head(of: author.key)?.access == Self.access(1))
        var over = author.forked()
        await journal.keep(author.end())
        await journal.keep(over.grant(Self.access(2)))
        #expect(over.tail.failure == .conflict)
        #expect(try await journal.head(of: author.key)?.access == Self.access(1))
    }

    @Test(arguments: BackEnd.all)
    func `the live sessions of a user are returned in pages, in the order of their keys`(backEnd: BackEnd) async throws
    {
        let journal = try Subject(backEnd)
        var authors: [Author] = []
        for number in UInt64(1)...9 {
            let subject: String? = number == 9 ? nil : number % 2 == 0 ? "kim" : "lee"
            var author = Author(number, access: Self.access(1, of: subject))
            await journal.keep(author.create(), author.append())
            authors.append(author)
        }
        let keys = authors.prefix(8).enumerated().filter { $0.offset % 2 == 1 }.map(\.element.key).sorted()
        let first = try await journal.sessions(matching: SessionQuery(for: "kim", limit: 3))
        #expect(first.map(\.key) == Array(keys.prefix(3)))
        #expect(first.allSatisfy { $0.head?.access?.subject == "kim" && $0.head?.revision == 2 })
        #expect(
            try await journal.sessions(
                matching: SessionQuery(for: "kim", after: first.last?.place(in: .id), limit: 3)
            ).map(\.key) == [keys[3]])
        #expect(try await journal.sessions(matching: SessionQuery(for: "", limit: 9)).isEmpty)
        await journal.keep(authors[1].end())
        #expect(
            try await journal.sessions(matching: SessionQuery(for: "kim", limit: 9)).map(\.key)
                == keys.filter { $0 != authors[1].key })
    }

    @Test(arguments: BackEnd.all)
    func `user names with equal characters but different bytes are different users`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        let names = ["jos\u{E9}", "jose\u{301}"]
        try #require(names[0] == names[1])
        var authors = names.enumerated().map { Author(UInt64($0) + 1, access: Self.access(1, of: $1)) }
        for index in authors.indices { await journal.keep(authors[index].create()) }
        for (name, author) in zip(names, authors) {
            #expect(try await journal.sessions(matching: SessionQuery(for: name, limit: 9)).map(\.key) == [author.key])
        }
        #expect(Self.access(1, of: names[0]) != Self.access(1, of: names[1]))
        await journal.keep(authors[0].end())
        #expect(try await journal.sessions(matching: SessionQuery(for: names[0], limit: 9)).isEmpty)
        #expect(
            try await journal.sessions(matching: SessionQuery(for: names[1], limit: 9)).map(\.key) == [authors[1].key])
    }

    @Test(arguments: BackEnd.all)
    func `a session that was purged can be created again for another user`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1, access: Self.access(1, of: "kim"))
        await journal.keep(author.create(), author.end(at: 1))
        #expect(try await journal.purge(endedBefore: 2, limit: 1) == 1)
        var again = Author(1, access: Self.access(1, of: "lee"))
        await journal.keep(again.create())
        #expect(try await journal.sessions(matching: SessionQuery(for: "kim", limit: 9)).isEmpty)
        #expect(try await journal.sessions(matching: SessionQuery(for: "kim", hasEnded: true, limit: 9)).isEmpty)
        #expect(try await journal.sessions(matching: SessionQuery(for: "lee", limit: 9)).map(\.key) == [author.key])
    }
}

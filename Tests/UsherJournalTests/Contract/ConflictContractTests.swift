import JournalSubject
import Testing
import UsherJournal

@Suite("Every journal refuses changes that do not follow its record")
struct ConflictContractTests {
    @Test(arguments: BackEnd.all)
    func `of two competing writers, one is refused, and that writer's later changes are skipped`(
        backEnd: BackEnd
    ) async throws {
        let journal = try Subject(backEnd)
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

    @Test(arguments: BackEnd.all)
    func `only the change with the conflict fails, and the rest of its group is committed`(backEnd: BackEnd)
        async throws
    {
        let journal = try Subject(backEnd)
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

    @Test(arguments: BackEnd.all)
    func `a session can be created only once`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var first = Author(1)
        var second = first.forked()
        await journal.keep(first.create(), first.append(), second.create())
        #expect(second.tail.failure == .conflict)
        #expect(try await journal.record(of: first.key)?.entries.count == 2)
    }

    @Test(arguments: BackEnd.all)
    func `an idempotency key can open only one session`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var first = Author(1)
        var second = Author(2)
        let answer = KeyedAnswer(key: "k", fingerprint: 1, revision: 1, body: [])
        await journal.keep(first.create(opening: answer))
        await journal.keep(second.create(opening: answer))
        #expect(second.tail.failure == .conflict)
        #expect(try await journal.record(of: second.key) == nil)
        #expect(try await journal.opening(under: "k")?.session == first.key)
        #expect(try await journal.count() == 1)
    }

    @Test(arguments: BackEnd.all)
    func `if two sessions are opened with the same key, one of the openings is refused`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var twins = [Author(1), Author(2)]
        let answer = KeyedAnswer(key: "k", fingerprint: 1, revision: 1, body: [])
        await journal.keep(twins[0].create(opening: answer), twins[1].create(opening: answer))
        let opened = twins.filter { !$0.tail.isBroken }
        #expect(opened.count == 1)
        #expect(try await journal.opening(under: "k")?.session == opened.first?.key)
        for twin in twins where twin.tail.isBroken {
            #expect(twin.tail.failure == .conflict)
            #expect(try await journal.record(of: twin.key) == nil)
        }
        #expect(try await journal.count() == 1)
    }

    @Test(arguments: BackEnd.all)
    func `a change that follows a session's end is refused`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create())
        var late = author.forked()
        var again = author.forked()
        await journal.keep(author.end())
        await journal.keep(late.append(), again.end())
        #expect(late.tail.failure == .conflict)
        #expect(again.tail.failure == .conflict)
    }

    @Test(arguments: BackEnd.all)
    func `a change that arrives after a session has ended changes nothing`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create(), author.append(answerUnder: "k"), author.end(at: 9))
        let before = try await journal.record(of: author.key)
        await journal.keep(author.erase(2), author.touch(99))
        #expect(!author.tail.isBroken)
        #expect(try await journal.record(of: author.key) == before)
    }

    @Test(arguments: BackEnd.all)
    func `a new session is refused if its entries do not match the header, or if the header has an end`(
        backEnd: BackEnd
    )
        async throws
    {
        let journal = try Subject(backEnd)
        var author = Author(1)
        guard case .create(let header, let entries, _) = author.create().action else { return }
        let ended = SessionHeader.End(reason: "early", time: 1)
        let wrong = [
            Self.changed(header) { $0.answers = 1 }, Self.changed(header) { $0.ending = ended },
            Self.changed(header) { $0.revision = 0 }, Self.changed(header) { $0.revision = 2 },
        ]
        for header in wrong {
            let tail = AuthorTail()
            await journal.keep(
                AuthoredChange(.create(header, entries: entries, opening: nil), of: author.key, at: tail))
            #expect(tail.failure == .conflict)
        }
        #expect(try await journal.record(of: author.key) == nil)
        #expect(try await journal.count() == 0)
    }

    /// Returns a copy of a header with a change.
    private static func changed(_ header: SessionHeader, _ change: (inout SessionHeader) -> Void) -> SessionHeader {
        var header = header
        change(&header)
        return header
    }

    private static let answer = KeyedAnswer(key: "new", fingerprint: nil, revision: 2, body: [1])
    private static let ending = SessionHeader.End(reason: "finished", time: 9)

    /// Returns changes to a session that must not follow its header.
    private static func strays(upon header: SessionHeader) -> [JournalChange.Action] {
        let next = changed(header) { $0.revision += 1 }
        let over = changed(header) { $0.ending = ending }
        let counting: (inout SessionHeader) -> Void = { $0.answers += 1 }
        return [
            // An answer that the header does not count, and a counted answer that is missing.
            .append(next, entry: [1], answer: answer), .extend(next, entries: [[1]], answer: answer),
            .append(changed(next, counting), entry: [1], answer: nil),
            .keep(header, answer: answer), .end(over, answer: answer), .end(changed(over, counting), answer: nil),
            // Wrong next revisions.
            .append(header, entry: [1], answer: nil),
            .append(changed(next) { $0.revision += 1 }, entry: [1], answer: nil),
            .append(changed(next) { $0.revision = .min }, entry: [1], answer: nil),
            .keep(changed(next, counting), answer: answer),
            .keep(changed(header) { ($0.revision, $0.answers) = ($0.revision - 1, $0.answers + 1) }, answer: answer),
            .extend(changed(next) { $0.revision += 1 }, entries: [[1]], answer: nil),
            .extend(next, entries: [[1], [1]], answer: nil), .extend(header, entries: [[1]], answer: nil),
            .end(changed(over) { $0.revision -= 1 }, answer: nil),
            // Ends without an ending, and an ending in a change that is no end.
            .end(header, answer: nil), .append(changed(next) { $0.ending = ending }, entry: [1], answer: nil),
            .extend(changed(next) { $0.ending = ending }, entries: [[1]], answer: nil),
            .keep(changed(over, counting), answer: answer),
            // Other tokens together with another change.
            .grant(next), .grant(over), .grant(changed(header, counting)),
            // Rows that exist already.
            .create(header, entries: [[1], [1], [1]], opening: nil),
        ]
    }

    @Test(arguments: BackEnd.all)
    func `a change that contradicts a count in the session's header is refused and changes nothing`(backEnd: BackEnd)
        async throws
    {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create(), author.append(answerUnder: "a"), author.append())
        let before = try await journal.record(of: author.key)
        for action in Self.strays(upon: author.head) {
            let tail = AuthorTail(at: author.tail.token)
            await journal.keep(AuthoredChange(action, of: author.key, at: tail))
            #expect(tail.failure == .conflict, "\(action)")
        }
        #expect(try await journal.record(of: author.key) == before)
        #expect(try await journal.count() == 1)
        await journal.keep(author.append(answerUnder: "b"), author.end())
        #expect(!author.tail.isBroken)
    }

    @Test(arguments: BackEnd.all)
    func `completing the answer of a key changes the stored answer; without a stored answer, nothing changes`(
        backEnd: BackEnd
    )
        async throws
    {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create(), author.append(answerUnder: "a"))
        let answer = KeyedAnswer(key: "a", fingerprint: 7, revision: 2, body: [9])
        for (key, action) in [
            (author.key, answer), (author.key, Self.answer), (Author(2).key, answer),
        ] {
            let tail = AuthorTail()
            await journal.keep(AuthoredChange(.complete(action), of: key, at: tail))
            #expect(!tail.isBroken)
        }
        #expect(try await journal.record(of: author.key)?.answers == [answer])
        #expect(try await journal.answer(under: "new", of: author.key) == nil)
        #expect(try await journal.record(of: Author(2).key) == nil)
    }

    @Test(arguments: BackEnd.all)
    func `a change to an unknown session is refused`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        let changes: [JournalChange.Action] = [
            .touch(1), .erase(revision: 1),
            .keep(Author(1).head, answer: KeyedAnswer(key: "k", fingerprint: nil, revision: 1, body: [])),
        ]
        for action in changes {
            let tail = AuthorTail()
            await journal.keep(AuthoredChange(action, of: Author(1).key, at: tail))
            #expect(tail.failure == .conflict)
        }
    }

    @Test(arguments: BackEnd.all)
    func `a conditional end of a session fails if the session was used after the time in the condition`(
        backEnd: BackEnd
    )
        async throws
    {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create(), author.append(), author.touch(5_000))
        let before = try await journal.record(of: author.key)
        var early = author.forked()
        await journal.keep(early.end(untouchedSince: 4_999))
        #expect(early.tail.failure == .conflict)
        #expect(try await journal.record(of: author.key) == before)
        await journal.keep(author.end(untouchedSince: 5_000))
        #expect(!author.tail.isBroken)
        #expect(try await journal.head(of: author.key)?.ending != nil)
    }

    @Test(arguments: BackEnd.all)
    func `a change after a failed change is skipped`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        author.tail.fail(.unsupported("gone"))
        await journal.keep(author.create())
        #expect(try await journal.record(of: author.key) == nil)
        #expect(author.tail.failure == .unsupported("gone"))
    }
}

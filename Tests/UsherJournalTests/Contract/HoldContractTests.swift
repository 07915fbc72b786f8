import JournalSubject
import Testing
import UsherJournal

@Suite("Every journal stores which sessions each build has put on hold")
struct HoldContractTests {
    private static let builds: [UInt64] = [0xA1, .max]

    private func hold(
        _ key: JournalKey, for build: UInt64, in journal: Subject, kind: String = "app-missing"
    ) async throws -> SessionHold {
        let head = try #require(try await journal.journal.head(of: key))
        let hold = SessionHold(
            on: key, by: build, at: RecordVersion(head.header, head.token), writtenBy: 7, kind: kind,
            reason: Array("{\"why\":1}".utf8))
        try await journal.change(.hold(hold))
        return hold
    }

    @Test(arguments: BackEnd.all)
    func `holds can be read for one build and a range of sessions, and are counted by kind`(
        backEnd: BackEnd
    ) async throws {
        let journal = try Subject(backEnd)
        var holds: [SessionHold] = []
        for number in UInt64(1)...5 {
            var author = Author(number)
            await journal.keep(author.create(), author.append())
            let kind = number == 5 ? "loses-facts" : "app-missing"
            holds.append(try await hold(author.key, for: Self.builds[0], in: journal, kind: kind))
        }
        let other = try await hold(holds[0].key, for: Self.builds[1], in: journal)
        holds.sort { $0.key < $1.key }
        #expect(try await journal.holds(for: Self.builds[0]) == holds)
        #expect(try await journal.holds(for: Self.builds[0], limit: 2) == Array(holds[..<2]))
        #expect(try await journal.holds(for: Self.builds[0], in: holds[1].key...holds[3].key) == Array(holds[1...3]))
        #expect(try await journal.holds(for: Self.builds[1]) == [other])
        #expect(try await journal.holdCounts(for: Self.builds[0]) == ["app-missing": 4, "loses-facts": 1])
        #expect(try await journal.holdCounts(for: 5).isEmpty)
        // Another verdict replaces it.
        let later = try await hold(holds[0].key, for: Self.builds[0], in: journal, kind: "start-fails")
        #expect(try await journal.holds(for: Self.builds[0], limit: 1) == [later])
        try await journal.change(.lift(later.key, build: Self.builds[0]))
        #expect(try await journal.holds(for: Self.builds[0]) == Array(holds[1...]))
        #expect(try await journal.holds(for: Self.builds[1]) == [other])
    }

    @Test(arguments: BackEnd.all, [false, true])
    func `a hold ends when its session gets a new entry or ends`(backEnd: BackEnd, hasKey: Bool) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create())
        let first = try await hold(author.key, for: Self.builds[0], in: journal)
        // Recording a use does not create a new version.
        await journal.keep(author.touch(9_000))
        #expect(try await journal.holds(for: Self.builds[0]) == [first])
        await journal.keep(author.append(answerUnder: hasKey ? "k" : nil))
        #expect(try await journal.holds(for: Self.builds[0]).isEmpty)
        #expect(try await journal.holdCounts(for: Self.builds[0]).isEmpty)
        // A late verdict is ignored.
        try await journal.change(.hold(first))
        #expect(try await journal.holds(for: Self.builds[0]).isEmpty)
        let second = try await hold(author.key, for: Self.builds[0], in: journal)
        #expect(try await journal.holds(for: Self.builds[0]) == [second])
        await journal.keep(author.end())
        #expect(try await journal.holds(for: Self.builds[0]).isEmpty)
    }

    @Test(arguments: BackEnd.all)
    func `a hold on a session with an unreadable header lasts until it is lifted`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create())
        let hold = SessionHold(
            on: author.key, by: 1, at: nil, writtenBy: nil, kind: "record-damaged", reason: [])
        try await journal.change(.hold(hold))
        // A journal of one server sees that its header can be read.
        let standing = try await journal.holds(for: 1)
        #expect(standing.allSatisfy { $0 == hold })
        try await journal.change(.lift(author.key, build: 1))
        #expect(try await journal.holds(for: 1).isEmpty)
    }

    @Test(arguments: BackEnd.ofThisProcess)
    func `a session on hold is not due for the build that put it on hold`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var authors = (UInt64(1)...3).map { Author($0) }
        for index in authors.indices {
            authors[index].rest(until: 10)
            await journal.keep(authors[index].create())
        }
        _ = try await hold(authors[1].key, for: Self.builds[1], in: journal)
        let keys = authors.map(\.key)
        #expect(
            try await journal.due(by: 20, limit: 9, for: Self.builds[1]).map(\.key) == [keys[0], keys[2]].sorted())
        #expect(try await journal.due(by: 20, limit: 9, for: Self.builds[0]).map(\.key) == keys.sorted())
        await journal.keep(authors[1].append())
        #expect(try await journal.due(by: 20, limit: 9, for: Self.builds[1]).map(\.key) == keys.sorted())
    }

    @Test(arguments: BackEnd.all.filter { $0.testDescription.first != "m" && $0.testDescription.first != "b" })
    func `the holds of a build are deleted a week after the build was seen last`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1)
        await journal.keep(author.create())
        let (now, week): (Int64, Int64) = (1_000_000_000_000, 7 * 24 * 60 * 60_000)
        for build in Self.builds {
            try await journal.note(build, at: now)
            _ = try await hold(author.key, for: build, in: journal)
        }
        try await journal.note(Self.builds[1], at: now + week)
        #expect(try await journal.holds(for: Self.builds[0]).count == 1)
        try await journal.note(Self.builds[1], at: now + week + 1)
        #expect(try await journal.holds(for: Self.builds[0]).isEmpty)
        #expect(try await journal.holds(for: Self.builds[1]).count == 1)
    }
}

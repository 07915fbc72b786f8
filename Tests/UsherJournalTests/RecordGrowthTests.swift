import Testing
import UsherJournal

@Suite("What others have written")
struct RecordGrowthTests {
    private static let key = EntryTests.key
    /// A tree at the second revision, upon which an answer alone was written.
    private static let known = RecordToken(revision: 2, mark: 20, entryMark: 12)

    private static func header(_ revision: Int, answers: Int = 0, isOver: Bool = false) -> SessionHeader {
        SessionHeader(
            app: "notes", created: 0, revision: revision, time: 0, bytes: 0, answers: answers,
            ending: isOver ? SessionHeader.End(reason: "finished", time: 9) : nil)
    }

    /// The rows of some revisions, each with the mark 10 more than its revision.
    private static func rows(_ revisions: ClosedRange<Int>) -> [RecordGrowth.Row] {
        revisions.map { revision in
            let ids = EntryTests.ids(1, 1)
            let entry = Entry(.input, revision: revision, time: 0, before: ids, after: ids, digest: 0, payload: [])
            return RecordGrowth.Row(revision: revision, mark: UInt64(10 + revision), content: entry.bytes(of: key))
        }
    }

    private static func growth(
        _ header: SessionHeader, mark: UInt64, _ rows: [RecordGrowth.Row], answers: [[UInt8]] = [],
        since token: RecordToken = known
    ) throws -> RecordGrowth {
        try RecordGrowth(header, mark: mark, rows: rows, answers: answers, since: token, of: key)
    }

    @Test func `entries beyond the tree's are further ones, with the version that they lead to`() throws {
        let answer = KeyedAnswer(key: "k", fingerprint: 1, revision: 4, body: [])
        let header = Self.header(4, answers: 1)
        let growth = try Self.growth(header, mark: 14, Self.rows(2...4), answers: [answer.bytes(of: Self.key)])
        guard case .further(let head, let entries, let answers) = growth else {
            Issue.record("it is \(growth)")
            return
        }
        #expect(head == RecordHead(header, token: RecordToken(revision: 4, mark: 14)))
        #expect(entries.map(\.revision) == [3, 4])
        #expect(answers == [answer])
    }

    @Test func `an answer alone brings another version of the same revision`() throws {
        let growth = try Self.growth(Self.header(2), mark: 21, Self.rows(2...2))
        guard case .further(let head, let entries, _) = growth else {
            Issue.record("it is \(growth)")
            return
        }
        #expect(head.token == RecordToken(revision: 2, mark: 21, entryMark: 12))
        #expect(entries.isEmpty)
    }

    @Test func `where commits were lost, the record is another`() throws {
        let other = RecordToken(revision: 2, mark: 99)
        for growth in [
            try Self.growth(Self.header(1), mark: 11, []),
            try Self.growth(Self.header(4), mark: 14, Self.rows(2...4), since: other),
            try Self.growth(Self.header(2), mark: 12, Self.rows(2...2), since: other),
        ] {
            guard case .another = growth else {
                Issue.record("it is \(growth)")
                return
            }
        }
    }

    @Test func `a session that has ended has no entries any more`() throws {
        for header in [Self.header(2, isOver: true), Self.header(7, isOver: true)] {
            guard case .ended(let head) = try Self.growth(header, mark: 50, []) else {
                Issue.record("it goes on")
                return
            }
            #expect(head.header == header && head.token?.mark == 50)
        }
    }

    @Test func `rows that are missing or damaged are no growth`() {
        let torn = [Self.rows(2...3), Self.rows(3...4), [], Self.rows(2...2) + Self.rows(4...4)]
        for rows in torn {
            #expect(throws: JournalError.corrupt(.incomplete)) {
                _ = try Self.growth(Self.header(4), mark: 14, rows)
            }
        }
        #expect(throws: JournalError.corrupt(.incomplete)) {
            _ = try Self.growth(Self.header(2, answers: 1), mark: 12, Self.rows(2...2))
        }
        var rows = Self.rows(2...3)
        rows[1] = RecordGrowth.Row(revision: 3, mark: 13, content: [1, 2, 3, 4, 5, 6, 7])
        #expect(throws: JournalError.corrupt(.checksum)) { _ = try Self.growth(Self.header(3), mark: 13, rows) }
    }
}

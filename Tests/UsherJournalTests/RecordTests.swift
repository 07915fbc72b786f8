import Testing
import UsherJournal

@Suite("Headers, answers and records")
struct RecordTests {
    static let live = SessionHeader(
        app: "sooda", created: -1, revision: 2, time: 1_795_181_309_042, bytes: 70, answers: 1)
    static let ended = SessionHeader(
        app: "заметки", created: 1, revision: .max, time: .min, bytes: .max, answers: 300,
        ending: SessionHeader.End(reason: "expired", time: 5))
    static let told = SessionHeader(
        app: "sooda", created: 1, revision: 2, time: 3, bytes: 4,
        ending: SessionHeader.End(reason: "finished", time: 5, details: Array(#"{"result":1}"#.utf8)))
    static let owned = SessionHeader(
        app: "sooda", created: 1, revision: 2, time: 3, bytes: 4, wakeAt: 9,
        access: SessionAccess(
            owner: TokenHash(of: [1]), readers: [TokenHash(of: [2]), TokenHash(of: [3])], subject: "김"),
        ending: SessionHeader.End(reason: "finished", time: 5))
    static let revoked = SessionHeader(
        app: "sooda", created: 1, revision: 2, time: 3, bytes: 4, access: SessionAccess(owner: nil))
    static let begunAnew = SessionHeader(
        app: "sooda", created: 1, revision: 12, time: 3, bytes: 4, wakeAt: 9, access: SessionAccess(owner: nil),
        history: SessionHeader.HistoryBounds(start: 12, inputLimit: 10_000))
    static let limited = SessionHeader(
        app: "sooda", created: 1, revision: 2, time: 3, bytes: 4,
        ending: SessionHeader.End(reason: "finished", time: 5),
        history: SessionHeader.HistoryBounds(inputLimit: 1))
    static let reserved: SessionHeader = {
        var header = begunAnew
        let entry = Entry(
            .divergence, revision: 13, time: 3, before: .init(screen: 7, coordinator: 8),
            after: .init(screen: 9, coordinator: 300), digest: .max, payload: [])
        header.reservation = SessionHeader.Reservation(of: entry, by: .max)
        return header
    }()
    static let answer = KeyedAnswer(key: "k", fingerprint: .max, revision: 2, body: Array("{}".utf8))

    @Test(arguments: [live, ended, told, owned, revoked, begunAnew, limited, reserved])
    func `a header is the same after writing and reading it`(head: SessionHeader) throws {
        #expect(try SessionHeader(head.bytes(of: EntryTests.key), of: EntryTests.key) == head)
    }

    @Test func `a header is malformed if its first revision is after its newest revision`() {
        var head = Self.live
        head.history.start = 3
        #expect(throws: EntryError.malformed) {
            try SessionHeader(head.bytes(of: EntryTests.key), of: EntryTests.key)
        }
    }

    @Test(arguments: [
        answer, KeyedAnswer(key: "k", fingerprint: nil, revision: 2, body: []),
        KeyedAnswer(key: "", fingerprint: 0, revision: 0, body: []),
    ])
    func `an answer is the same after writing and reading it`(answer: KeyedAnswer) throws {
        #expect(try KeyedAnswer(answer.bytes(of: EntryTests.key), of: EntryTests.key) == answer)
    }

    @Test func `a session's record is built from the rows in the database`() throws {
        let record = try record(revisions: [1, 2], answers: 1)
        #expect(record.head == Self.live)
        #expect(record.entries.map(\.revision) == [1, 2])
        #expect(record.answers == [Self.answer])
    }

    @Test(arguments: [([1], 1), ([1, 2, 3], 1), ([2, 1], 1), ([1, 1], 1), ([1, 2], 0), ([1, 2], 2)])
    func `a record with a missing or surplus row is damaged`(revisions: [Int], answers: Int) {
        #expect(throws: JournalError.corrupt(.incomplete)) { try record(revisions: revisions, answers: answers) }
    }

    @Test func `the error for a damaged row explains the damage`() {
        #expect(
            JournalError.corrupt(.checksum).description
                == "the session's record is damaged: a row was changed after it was written")
    }

    private func record(revisions: [Int], answers: Int) throws -> SessionRecord {
        let key = EntryTests.key
        let ids = EntryTests.ids(1, 1)
        let entries = revisions.map {
            Entry(.input, revision: $0, time: 0, before: ids, after: ids, digest: 0, payload: []).bytes(of: key)
        }
        return try SessionRecord(
            head: Self.live.bytes(of: key), entries: entries,
            answers: Array(repeating: Self.answer.bytes(of: key), count: answers), of: key)
    }
}

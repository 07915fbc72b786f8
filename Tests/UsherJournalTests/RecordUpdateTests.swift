import Testing
import UsherJournal

/// Tests of the rules for unreadable headers, which a journal in memory never has; the contract tests the others.
@Suite("Changes to a damaged session")
struct RecordUpdateTests {
    private let key = JournalKey(high: 1, low: 2)
    private let header = RecordTests.live
    private let answer = RecordTests.answer

    private func update(_ action: JournalChange.Action) throws -> RecordUpdate {
        try JournalChange(action, of: key).update(upon: .damaged(.checksum))
    }

    @Test func `a session with a damaged header refuses entries and answers`() {
        for action in [
            JournalChange.Action.append(header, entry: [1], answer: nil), .keep(header, answer: answer),
        ] {
            #expect(throws: JournalError.corrupt(.checksum)) { _ = try update(action) }
        }
        #expect(throws: JournalError.conflict) { _ = try update(.create(header, entries: [[1], [1]], opening: nil)) }
    }

    @Test(arguments: [false, true])
    func `ending a session with a damaged header replaces its whole record`(isAnswered: Bool) throws {
        var over = header
        over.answers = 40
        over.ending = SessionHeader.End(reason: "deleted", time: 5)
        let update = try update(.end(over, answer: isAnswered ? answer : nil))
        guard case .replace(let written, let kept) = update else {
            Issue.record("it is \(update)")
            return
        }
        #expect(written.ending == over.ending && written.answers == (isAnswered ? 1 : 0))
        #expect(kept == (isAnswered ? answer : nil))
        #expect(update.growth == -1)
        #expect(throws: JournalError.conflict) { _ = try self.update(.end(header, answer: nil)) }
    }

    @Test func `a session with a damaged header accepts erasures, completed answers and notes of use`() throws {
        guard case .erase(revision: 2) = try update(.erase(revision: 2)), case .touch(9) = try update(.touch(9)),
            case .complete(answer) = try update(.complete(answer)), case .nothing = try update(.erase(revision: 0))
        else {
            Issue.record("it is something else")
            return
        }
    }

    @Test func `an answer replaces only a stored answer with the same key`() throws {
        let bytes = answer.bytes(of: key)
        let other = KeyedAnswer(key: "other", fingerprint: nil, revision: 9, body: [])
        let complete = KeyedAnswer(key: answer.key, fingerprint: 1, revision: 2, body: [1, 2, 3])
        #expect(try complete.replaces(bytes, of: key))
        #expect(try !other.replaces(bytes, of: key))
        #expect(throws: JournalError.corrupt(.checksum)) {
            _ = try complete.replaces(bytes, of: JournalKey(high: 1, low: 3))
        }
    }

    @Test func `an entry is rewritten only if some of its secrets are not yet erased`() throws {
        let entry = EntryTests.entries[3]
        let erased = try #require(try RecordUpdate.erased(entry: entry.bytes(of: EntryTests.key), of: EntryTests.key))
        #expect(try Entry(erased, of: EntryTests.key) == entry.erased)
        for entry in [EntryTests.entries[1], entry.erased] {
            #expect(try RecordUpdate.erased(entry: entry.bytes(of: EntryTests.key), of: EntryTests.key) == nil)
        }
    }

    @Test func `a session's seventeenth stored answer makes the session's first answer outdated`() {
        var header = header
        header.answers = 16
        #expect(header.outdatedAnswer == nil)
        header.answers = 17
        #expect(header.outdatedAnswer == 1)
    }
}

import HelloBye
import Synchronization
import Testing
import Usher
import UsherJSON
import UsherJournal
import UsherSessions

@Suite("A session and its journal")
struct JournalTests {
    private let clock = ManualClock()

    @Test func `every accepted input is an entry, and nothing else is`() throws {
        let journal = MemoryJournal()
        let session = try registry(journal).open("ledger", options: Array(#"{"owner":"kim"}"#.utf8)).session
        clock.advance(by: 7)
        try session.send(#"{"screen":1, "event":{"add":{"_0":"tea"}}}"#)
        _ = try session.error(of: #"{"event":"nine"}"#)
        _ = try session.error(of: #"{"event":"refuse"}"#)
        try session.send(#"{"popped":2}"#)
        let entries = try entries(of: session, in: journal)
        #expect(entries.map(\.revision) == [1, 2])
        #expect(entries.map(\.time) == [0, 7])
        let creation = try JSONDocument(parsing: entries[0].payload).root
        #expect(creation[member: "app"]?.string == "ledger")
        #expect(creation[member: "options"]?[member: "owner"]?.string == "kim")
        #expect(String(decoding: entries[1].payload, as: UTF8.self) == #"{"screen":1,"event":{"add":{"_0":"tea"}}}"#)
    }

    @Test func `what the journal does not take has not happened`() throws {
        let journal = BrittleJournal()
        let session = try registry(journal).open("ledger").session
        try session.send(#"{"event":{"add":{"_0":"tea"}}}"#)
        let before = try session.snapshot().text
        journal.isBroken.store(true, ordering: .relaxed)
        guard case .notRecorded = try session.error(of: #"{"event":{"add":{"_0":"milk"}}}"#) else {
            Issue.record("it happened")
            return
        }
        #expect(try session.snapshot().text == before)
        journal.isBroken.store(false, ordering: .relaxed)
        #expect(try session.send(#"{"event":{"add":{"_0":"milk"}}}"#).revision == 3)
    }

    @Test func `a leak of an input that was not recorded has not happened either`() throws {
        let journal = BrittleJournal()
        let registry = registry(journal)
        let session = try registry.open("ledger").session
        journal.isBroken.store(true, ordering: .relaxed)
        guard case .notRecorded = try session.error(of: #"{"event":"leak"}"#) else {
            Issue.record("it happened")
            return
        }
        #expect(try !session.snapshot().text.contains("leaks"))
        #expect(registry.census.leaked == 0)
    }

    @Test func `a session whose creation is not recorded is not opened`() throws {
        let journal = BrittleJournal()
        journal.isBroken.store(true, ordering: .relaxed)
        let registry = registry(journal)
        #expect {
            try registry.open("ledger")
        } throws: { error in
            if case SessionError.notRecorded = error { true } else { false }
        }
        #expect(registry.sessionCount == 0)
    }

    @Test func `a session that has ended is forgotten`() throws {
        let journal = MemoryJournal()
        let registry = registry(journal)
        let session = try registry.open("hello-bye").session
        _ = try registry.end(session)
        #expect(try entries(of: session, in: journal).isEmpty)
        let other = try registry.open("ledger").session
        try other.send(#"{"event":"finish"}"#)
        #expect(try entries(of: other, in: journal).isEmpty)
    }

    private func registry(_ journal: any Journal) -> SessionRegistry {
        SessionRegistry(
            apps: [HelloByeApp.self, LedgerApp.self], journal: journal, clock: clock, random: CountingRandom())
    }

    private func entries(of session: Session, in journal: MemoryJournal) throws -> [Entry] {
        let digits = Array(session.id.text)
        let words = [digits[..<16], digits[16...]].map { UInt64(String($0), radix: 16) ?? 0 }
        return try journal.entries(of: JournalKey(high: words[0], low: words[1])).map { try Entry($0) }
    }
}

/// A journal that can be told to fail.
private final class BrittleJournal: Journal {
    let isBroken = Atomic(false)
    private let memory = MemoryJournal()

    func append(_ entry: [UInt8], revision: Int, to key: JournalKey) throws(JournalError) {
        guard !isBroken.load(ordering: .relaxed) else { throw .conflict(expected: 0, found: revision) }
        try memory.append(entry, revision: revision, to: key)
    }

    func entries(of key: JournalKey) -> [[UInt8]] { memory.entries(of: key) }

    func remove(_ key: JournalKey) { memory.remove(key) }
}

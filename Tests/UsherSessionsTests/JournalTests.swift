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

    @Test func `the journal has one entry for each accepted input, and no other entries`() async throws {
        let journal = MemoryJournal()
        let session = try await registry(journal).open("ledger", options: Array(#"{"owner":"kim"}"#.utf8)).session
        clock.advance(by: 7)
        try await session.send(#"{"screen":1, "event":{"add":{"_0":"tea"}}}"#)
        _ = try await session.error(of: #"{"event":"nine"}"#)
        _ = try await session.error(of: #"{"event":"refuse"}"#)
        try await session.send(#"{"popped":2}"#)
        let entries = try entries(of: session, in: journal)
        #expect(entries.map(\.revision) == [1, 2])
        #expect(entries.map(\.time) == [0, 7])
        let creation = try JSONDocument(parsing: entries[0].payload).root
        #expect(creation[member: "app"]?.string == "ledger")
        #expect(creation[member: "options"]?[member: "owner"]?.string == "kim")
        #expect(String(decoding: entries[1].payload, as: UTF8.self) == #"{"screen":1,"event":{"add":{"_0":"tea"}}}"#)
    }

    @Test func `an input that the journal cannot store has no effect`() async throws {
        let journal = BrittleJournal()
        let session = try await registry(journal).open("ledger").session
        try await session.send(#"{"event":{"add":{"_0":"tea"}}}"#)
        let before = try await session.snapshot().text
        journal.isBroken.store(true, ordering: .relaxed)
        guard case .notRecorded = try await session.error(of: #"{"event":{"add":{"_0":"milk"}}}"#) else {
            Issue.record("it happened")
            return
        }
        #expect(try await session.snapshot().text == before)
        journal.isBroken.store(false, ordering: .relaxed)
        #expect(try await session.send(#"{"event":{"add":{"_0":"milk"}}}"#).revision == 3)
    }

    @Test func `a leak is not reported if the input that caused it was not recorded`() async throws {
        let journal = BrittleJournal()
        let registry = registry(journal)
        let session = try await registry.open("ledger").session
        journal.isBroken.store(true, ordering: .relaxed)
        guard case .notRecorded = try await session.error(of: #"{"event":"leak"}"#) else {
            Issue.record("it happened")
            return
        }
        #expect(try await !session.snapshot().text.contains("leaks"))
        #expect(registry.coordinatorCounts.leaked == 0)
    }

    @Test func `a session whose creation is not recorded is not opened`() async throws {
        let journal = BrittleJournal()
        journal.isBroken.store(true, ordering: .relaxed)
        let registry = registry(journal)
        await #expect {
            try await registry.open("ledger")
        } throws: { error in
            if case SessionError.notRecorded = error { true } else { false }
        }
        #expect(registry.sessionCount == 0)
    }

    @Test func `an ended session is removed from the journal`() async throws {
        let journal = MemoryJournal()
        let registry = registry(journal)
        let session = try await registry.open("hello-bye").session
        _ = try await registry.end(session.id)
        #expect(try entries(of: session, in: journal).isEmpty)
        let other = try await registry.open("ledger").session
        try await other.send(#"{"event":"finish"}"#)
        #expect(try entries(of: other, in: journal).isEmpty)
    }

    private func registry(_ journal: any Journal) -> SessionRegistry {
        SessionRegistry(
            apps: [HelloByeApp.self, LedgerApp.self], journal: journal, clock: clock, random: CountingRandom())
    }

    private func entries(of session: Session, in journal: MemoryJournal) throws -> [Entry] {
        try journal.record(of: session.id.key)?.entries ?? []
    }
}

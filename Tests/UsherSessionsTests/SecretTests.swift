import Synchronization
import Testing
import Usher
import UsherJSON
import UsherJournal
import UsherSessions

@Suite("Secrets of a session")
struct SecretTests {
    private let journal = MemoryJournal()
    private let registry: SessionRegistry

    init() {
        registry = SessionRegistry(apps: [SafeApp.self], journal: journal, clock: ManualClock())
    }

    @Test func `a secret that the app neither keeps nor reads is never written to the journal`() async throws {
        let session = try await registry.open("safe", options: Array(#"{"owner":"hunter0"}"#.utf8)).session
        try await session.send(#"{"event":{"ignore":{"_0":"hunter1"}}}"#)
        #expect(try !kept(session).contains("hunter"))
        #expect(try entries(session).map(\.isErased) == [true, true])
        try await expectReplay(session)
    }

    @Test func `the options of an ended session are not returned if they have a secret`() async throws {
        let session = try await registry.open("safe", options: Array(#"{"owner":"hunter0"}"#.utf8)).session
        _ = try await registry.end(session.id)
        let head = try #require(journal.head(of: session.id.key)?.header)
        #expect(head.ending?.details == [])
    }

    @Test func `as long as a coordinator keeps a secret, the secret stays in the journal and is masked in output`()
        async throws
    {
        let session = try await registry.open("safe").session
        let answer = try await session.send(#"{ "event" : { "keep" : { "_0" : "hunter\u0032" } } }"#)
        #expect(answer.text.contains(#""kept":"…""#))
        #expect(!answer.text.contains("hunter"))
        #expect(try kept(session).contains(#""hunter\u0032""#))
        #expect(try masked(session) == #"{"event":{ "keep" : { "_0" : "…" } }}"#)
        try await session.send(#"{"event":"drop"}"#)
        #expect(try !kept(session).contains("hunter"))
        #expect(try masked(session) == #"{"event":{ "keep" : { "_0" : "…" } }}"#)
        try await expectReplay(session)
    }

    @Test func `if a handler reads a secret, the secret stays in the journal, because a replay reads it too`()
        async throws
    {
        let session = try await registry.open("safe").session
        let before = try await session.send(#"{"event":{"read":{"_0":"hunter2"}}}"#).text
        try await session.send(#"{"event":"drop"}"#)
        #expect(try kept(session).contains("hunter2"))
        #expect(before.contains(#""length":7"#))
        try await expectReplay(session)
    }

    @Test func `an effect's secret is erased when the effect's result is recorded`() async throws {
        let session = try await registry.open("safe").session
        let event = try JSONDocument(parsing: Array(#"{"event":{"pass":{"_0":"hunter2"}}}"#.utf8)).root
        let request = InputRequest(try InputAction(event), wait: .seconds(5))
        let answer = try await registry.handle(request, on: session.id)
        #expect(String(decoding: answer.state, as: UTF8.self).contains(#""length":7"#))
        #expect(try !kept(session).contains("hunter"))
        try await expectReplay(session)
    }

    @Test func `a refused input does not erase a secret that a coordinator keeps`() async throws {
        let session = try await registry.open("safe").session
        try await session.send(#"{"event":{"keep":{"_0":"hunter2"}}}"#)
        _ = try await session.error(of: #"{"event":"refuse"}"#)
        _ = try await session.snapshot()
        #expect(try kept(session).contains("hunter2"))
        try await session.send(#"{"event":"drop"}"#)
        #expect(try !kept(session).contains("hunter2"))
        try await expectReplay(session)
    }

    @Test func `secrets that were not erased before a crash are erased after the restart`() async throws {
        let journal = BrittleJournal()
        let first = SessionRegistry(apps: [SafeApp.self], journal: journal, clock: ManualClock())
        let session = try await first.open("safe").session
        try await session.send(#"{"event":{"keep":{"_0":"hunter2"}}}"#)
        journal.losesErasures.store(true, ordering: .relaxed)
        try await session.send(#"{"event":"drop"}"#)
        #expect(try text(of: session.id, in: journal.memory).contains("hunter2"))
        journal.losesErasures.store(false, ordering: .relaxed)
        let second = SessionRegistry(apps: [SafeApp.self], journal: journal, clock: ManualClock())
        _ = try await second.snapshot(of: session.id)
        #expect(try !text(of: session.id, in: journal.memory).contains("hunter2"))
    }

    @Test func `an input is accepted even if its secrets cannot be erased at once, and they are erased later`()
        async throws
    {
        let journal = BrittleJournal()
        let registry = SessionRegistry(apps: [SafeApp.self], journal: journal, clock: ManualClock())
        let session = try await registry.open("safe").session
        try await session.send(#"{"event":{"keep":{"_0":"hunter2"}}}"#)
        journal.failsErasures.store(true, ordering: .relaxed)
        #expect(try await session.send(#"{"event":"drop"}"#).revision == 3)
        #expect(try text(of: session.id, in: journal.memory).contains("hunter2"))
        await #expect(throws: SessionError.self, "each tree tries again") { try await session.snapshot() }
        journal.failsErasures.store(false, ordering: .relaxed)
        #expect(try await session.snapshot().revision == 3)
        #expect(try !text(of: session.id, in: journal.memory).contains("hunter2"))
    }

    @Test func `after a resumption is written, the secrets of the inputs that it drops are erased`() async throws {
        let old = SessionRegistry(apps: [SafeApp.self, FirstBuild.self], journal: journal, clock: ManualClock())
        let session = try await old.open("safe").session
        try await session.send(#"{"event":"drop"}"#)
        try await session.send(#"{"event":{"keep":{"_0":"hunter2"}}}"#)
        #expect(try kept(session).contains("hunter2"))
        let new = SessionRegistry(
            apps: [StricterSafeApp.self], journal: journal, clock: ManualClock(), crashes: CrashSettings(build: { 2 }))
        let snapshot = try await new.snapshot(of: session.id)
        #expect(snapshot.text.contains(#""resumed":{"revision":1,"#), "\(snapshot.text)")
        #expect(try kept(session).contains("hunter2"), "the former build may still restore the session")
        #expect(try await new.confirmRelease().isEmpty)
        #expect(try !kept(session).contains("hunter2"))
    }

    @Test func `a dropped input's secret is kept until the resumption is written`()
        async throws
    {
        let journal = BrittleJournal()
        let old = SessionRegistry(apps: [SafeApp.self], journal: journal, clock: ManualClock())
        let session = try await old.open("safe").session
        try await session.send(#"{"event":"drop"}"#)
        try await session.send(#"{"event":{"keep":{"_0":"hunter2"}}}"#)
        let new = SessionRegistry(
            apps: [StricterSafeApp.self], journal: journal, clock: ManualClock(), crashes: CrashSettings(build: { 2 }))
        _ = try await new.snapshot(of: session.id)
        journal.failOnce()
        await #expect(throws: SessionError.self) {
            try await new.handle(InputRequest(try action(#"{"event":{"keep":{"_0":"other"}}}"#)), on: session.id)
        }
        #expect(try text(of: session.id, in: journal.memory).contains("hunter2"))
        #expect(try await new.snapshot(of: session.id).text.contains(#""resumed":{"revision":1,"#))
        #expect(try await new.confirmRelease().isEmpty)
        #expect(try !text(of: session.id, in: journal.memory).contains("hunter2"))
    }

    @Test func `a request with a repeated key gets its stored answer, even after its secret was erased`() async throws {
        let session = try await registry.open("safe").session
        let input = try action(#"{"event":{"ignore":{"_0":"hunter1"}}}"#)
        let key = IdempotencyKey("a", fingerprint: 1)
        let first = try await registry.handle(InputRequest(input, key: key), on: session.id)
        #expect(try await registry.handle(InputRequest(input, key: key), on: session.id).state == first.state)
        #expect(try journal.answer(under: "a", of: session.id.key)?.fingerprint == nil)
    }

    @Test func `a stored answer that waited for an effect contains no digest of the request's secret`() async throws {
        let session = try await registry.open("safe").session
        let input = try action(#"{"event":{"pass":{"_0":"hunter1"}}}"#)
        let request = InputRequest(input, key: IdempotencyKey("a", fingerprint: 1), wait: .seconds(5))
        let answer = try await registry.handle(request, on: session.id)
        #expect(answer.text.contains(#""length":7"#))
        #expect(try !kept(session).contains("hunter"))
        let stored = try #require(try journal.answer(under: "a", of: session.id.key))
        #expect(stored.fingerprint == nil && stored.body == answer.state)
    }

    private func expectReplay(_ session: Session) async throws {
        let expected = try await session.snapshot().text
        let other = SessionRegistry(apps: [SafeApp.self], journal: journal, clock: ManualClock())
        let text = try await other.snapshot(of: session.id).text
        #expect(text == expected)
        #expect(!text.contains("warnings"))
    }

    private func masked(_ session: Session) throws -> String {
        String(decoding: try #require(try entries(session).dropFirst().first).maskedPayload, as: UTF8.self)
    }

    private func entries(_ session: Session) throws -> [Entry] {
        try journal.record(of: session.id.key)?.entries ?? []
    }

    private func kept(_ session: Session) throws -> String {
        try text(of: session.id, in: journal)
    }

    private func text(of id: SessionID, in journal: MemoryJournal) throws -> String {
        let payloads = try journal.record(of: id.key)?.entries.map { String(decoding: $0.payload, as: UTF8.self) }
        return (payloads ?? []).joined(separator: "\n")
    }
}

import Synchronization
import Testing
import Usher
import UsherJSON
import UsherJournal
import UsherSessions

@Suite("Idempotency keys")
struct IdempotencyTests {
    private let journal = MemoryJournal()
    private let registry: SessionRegistry

    init() {
        registry = SessionRegistry(
            apps: [LedgerApp.self], journal: journal, clock: ManualClock(), random: CountingRandom())
    }

    @Test func `a request with a repeated key gets the first answer, and its input is handled once`() async throws {
        let id = try await registry.open("ledger").session.id
        let first = try await roll(id, key: "a")
        _ = try await roll(id, key: "b")
        let again = try await roll(id, key: "a")
        #expect(again.state == first.state)
        #expect(again.revision == 2)
        #expect(again.isReplayed)
        #expect(!first.isReplayed)
        #expect(try await registry.snapshot(of: id).revision == 3)
    }

    @Test func `a request with a repeated key gets its answer even after a restart or after the session's end`()
        async throws
    {
        let id = try await registry.open("ledger").session.id
        let first = try await roll(id, key: "a")
        let next = SessionRegistry(apps: [LedgerApp.self], journal: journal, clock: ManualClock())
        #expect(try await roll(id, key: "a", in: next).state == first.state)
        let last = try await send(#"{"event":"finish"}"#, id, key: "end", in: next)
        #expect(last.ending != nil)
        #expect(try await send(#"{"event":"finish"}"#, id, key: "end", in: next).state == last.state)
        #expect(try await roll(id, key: "a", in: next).state == first.state)
        await #expect { try await roll(id, key: "new", in: next) } throws: { error in
            if case SessionError.ended = error { true } else { false }
        }
    }

    @Test func `beyond a limit, the oldest stored answers lose their bodies, and no input is handled twice`()
        async throws
    {
        var bounds = SessionRegistry.Configuration()
        bounds.answerLimit = 2_000
        let registry = SessionRegistry(
            apps: [LedgerApp.self], configuration: bounds, journal: journal, clock: ManualClock())
        let id = try await registry.open("ledger").session.id
        var answers: [Snapshot] = []
        for number in 0..<10 { answers.append(try await roll(id, key: "\(number)", in: registry)) }
        let record = try #require(try journal.record(of: id.key))
        #expect(record.answers.count == 10)
        #expect(record.answers.reduce(0) { $0 + $1.body.count } <= 2_000)
        #expect(record.answers.last?.body == answers.last?.state)
        for number in 0..<10 {
            let again = try await roll(id, key: "\(number)", in: registry)
            #expect(again.isReplayed)
            let isKept = !record.answers[number].body.isEmpty
            #expect(again.state == (isKept ? answers[number] : answers[9]).state)
        }
        #expect(try await registry.snapshot(of: id).revision == 11)
        // The limit also applies to a tree that was rebuilt from the journal.
        let next = SessionRegistry(
            apps: [LedgerApp.self], configuration: bounds, journal: journal, clock: ManualClock())
        for number in 10..<14 { _ = try await roll(id, key: "\(number)", in: next) }
        let later = try #require(try journal.record(of: id.key))
        #expect(later.answers.reduce(0) { $0 + $1.body.count } <= 2_000)
    }

    @Test func `a request with a repeated key and another body is refused`() async throws {
        let id = try await registry.open("ledger").session.id
        _ = try await roll(id, key: "a")
        await #expect { try await send(#"{"event":"finish"}"#, id, key: "a") } throws: { error in
            if case SessionError.keyReused = error { true } else { false }
        }
        #expect(try await registry.snapshot(of: id).revision == 2)
    }

    @Test
    func `if the stored answer of a key cannot be read, the request's outcome is reported as unknown`()
        async throws
    {
        let journal = BrittleJournal()
        let registry = SessionRegistry(apps: [LedgerApp.self], journal: journal, clock: ManualClock())
        let id = try await registry.open("ledger").session.id
        _ = try await roll(id, key: "a", in: registry)
        _ = try await registry.end(id)
        journal.failsAnswers.store(true, ordering: .relaxed)
        await #expect { try await roll(id, key: "a", in: registry) } throws: { error in
            if case SessionError.outcomeUnknown = error { true } else { false }
        }
    }

    @Test func `concurrent requests with the same key are handled as one input`() async throws {
        let id = try await registry.open("ledger").session.id
        let snapshots = try await withThrowingTaskGroup(of: Snapshot.self) { group in
            for _ in 0..<32 { group.addTask { try await roll(id, key: "a") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(snapshots.map(\.text)).count == 1)
        #expect(snapshots.filter { !$0.isReplayed }.count == 1)
        #expect(try await registry.snapshot(of: id).revision == 2)
    }

    @Test func `a concurrent retry waits for the first request's commit, and handles the input if the commit fails`()
        async throws
    {
        let journal = BrittleJournal()
        let registry = SessionRegistry(apps: [LedgerApp.self], journal: journal, clock: ManualClock())
        let id = try await registry.open("ledger").session.id
        journal.hold()
        let first = Task { try await roll(id, key: "a", in: registry) }
        while journal.waiting == 0 { await Task.yield() }
        async let twin = roll(id, key: "a", in: registry)
        for _ in 0..<1_000 { await Task.yield() }
        #expect(journal.waiting == 1)
        journal.failOnce()
        journal.release()
        await #expect(throws: SessionError.self) { try await first.value }
        #expect(try await twin.revision == 2)
        #expect(try await registry.snapshot(of: id).revision == 2)
    }

    @Test
    func `if the first request fails, one of its retries handles the input, and every other retry gets the answer`()
        async throws
    {
        let journal = BrittleJournal()
        let registry = SessionRegistry(apps: [LedgerApp.self], journal: journal, clock: ManualClock())
        let id = try await registry.open("ledger").session.id
        for round in 0..<200 {
            let key = "\(round)"
            journal.failOnce()
            let texts = await withTaskGroup(of: String?.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        while true {
                            if let text = try? await roll(id, key: key, in: registry).text { return text }
                        }
                    }
                }
                return await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(texts.count == 1)
            #expect(try await registry.snapshot(of: id).revision == round + 2)
        }
    }

    @Test func `if a tree is dropped while a key is looked up, the lookup does not affect the next tree`() async throws
    {
        let journal = BrittleJournal()
        let registry = SessionRegistry(apps: [LedgerApp.self], journal: journal, clock: ManualClock())
        let id = try await registry.open("ledger").session.id
        journal.hold()
        let first = Task { try await roll(id, key: "a", in: registry) }
        while journal.waiting == 0 { await Task.yield() }
        let twins = (0..<4).map { _ in Task { try await roll(id, key: "a", in: registry) } }
        for _ in 0..<1_000 { await Task.yield() }
        journal.failOnce()
        journal.release()
        await #expect(throws: SessionError.self) { try await first.value }
        let again = try await roll(id, key: "a", in: registry)
        for twin in twins { #expect(try await twin.value.text == again.text) }
        #expect(try await registry.snapshot(of: id).revision == 2)
    }

    @Test func `a refusal is not stored under its key, so a request with the same key may succeed later`() async throws
    {
        let id = try await registry.open("ledger").session.id
        for _ in 0..<2 {
            await #expect { try await send(#"{"event":"refuse"}"#, id, key: "a") } throws: { error in
                if case SessionError.rejected = error { true } else { false }
            }
        }
        #expect(try await roll(id, key: "a").revision == 2)
    }

    @Test func `the answer to an input that changes nothing is also stored under its key`() async throws {
        let registry = SessionRegistry(apps: [StepsApp.self], journal: journal, clock: ManualClock())
        let id = try await registry.open("steps").session.id
        _ = try await send(#"{"event":"push"}"#, id, key: "push", in: registry)
        _ = try await send(#"{"popped":2}"#, id, key: "pop", in: registry)
        let fact = try await send(#"{"popped":2}"#, id, key: "fact", in: registry)
        #expect(fact.revision == 3)
        _ = try await send(#"{"event":"push"}"#, id, key: "push again", in: registry)
        let again = try await send(#"{"popped":2}"#, id, key: "fact", in: registry)
        #expect(again.isReplayed)
        #expect(again.state == fact.state)
    }

    @Test func `a session stores its newest 16 answers and no older answers`() async throws {
        let id = try await registry.open("ledger").session.id
        for number in 0..<17 { _ = try await roll(id, key: "\(number)") }
        #expect(try await roll(id, key: "1").isReplayed)
        #expect(try await !roll(id, key: "0").isReplayed)
        #expect(try await registry.snapshot(of: id).revision == 19)
    }

    @Test func `concurrent requests to open a session with the same key create one session and get one answer`()
        async throws
    {
        let key = IdempotencyKey("a", fingerprint: 7)
        let opened = try await withThrowingTaskGroup(of: (SessionID, String).self) { group in
            for _ in 0..<16 {
                group.addTask {
                    let opening = try await registry.open("ledger", key: key)
                    let (session, snapshot) = (opening.session, opening.snapshot)
                    return (session.id, snapshot.text)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(opened.map(\.0)).count == 1)
        #expect(Set(opened.map(\.1)).count == 1)
        #expect(registry.sessionCount == 1)
        let next = SessionRegistry(apps: [LedgerApp.self], journal: journal, clock: ManualClock())
        #expect(try await next.open("ledger", key: key).session.id == opened[0].0)
        await #expect { try await next.open("ledger", key: IdempotencyKey("a", fingerprint: 8)) } throws: { error in
            if case SessionError.keyReused = error { true } else { false }
        }
    }

    @Test func `if opening a session fails, a request with the same key may succeed later`() async throws {
        let key = IdempotencyKey("a", fingerprint: 7)
        await #expect(throws: SessionError.self) {
            try await registry.open("ledger", options: Array(#"{"closed":true}"#.utf8), key: key)
        }
        #expect(try await !registry.open("ledger", key: key).snapshot.isReplayed)
    }

    private func roll(_ id: SessionID, key: String, in other: SessionRegistry? = nil) async throws -> Snapshot {
        try await send(#"{"event":"roll"}"#, id, key: key, in: other)
    }

    private func send(
        _ text: String, _ id: SessionID, key: String, in other: SessionRegistry? = nil
    ) async throws -> Snapshot {
        let key = IdempotencyKey(key, fingerprint: UInt64(text.utf8.count))
        return try await (other ?? registry).handle(InputRequest(try action(text), key: key), on: id)
    }
}

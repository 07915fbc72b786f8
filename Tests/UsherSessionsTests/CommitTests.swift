import Synchronization
import Testing
import Usher
import UsherJournal

@testable import UsherSessions

@Suite("The durability of answers", .timeLimit(.minutes(5)))
struct CommitTests {
    private let journal = BrittleJournal()
    private let registry: SessionRegistry

    init() {
        registry = SessionRegistry(
            apps: [LedgerApp.self], journal: journal, clock: ManualClock(), random: CountingRandom())
    }

    @Test func `an event, and a read after the event, are answered only after the event is durable`() async throws {
        let session = try await registry.open("ledger").session
        journal.hold()
        let answered = Counter()
        let revisions = try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask {
                defer { answered.increment() }
                return try await session.send(#"{"event":"roll"}"#).revision
            }
            await until { journal.waiting == 1 }
            group.addTask {
                defer { answered.increment() }
                return try await session.snapshot().revision
            }
            for _ in 0..<1_000 { await Task.yield() }
            #expect(answered.count == 0)
            journal.release()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(revisions == [2, 2])
    }

    @Test func `a failed commit undoes all later inputs, and a read then shows the durable state`()
        async throws
    {
        let session = try await registry.open("ledger").session
        try await session.send(#"{"event":{"add":{"_0":"tea"}}}"#)
        let before = try await session.snapshot().text
        journal.hold()
        journal.isBroken.store(true, ordering: .relaxed)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    guard case .notRecorded = try await session.error(of: #"{"event":"roll"}"#) else {
                        return "it happened"
                    }
                    return before
                }
            }
            await until { journal.waiting == 5 }
            group.addTask { try await session.snapshot().text }
            for _ in 0..<1_000 { await Task.yield() }
            journal.release()
            for try await text in group { #expect(text == before) }
        }
        journal.isBroken.store(false, ordering: .relaxed)
        #expect(try await session.send(#"{"event":"roll"}"#).revision == 3)
        #expect(registry.coordinatorCounts == CoordinatorCounts(created: 1, finished: 0, leaked: 0))
    }

    @Test func `if an input was lost, the refusal of a later input is checked again, and no watcher sees the input`()
        async throws
    {
        let session = try await registry.open("ledger").session
        let watcher = Spectator()
        _ = try await registry.watch(session.id, by: watcher)
        journal.hold()
        let event = Task { try await session.send(#"{"event":{"add":{"_0":"milk"}}}"#) }
        await until { journal.waiting == 1 }
        let failing = Task { try await session.error(of: #"{"event":"fail"}"#) }
        for _ in 0..<1_000 { await Task.yield() }
        journal.failOnce()
        journal.release()
        await #expect(throws: SessionError.self) { try await event.value }
        guard case .rejected(_, let current)? = try await failing.value else {
            Issue.record("it was not rejected")
            return
        }
        #expect(current.revision == 1)
        #expect(try await session.send(#"{"event":{"add":{"_0":"tea"}}}"#).revision == 2)
        await until { watcher.revisions == [2] }
        #expect(watcher.texts.allSatisfy { !$0.contains("milk") })
    }

    @Test func `the end of a session is reported, even if the old stored answers lose their bodies`() async throws {
        var bounds = SessionRegistry.Configuration()
        bounds.answerLimit = 1_000
        let registry = SessionRegistry(
            apps: [LedgerApp.self], configuration: bounds, journal: journal, clock: ManualClock())
        let id = try await registry.open("ledger").session.id
        let watcher = Spectator()
        _ = try await registry.watch(id, by: watcher)
        func send(_ event: String, key: String) async throws -> Snapshot {
            let request = InputRequest(try action(event), key: IdempotencyKey(key, fingerprint: 1))
            return try await registry.handle(request, on: id)
        }
        for number in 0..<8 { _ = try await send(#"{"event":"roll"}"#, key: "\(number)") }
        journal.hold()
        let end = Task { try await send(#"{"event":"finish"}"#, key: "end") }
        // The outdated answer and the end are two separate commits.
        await until { journal.waiting >= 2 }
        journal.release()
        #expect(try await end.value.ending?.reason == .finished)
        await until { watcher.sawEnd }
    }

    @Test func `an input whose commit has an unknown outcome is never reported as not accepted`() async throws {
        let session = try await registry.open("ledger").session
        journal.failure.withLock { $0 = .outcomeUnknown("the disk is gone") }
        journal.failOnce()
        guard case .outcomeUnknown(let cause) = try await session.error(of: #"{"event":"roll"}"#) else {
            Issue.record("it was said to be known")
            return
        }
        #expect(cause == "the disk is gone")
        #expect(try await session.snapshot().revision == 1)
    }

    @Test func `if a request's idempotency key cannot be looked up, the outcome is reported as unknown`() async throws {
        let session = try await registry.open("ledger").session
        let request = InputRequest(try action(#"{"event":"roll"}"#), key: IdempotencyKey("k", fingerprint: 1))
        _ = try await registry.handle(request, on: session.id)
        journal.isUnreadable.store(true, ordering: .relaxed)
        let error = await #expect(throws: SessionError.self) { try await registry.handle(request, on: session.id) }
        guard case .outcomeUnknown? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let opening = await #expect(throws: SessionError.self) {
            try await registry.open("ledger", key: IdempotencyKey("o", fingerprint: 1))
        }
        guard case .outcomeUnknown? = opening else {
            Issue.record("\(String(describing: opening))")
            return
        }
    }

    @Test func `a refusal is sent only when the state that the refusal contains is durable`() async throws {
        let session = try await registry.open("ledger").session
        journal.hold()
        let event = Task { try await session.send(#"{"event":"roll"}"#) }
        await until { journal.waiting == 1 }
        async let rejected = session.error(of: #"{"screen":9,"event":"roll"}"#)
        for _ in 0..<1_000 { await Task.yield() }
        journal.isBroken.store(true, ordering: .relaxed)
        journal.release()
        await #expect(throws: SessionError.self) { try await event.value }
        guard case .rejected(_, let current) = try await rejected else {
            Issue.record("it was not rejected")
            return
        }
        #expect(current.revision == 1)
    }

    @Test func `a session has not ended if its end does not become durable`() async throws {
        let session = try await registry.open("ledger").session
        journal.isBroken.store(true, ordering: .relaxed)
        let finish = InputRequest(try action(#"{"event":"finish"}"#))
        await #expect(throws: SessionError.self) { try await registry.handle(finish, on: session.id) }
        await #expect(throws: SessionError.self) { try await registry.end(session.id) }
        #expect(try await registry.snapshot(of: session.id).revision == 1)
        journal.isBroken.store(false, ordering: .relaxed)
        #expect(try await registry.handle(finish, on: session.id).ending?.reason == .finished)
        #expect(registry.sessionCount == 0)
        #expect(registry.liveCoordinators == 0)
    }

    @Test func `a session stays in memory while a commit is in progress, even beyond the limit`() async throws {
        var bounds = SessionRegistry.Configuration()
        bounds.awakeLimit = 1
        let registry = SessionRegistry(
            apps: [LedgerApp.self], configuration: bounds, journal: journal, clock: ManualClock())
        let session = try await registry.open("ledger").session
        journal.hold()
        async let event = session.send(#"{"event":"roll"}"#)
        await until { journal.waiting == 1 }
        async let other = registry.open("ledger")
        // The other session is in memory once its creation was submitted to the journal.
        await until { journal.waiting == 2 && registry.awakeCount == 2 }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(registry.awakeCount == 2)
        journal.release()
        #expect(try await event.revision == 2)
        _ = try await other
    }

    @Test
    func `reading a resumed session writes nothing, and its first input fails if the journal is unavailable`()
        async throws
    {
        let old = SessionRegistry(apps: [FirstBuild.self], journal: journal, clock: ManualClock())
        let id = try await old.open("builds").session.id
        for event in ["walk", "jump", "walk"] {
            _ = try await old.handle(InputRequest(try action(#"{"event":"\#(event)"}"#)), on: id)
        }
        let new = SessionRegistry(
            apps: [ChangedBuild.self], journal: journal, clock: ManualClock(), crashes: CrashSettings(build: { 2 }))
        journal.isBroken.store(true, ordering: .relaxed)
        #expect(try await new.snapshot(of: id).revision == 5)
        let walk = InputRequest(try action(#"{"event":"walk"}"#))
        let error = await #expect(throws: SessionError.self) { try await new.handle(walk, on: id) }
        guard case .notRecorded(let cause)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause == "the disk is full")
        // If the journal's thread writes later, the failure is noticed only when the answer waits for the commit.
        journal.hold()
        async let held = try? new.handle(walk, on: id)
        await until { journal.waiting > 0 }
        journal.release()
        #expect(await held == nil)
        journal.isBroken.store(false, ordering: .relaxed)
        #expect(try await new.snapshot(of: id).revision == 5)
        #expect(try await new.entries(of: id).count == 4)
    }

    @Test(arguments: [(9, "a", false), (10, "a", true), (8, "a-1", true), (9, "a-1", true)])
    func `a client that waits for a new revision gets a later revision or a state of another epoch`(
        revision: Int, epoch: String, goesOn: Bool
    ) async {
        let watcher = RevisionWatcher(beyond: 9, in: "a")
        let snapshot = Snapshot(
            revision: revision, epoch: epoch, state: [], ending: nil, newLeaks: [], isReplayed: false, baseRevision: 0)
        watcher.see(SharedSnapshot(snapshot, in: WaitingBytes(bound: 1)))
        let gone = Counter()
        let waiter = Task {
            await watcher.wait()
            gone.increment()
        }
        if goesOn { await until { gone.count == 1 } } else { for _ in 0..<1_000 { await Task.yield() } }
        #expect(gone.count == (goesOn ? 1 : 0))
        watcher.end()
        await waiter.value
    }

    /// As an expiry may be that somebody's use has come before.
    @Test func `a session continues after the journal has refused a change with a conflict`() async throws {
        let session = try await registry.open("ledger").session
        journal.failure.withLock { $0 = .conflict }
        journal.failOnce()
        #expect(try await session.error(of: #"{"event":"roll"}"#) != nil)
        for revision in 2...4 { #expect(try await session.send(#"{"event":"roll"}"#).revision == revision) }
    }

    @Test func `if concurrent inputs are refused, each of them is answered as refused`()
        async throws
    {
        let session = try await registry.open("ledger").session
        await withTaskGroup { group in
            for _ in 0..<40 {
                group.addTask {
                    guard case .rejected? = try? await session.error(of: #"{"event":"refuse"}"#) else { return false }
                    return true
                }
            }
            for await isRefused in group { #expect(isRefused) }
        }
        #expect(try await session.send(#"{"event":"roll"}"#).revision == 2)
    }

    /// The suite's time limit ends what never is.
    private func until(_ condition: () -> Bool) async {
        while !condition(), !Task.isCancelled { await Task.yield() }
    }
}

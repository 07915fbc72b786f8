import Synchronization
import Testing
import Usher
import UsherJSON
import UsherJournal

@testable import UsherSessions

@Suite("A held session", .timeLimit(.minutes(5)))
struct SessionHoldTests {
    private let journal = BrittleJournal()
    private let clock = ManualClock()
    private let events = Observations()

    enum Fault: CaseIterable {
        case missingApp, invalidOptions, failingStart, damagedEntries

        var kind: HoldReason.Kind {
            switch self {
            case .missingApp: .appMissing
            case .invalidOptions: .optionsInvalid
            case .failingStart: .startFails
            case .damagedEntries: .recordDamaged
            }
        }

        fileprivate var app: any App.Type {
            switch self {
            case .missingApp: LedgerApp.self
            case .invalidOptions: StrictDoor.self
            case .failingStart: ClosedDoor.self
            case .damagedEntries: Door.self
            }
        }
    }

    /// A session of two revisions, the last of which has an answer under the key "k", and a build that must not serve it.
    private func hold(_ fault: Fault) async throws -> (SessionRegistry, SessionID) {
        let server = former()
        let id = try await server.open("held", options: Array(#"{"isOpen":"yes"}"#.utf8)).session.id
        _ = try await knock(id, key: "k", in: server)
        journal.damagesEntries.store(fault == .damagedEntries, ordering: .relaxed)
        journal.recordReads.store(0, ordering: .relaxed)
        return (SessionRegistry(apps: [fault.app], journal: journal, clock: clock, observe: events.add), id)
    }

    /// The sessions on hold for a build, as the journal has them.
    private func held(for build: UInt64 = 0) -> [SessionID] {
        journal.memory.holds(for: build, in: JournalKey.all, limit: .max).map { SessionID($0.key) }
    }

    /// The build that can serve the session.
    private func former(_ apps: [any App.Type] = [Door.self]) -> SessionRegistry {
        SessionRegistry(apps: apps, journal: journal, clock: clock, crashes: CrashSettings(build: { 1 }))
    }

    @discardableResult
    private func knock(
        _ id: SessionID, key: String? = nil, _ event: String = "knock", in registry: SessionRegistry
    ) async throws -> Snapshot {
        let key = key.map { IdempotencyKey($0, fingerprint: UInt64(event.utf8.first ?? 0)) }
        return try await registry.handle(InputRequest(try action(#"{"event":"\#(event)"}"#), key: key), on: id)
    }

    /// The kind of the reason with which a request is told of a hold; nil if it is not.
    private func hold(of request: () async throws -> Void) async -> HoldReason.Kind? {
        do {
            try await request()
            return nil
        } catch {
            guard case .onHold(let reason)? = error as? SessionError else { return nil }
            return reason.kind
        }
    }

    @Test(arguments: Fault.allCases)
    func `each request that needs the tree of a held session gets the reason and does not change the record`(
        fault: Fault
    ) async throws {
        let (registry, id) = try await hold(fault)
        let requests: [(String, () async throws -> Void)] = [
            ("look", { _ = try await registry.snapshot(of: id) }),
            ("event", { try await knock(id, in: registry) }),
            ("event with a new key", { try await knock(id, key: "new", in: registry) }),
            (
                "message",
                {
                    _ = try await registry.handle(
                        InputRequest(.message(try JSONDocument(parsing: Array("1".utf8)).root)), on: id)
                }
            ),
            ("token", { _ = try await registry.newToken(of: id, for: .granted, TokenChange.rotate) }),
            ("revocation", { try await registry.grant(.revokeReaders, of: id, for: .granted) }),
            ("stream", { _ = try await registry.watch(id, by: Spectator()) }),
            ("tree", { _ = try await registry.report(of: id) }),
            ("past state", { _ = try await registry.state(of: id, at: 1) }),
            ("past tree", { _ = try await registry.report(of: id, at: 1) }),
            ("history", { _ = try await registry.memoryHistory(of: id, limit: 10) }),
            ("walk", { _ = try await registry.walk(of: id, limit: 10) }),
            ("script", { _ = try await registry.exported(id, through: nil) }),
            ("fork", { _ = try await registry.fork(id, at: 1) }),
            ("rollback", { _ = try await registry.rollBack(id, to: 1) }),
            ("end at a revision", { _ = try await registry.end(id, if: .revision(oneOf: [2])) }),
        ]
        for (name, request) in requests { #expect(await hold(of: request) == fault.kind, "\(name)") }
        #expect(registry.watcherCount == 0)
        #expect(journal.memory.head(of: id.key)?.header.revision == 2)
        // The hold is reported to the operator once.
        #expect(
            events.all.count { if case .held(id, let reason) = $0 { reason.kind == fault.kind } else { false } } == 1)
    }

    @Test(arguments: Fault.allCases)
    func `a held session's undamaged inputs can be inspected and exported, and the session can be ended`(
        fault: Fault
    ) async throws {
        let (registry, id) = try await hold(fault)
        let entries = await hold(of: {
            let entries = try await registry.entries(of: id)
            #expect(entries.count == 2)
        })
        #expect(entries == (fault == .damagedEntries ? fault.kind : nil))
        let export = await hold(of: {
            let archive = try await registry.archive(id, through: nil, by: "b")
            #expect(archive.entries.count == 2)
        })
        #expect(export == (fault == .damagedEntries ? fault.kind : nil))
        _ = await hold(of: { _ = try await registry.snapshot(of: id) })
        #expect(held() == [id])
        #expect(try await registry.end(id).isEmpty)
        #expect(held().isEmpty)
        #expect(journal.memory.head(of: id.key)?.header.ending?.reason == "deleted")
    }

    @Test(arguments: Fault.allCases)
    func `a held session still returns its stored answers, and refuses a reused key with another body`(
        fault: Fault
    ) async throws {
        let (registry, id) = try await hold(fault)
        let again = try await knock(id, key: "k", in: registry)
        #expect(again.isReplayed)
        #expect(again.revision == 2)
        await #expect {
            try await knock(id, key: "k", "leave", in: registry)
        } throws: { error in
            if case SessionError.keyReused(nil) = error { true } else { false }
        }
    }

    @Test func `a repeated key gets the reason of the hold if the body of its stored answer was deleted`()
        async throws
    {
        var bounds = SessionRegistry.Configuration()
        bounds.answerLimit = 1
        let server = SessionRegistry(apps: [Door.self], configuration: bounds, journal: journal, clock: clock)
        let id = try await server.open("held").session.id
        for key in ["a", "b"] { try await knock(id, key: key, in: server) }
        let registry = SessionRegistry(apps: [LedgerApp.self], journal: journal, clock: clock)
        #expect(await hold(of: { try await knock(id, key: "a", in: registry) }) == .appMissing)
        #expect(try await knock(id, key: "b", in: registry).isReplayed)
        #expect(journal.memory.head(of: id.key)?.header.revision == 3)
    }

    @Test(arguments: Fault.allCases)
    func `repeated requests to a held session read the record again only after the record has changed`(
        fault: Fault
    ) async throws {
        let (registry, id) = try await hold(fault)
        for _ in 0..<20 { #expect(await hold(of: { try await knock(id, in: registry) }) == fault.kind) }
        #expect(journal.recordReads.load(ordering: .relaxed) == 1)
        journal.damagesEntries.store(false, ordering: .relaxed)
        try await knock(id, in: former())
        journal.recordReads.store(0, ordering: .relaxed)
        let reason = await hold(of: { try await knock(id, in: registry) })
        #expect(reason == (fault == .damagedEntries ? nil : fault.kind))
        #expect(journal.recordReads.load(ordering: .relaxed) == 1)
    }

    @Test func `a session with a damaged header is held only while the header is damaged`() async throws {
        let (registry, id) = try await hold(.missingApp)
        let server = SessionRegistry(apps: [Door.self], journal: journal, clock: clock, observe: events.add)
        journal.damagesHeads.store(true, ordering: .relaxed)
        journal.damagesEntries.store(true, ordering: .relaxed)
        for server in [registry, server] {
            for _ in 0..<2 {
                #expect(await hold(of: { _ = try await server.snapshot(of: id) }) == .recordDamaged)
            }
        }
        journal.damagesHeads.store(false, ordering: .relaxed)
        journal.damagesEntries.store(false, ordering: .relaxed)
        #expect(try await server.snapshot(of: id).revision == 2)
        #expect(held().isEmpty)
    }

    @Test func `when a watched session becomes held, its watchers get the reason, and its timers stop`() async throws {
        let registry = SessionRegistry(apps: [Door.self], journal: journal, clock: clock, observe: events.add)
        let id = try await registry.open("held").session.id
        try await knock(id, "wait", in: registry)
        let spectator = Spectator()
        _ = try await registry.watch(id, by: spectator)
        while !clock.isAwaited(at: 1_000) { await Task.yield() }
        journal.failOnce()
        await #expect(throws: SessionError.self) { try await knock(id, in: registry) }
        journal.damagesEntries.store(true, ordering: .relaxed)
        #expect(spectator.hold == nil)
        #expect(await hold(of: { _ = try await registry.snapshot(of: id) }) == .recordDamaged)
        #expect(spectator.hold?.kind == .recordDamaged)
        while clock.isAwaited(at: 1_000) { await Task.yield() }
        registry.unwatch(id, by: spectator)
    }

    @Test func `if a session becomes held during a long poll, the poll returns the reason`() async throws {
        let registry = SessionRegistry(apps: [Door.self], journal: journal, clock: clock)
        let id = try await registry.open("held").session.id
        let first = try await registry.snapshot(of: id)
        let poll = Task { try await registry.snapshot(of: id, beyond: first, within: .seconds(3_600)) }
        while registry.watcherCount == 0 { await Task.yield() }
        journal.failOnce()
        await #expect(throws: SessionError.self) { try await knock(id, in: registry) }
        journal.damagesEntries.store(true, ordering: .relaxed)
        _ = await hold(of: { _ = try await registry.snapshot(of: id) })
        #expect(await hold(of: { _ = try await poll.value }) == .recordDamaged)
    }

    @Test func `the operator's list returns held sessions in pages with their reasons, and no other sessions`()
        async throws
    {
        let server = former([Door.self, LedgerApp.self])
        var ids: [SessionID] = []
        for _ in 0..<5 { ids.append(try await server.open("held").session.id) }
        let registry = SessionRegistry(apps: [LedgerApp.self], journal: journal, clock: clock)
        let other = try await registry.open("ledger").session.id
        _ = try await registry.snapshot(of: other)
        let list = SessionList(of: registry)
        #expect(try await list.heldSessions(matching: SessionQuery(limit: 10)).sessions.isEmpty)
        for id in ids.dropLast() { _ = await hold(of: { _ = try await registry.snapshot(of: id) }) }
        var (found, place) = ([SessionID](), SessionQuery.Cursor?.none)
        repeat {
            let page = try await list.heldSessions(matching: SessionQuery(after: place, limit: 3))
            for session in page.sessions { #expect(session.held == .appMissing("held")) }
            found += page.sessions.map(\.id)
            place = page.next
        } while place != nil
        #expect(found == ids.dropLast().sorted { $0.key < $1.key })
        #expect(try await list.heldSessions(matching: SessionQuery(of: "ledger", limit: 3)).sessions.isEmpty)
        let all = try await list.sessions(matching: SessionQuery(limit: 10)).sessions
        #expect(all.count { $0.held != nil } == 4)
        #expect(try await list.heldTotal(matching: SessionQuery(limit: 10)).count == 4)
        #expect(registry.settings.held.counts == [.appMissing: 4])
        _ = try await registry.end(ids[0])
        // After a restart, the first sweep counts the held sessions.
        let restarted = SessionRegistry(apps: [LedgerApp.self], journal: journal, clock: clock)
        await restarted.sweep()
        #expect(restarted.settings.held.counts == [.appMissing: 3])
        let rest = try await SessionList(of: restarted).heldSessions(matching: SessionQuery(limit: 10)).sessions
        #expect(rest.count == 3)
    }

    @Test func `an operator can roll a held session back while clients keep requesting the session`() async throws {
        let crashes = try await CrashSettings(reading: journal) { 1 }
        let registry = SessionRegistry(apps: [Door.self], journal: journal, clock: clock, crashes: crashes)
        let id = try await registry.open("held").session.id
        for _ in 0..<2 { try await knock(id, in: registry) }
        try await registry.condemnReplay(of: id, at: 3)
        clock.advance(by: 300_000)
        await registry.sweep()
        let clients = (0..<4).map { _ in
            Task {
                while !Task.isCancelled { _ = try? await registry.snapshot(of: id) }
            }
        }
        while held(for: 1).isEmpty { await Task.yield() }
        let snapshot = try? await registry.rollBack(id, to: 2)
        for client in clients { client.cancel() }
        #expect(snapshot?.revision == 4)
        #expect(held(for: 1).isEmpty)
    }

    @Test func `before a session expires, its record is read only if another build may have written the session`()
        async throws
    {
        let old = former()
        let ids = [try await old.open("held").session.id]
        await old.sweep()
        let new = SessionRegistry(apps: [Door.self, LedgerApp.self], journal: journal, clock: clock)
        await new.sweep()
        clock.advance(by: 120_000)
        let own = try await new.open("ledger").session.id
        clock.advance(by: 3_600_000)
        await new.sweep()
        #expect(new.awakeCount == 0)
        journal.recordReads.store(0, ordering: .relaxed)
        clock.advance(by: 24 * 3_600_000)
        await new.sweep()
        for id in ids + [own] { #expect(journal.memory.head(of: id.key)?.header.ending?.reason == "expired") }
        #expect(journal.recordReads.load(ordering: .relaxed) == 1)
    }

    @Test func `a held session expires 30 days after its last input, and is read only once until then`()
        async throws
    {
        let (registry, id) = try await hold(.missingApp)
        #expect(await hold(of: { _ = try await registry.snapshot(of: id) }) == .appMissing)
        for _ in 0..<29 {
            clock.advance(by: 24 * 3_600_000)
            await registry.sweep()
        }
        #expect(journal.memory.head(of: id.key)?.header.ending == nil)
        #expect(journal.recordReads.load(ordering: .relaxed) == 1)
        clock.advance(by: 24 * 3_600_000)
        await registry.sweep()
        #expect(journal.memory.head(of: id.key)?.header.ending?.reason == "expired")
    }

    @Test func `if the journal cannot store a hold, each request still gets the reason, and the operator is notified`()
        async throws
    {
        let (registry, id) = try await hold(.missingApp)
        journal.isBroken.store(true, ordering: .relaxed)
        for _ in 0..<2 { #expect(await hold(of: { try await knock(id, in: registry) }) == .appMissing) }
        #expect(events.all.count { if case .postponed = $0 { true } else { false } } == 2)
        journal.isBroken.store(false, ordering: .relaxed)
        #expect(await hold(of: { try await knock(id, in: registry) }) == .appMissing)
        #expect(held() == [id])
    }
}

extension SessionPage.Total {
    fileprivate var count: Int {
        switch self {
        case .all(let count), .matching(let count): count
        }
    }
}

private struct DoorScreen: Screen {
    enum Event: String, Codable, CaseIterable { case knock, leave, wait }
}

private final class DoorCoordinator: Coordinator<Never> {
    override func start() {
        push(DoorScreen()) { me, event in
            switch event {
            case .knock, .leave: break
            case .wait: me.after(.seconds(1)) { _ in }
            }
        }
    }
}

private enum Door: App {
    struct Options: Codable, Sendable {
        var isOpen = "yes"
    }

    static let name = "held"
    static var options: Options { Options() }
    static func root(_ options: Options) throws -> sending AnyCoordinator { DoorCoordinator() }
}

/// Its option has another type.
private enum StrictDoor: App {
    struct Options: Codable, Sendable {
        var isOpen = true
    }

    static let name = "held"
    static var options: Options { Options() }
    static func root(_ options: Options) throws -> sending AnyCoordinator { DoorCoordinator() }
}

/// It does not start any more.
private enum ClosedDoor: App {
    static let name = "held"
    static var options: Door.Options { Door.Options() }
    static func root(_ options: Door.Options) throws -> sending AnyCoordinator { throw Refusal("closed for today") }
}

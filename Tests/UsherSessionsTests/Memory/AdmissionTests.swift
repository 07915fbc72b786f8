import Synchronization
import Testing
import Usher
import UsherJournal
import UsherSessions

/// What a registry lets through while memory is scarce.
@Suite("Admission of work")
struct AdmissionTests {
    private let clock = ManualClock()
    private let registry: SessionRegistry
    private let roll = #"{"event":"roll"}"#

    init() {
        registry = SessionRegistry(apps: [LedgerApp.self], clock: clock, random: CountingRandom())
    }

    private func isRefused(_ body: () async throws -> Void) async throws -> Bool {
        do {
            try await body()
            return false
        } catch SessionError.noRoom {
            return true
        }
    }

    /// The kinds of work that are refused now.
    private func refused(awake: SessionID, asleep: SessionID) async throws -> [Admission] {
        let input = InputRequest(try action(roll))
        var refused: [Admission] = []
        if try await isRefused({ _ = try await registry.open("ledger") }) { refused.append(.session) }
        let watcher = Onlooker()
        if try await isRefused({ _ = try await registry.watch(awake, by: watcher) }) { refused.append(.stream) }
        registry.unwatch(awake, by: watcher)
        if try await isRefused({ _ = try await registry.handle(input, on: asleep) }) { refused.append(.waking) }
        if try await isRefused({ _ = try await registry.handle(input, on: awake) }) { refused.append(.input) }
        return refused
    }

    @Test func `with each higher level of memory use, one more kind of work is refused`() async throws {
        for step in [nil, Admission.session, .stream, .waking, .input] {
            registry.gate.close(to: nil)
            let asleep = try await registry.open("ledger").session.id
            registry.makeRoom(of: .max, isUrgent: true)
            let awake = try await registry.open("ledger").session.id
            registry.gate.close(to: step)
            let refused = try await refused(awake: awake, asleep: asleep)
            #expect(refused == Admission.allCases.filter { step != nil && $0 <= step ?? .session })
        }
        #expect(registry.gate.refusals(of: .session) == 4)
        #expect(registry.gate.refusals(of: .input) == 2, "also for a sleeping session")
    }

    @Test func `work that is admitted counts with its estimated memory until the process's memory is measured`() throws
    {
        let gate = AdmissionGate()
        let used = Atomic(500)
        gate.limit(to: MemoryBudget(bytes: 1_000)) {
            let settled = gate.settledBytes
            gate.note(used: used.load(ordering: .relaxed), settled: settled)
        }
        gate.note(used: 500, settled: 0)
        func admitted(_ work: Admission, upTo count: Int = 100) -> Int {
            (0..<count).prefix { _ in (try? gate.admit(work, expecting: 100)) != nil }.count
        }
        #expect(admitted(.session) == 2, "below 800")
        #expect(admitted(.input) == 2, "below 950")
        #expect(admitted(.waking) == 0)
        #expect(gate.refusals(of: .session) == 1)
        // The admitted work is done, and used much less memory than estimated.
        used.store(520, ordering: .relaxed)
        gate.settle(400)
        #expect(admitted(.session) == 2)
        // Work that is never refused counts as well.
        gate.settle(200)
        gate.expect(400)
        #expect(admitted(.input) == 0)
        gate.settle(400)
        #expect(admitted(.input, upTo: 1) == 1)
    }

    @Test func `a session's record is replayed only if there is memory for the replay`() async throws {
        let id = try await registry.open("ledger").session.id
        registry.makeRoom(of: .max, isUrgent: true)
        registry.gate.limit(to: MemoryBudget(bytes: 100_000)) {}
        registry.gate.note(used: 80_000, settled: 0)
        #expect(try await isRefused { _ = try await registry.snapshot(of: id) })
        #expect(try await !registry.report(of: id).isEmpty, "a view by the operator is never refused")
        registry.makeRoom(of: .max, isUrgent: true)
        registry.gate.note(used: 50_000, settled: registry.gate.settledBytes)
        #expect(try await registry.snapshot(of: id).revision == 1)
    }

    @Test func `at the memory limit, a request to fork a session is refused like a request to open a session`()
        async throws
    {
        let id = try await registry.open("ledger").session.id
        registry.gate.close(to: .session)
        #expect(try await isRefused { _ = try await registry.fork(id, at: 1) })
        #expect(registry.sessionCount == 1)
        registry.gate.close(to: nil)
        _ = try await registry.fork(id, at: 1)
        #expect(registry.sessionCount == 2)
    }

    @Test func `an input that is refused for lack of memory has no effect, and is handled if it is sent again`()
        async throws
    {
        let id = try await registry.open("ledger").session.id
        registry.gate.close(to: .input)
        let key = IdempotencyKey("a", fingerprint: 1)
        let input = InputRequest(try action(roll), key: key)
        #expect(try await isRefused { _ = try await registry.handle(input, on: id) })
        #expect(try await registry.snapshot(of: id).revision == 1)
        registry.gate.close(to: nil)
        let answer = try await registry.handle(input, on: id)
        #expect(answer.revision == 2 && !answer.isReplayed)
    }

    @Test func `requests to end a session, operators' views and backends' messages are never refused`() async throws {
        let ids = [try await registry.open("ledger").session.id, try await registry.open("ledger").session.id]
        registry.makeRoom(of: .max, isUrgent: true)
        #expect(registry.awakeCount == 0)
        registry.gate.close(to: .input)
        #expect(try await isRefused { _ = try await registry.snapshot(of: ids[0]) })
        #expect(try await !registry.report(of: ids[0]).isEmpty)
        for id in ids { _ = try await registry.end(id) }
        #expect(registry.sessionCount == 0)
    }

    @Test func `sessions in use hibernate only if memory is urgently needed`() async throws {
        for _ in 0..<64 { _ = try await registry.open("ledger") }
        clock.advance(by: 9_999)
        registry.makeRoom(of: .max)
        #expect(registry.awakeCount == 64)
        registry.makeRoom(of: .max, isUrgent: true)
        #expect(registry.awakeCount < 64)
    }

    @Test func `in the less recently used half of the sessions, the large sessions hibernate first`()
        async throws
    {
        var ids: [SessionID] = []
        for _ in 0..<256 {
            ids.append(try await registry.open("ledger").session.id)
            clock.advance(by: 1)
        }
        registry.makeRoom(of: 1, isUrgent: true)
        #expect(
            registry.awakeCount >= 256 - 64 && registry.awakeCount < 256, "at most one session per shard hibernates")
        registry.makeRoom(of: .max, isUrgent: true)
        #expect(registry.awakeCount > 64)
        let newest = try #require(ids.last)
        #expect(
            try await SessionList(of: registry).sessions(matching: SessionQuery(limit: 1_000)).sessions.first {
                $0.id == newest
            }?.awake
                != nil)
        for id in ids { #expect(try await registry.snapshot(of: id).revision == 1) }
    }

    @Test func `sessions that have not been used for ten seconds hibernate before recently used sessions`() async throws
    {
        var ids: [SessionID] = []
        for _ in 0..<64 { ids.append(try await registry.open("ledger").session.id) }
        clock.advance(by: 10_001)
        let used = ids.prefix(32)
        for id in used { _ = try await registry.handle(InputRequest(try action(roll)), on: id) }
        // Each session's estimate is more than 5,000 bytes, so one hibernation makes enough room.
        for count in 1...32 {
            registry.makeRoom(of: 5_000)
            #expect(registry.awakeCount == 64 - count)
        }
        #expect(try await awake() == Set(used), "the unused sessions hibernate first, whichever shards they are in")
        registry.makeRoom(of: .max)
        #expect(try await awake() == Set(used))
        registry.makeRoom(of: .max, isUrgent: true)
        #expect(try await awake().count < 32, "used sessions hibernate if no session is unused")
    }

    /// The sessions in memory.
    private func awake() async throws -> Set<SessionID> {
        let list = try await SessionList(of: registry).sessions(matching: SessionQuery(limit: 1_000))
        return Set(list.sessions.filter(\.isAwake).map(\.id))
    }

    private final class Onlooker: SessionWatcher {
        func see(_ state: SharedSnapshot) {}
        func end(_ reason: WatchEnd) {}
    }
}

import HelloBye
import Synchronization
import Testing
import Usher
import UsherJournal
import UsherSessions

@Suite("The registry of sessions")
struct RegistryTests {
    private let clock = ManualClock()

    @Test func `the pages of the list contain each session once, in the order of ids`() async throws {
        let registry = SessionRegistry(apps: [HelloByeApp.self], clock: clock)
        let ids = try await ids(257, in: registry).sorted()
        var found: [SessionID] = []
        while true {
            let place = found.last.map { SessionQuery.Cursor(key: $0.journalKey) }
            let page = try await SessionList(of: registry).sessions(matching: SessionQuery(after: place, limit: 10))
            found += page.sessions.map(\.id)
            if page.next == nil { break }
        }
        #expect(found == ids)
    }

    @Test func `an id is 32 hexadecimal digits, and its description shows only eight`() async throws {
        let id = SessionID(from: CountingRandom())
        #expect(SessionID(id.text) == id)
        #expect(id.text.count == 32)
        #expect("\(id)" == "\(id.text.prefix(8))…")
    }

    @Test(arguments: [
        "", "x", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0",
        "0123456789ABCDEF0123456789abcdef", "0123456789abcdef0123456789abcdeg", "０１23456789abcdef0123456789abcd",
    ])
    func `a text that is not an id of 32 hexadecimal digits is refused as an id`(text: String) {
        #expect(SessionID(text) == nil)
    }

    @Test func `each session id consists of 128 bits from the random source`() async throws {
        let registry = SessionRegistry(apps: [HelloByeApp.self], clock: clock, random: SystemRandom())
        let ids = Set(try await ids(1_000, in: registry).map(\.text))
        #expect(ids.count == 1_000)
        for position in 0..<32 {
            let digits = Set(ids.map { Array($0)[position] })
            #expect(digits.count == 16, "digit \(position) is always one of \(digits)")
        }
    }

    @Test func `if too many sessions have ended, the sessions that ended first are forgotten`() async throws {
        let registry = SessionRegistry(
            apps: [HelloByeApp.self], journal: MemoryJournal(endedLimit: 64), clock: clock)
        var ended: [SessionID] = []
        for _ in 0..<1_000 {
            let session = try await registry.open("hello-bye").session
            _ = try await registry.end(session.id)
            ended.append(session.id)
        }
        var remembered: [SessionID] = []
        for id in ended {
            do throws(SessionError) {
                _ = try await registry.snapshot(of: id)
            } catch {
                if case .ended = error { remembered.append(id) }
            }
        }
        #expect(remembered.count <= 64)
        #expect(remembered.last == ended.last)
        #expect(registry.awakeCount == 0)
    }

    @Test func `memory is returned to the system after many sessions have ended, or when no session is left`()
        async throws
    {
        let reclaimed = Atomic(0)
        let registry = SessionRegistry(
            apps: [HelloByeApp.self], clock: clock, reclaim: { reclaimed.add(1, ordering: .relaxed) })
        let first = try await registry.open("hello-bye").session.id
        try await openAndEnd(8_191, in: registry)
        #expect(reclaimed.load(ordering: .relaxed) == 0)
        try await openAndEnd(1, in: registry)
        #expect(reclaimed.load(ordering: .relaxed) == 1)
        try await openAndEnd(1_023, in: registry)
        _ = try await registry.end(first)
        #expect(reclaimed.load(ordering: .relaxed) == 2)
    }

    @Test func `memory is returned to the system when the last of many watchers has left`() async throws {
        let reclaimed = Atomic(0)
        let registry = SessionRegistry(
            apps: [HelloByeApp.self], clock: clock, reclaim: { reclaimed.add(1, ordering: .relaxed) })
        let id = try await registry.open("hello-bye").session.id
        for (count, times) in [(300, 0), (300, 1), (600, 2)] {
            let watchers = (0..<count).map { _ in Onlooker() }
            for watcher in watchers { _ = try await registry.watch(id, by: watcher) }
            for watcher in watchers { registry.unwatch(id, by: watcher) }
            #expect(reclaimed.load(ordering: .relaxed) == times)
        }
    }

    private final class Onlooker: SessionWatcher {
        func see(_ state: SharedSnapshot) {}
        func end(_ reason: WatchEnd) {}
    }

    private func ids(_ count: Int, in registry: SessionRegistry) async throws -> [SessionID] {
        var ids: [SessionID] = []
        for _ in 0..<count { ids.append(try await registry.open("hello-bye").session.id) }
        return ids
    }

    private func openAndEnd(_ count: Int, in registry: SessionRegistry) async throws {
        for _ in 0..<count { _ = try await registry.end(try await registry.open("hello-bye").session.id) }
    }
}

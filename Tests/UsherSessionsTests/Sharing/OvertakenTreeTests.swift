import Synchronization
import Testing
import Usher
import UsherJournal

@testable import UsherSessions

@Suite("A tree that other servers have overtaken", .timeLimit(.minutes(5)))
struct OvertakenTreeTests {
    let group = ServerGroup()

    private func woken(_ server: Int) -> Int {
        group.registries[server].settings.metrics.app("ledger").number(of: .woken)
    }

    @Test func `an input that may crash runs isolated on the newest record, even if the server's tree is outdated`()
        async throws
    {
        let jury = Jury()
        let group = ServerGroup(crashes: try await jury.settings())
        for _ in 0..<3 {
            let other = try await group.open()
            try await group.registries[0].condemn(#"{"event":{"add":{"_0":"rent"}}}"#, on: other)
        }
        let id = try await group.open()
        try await group.add("bread", to: id, on: 1)
        #expect(try await group.add("milk", to: id, on: 0).revision == 3)
        #expect(jury.runs.map(\.input?.revision) == [3])
        try await group.expectAgreement(on: id)
    }

    @Test func `a read drops an overtaken tree and shows what other servers wrote`() async throws {
        let id = try await group.open()
        _ = try await group.state(of: id, on: 1)
        for number in 0..<200 { try await group.add("\(number)", to: id, on: 0) }
        #expect(try await group.state(of: id, on: 1).revision == 201)
        #expect(woken(1) == 2)
        #expect(try await group.add("milk", to: id, on: 1).revision == 202)
        #expect(try await group.state(of: id, on: 0).revision == 202)
        try await group.expectAgreement(on: id)
    }

    @Test func `a repeated key gets the answer that another server stored`() async throws {
        let id = try await group.open()
        _ = try await group.state(of: id, on: 1)
        for number in 0..<20 { try await group.add("\(number)", to: id, on: 0, key: "\(number)") }
        #expect(try await group.state(of: id, on: 1).revision == 21)
        let again = try await group.add("19", to: id, on: 1, key: "19")
        #expect(again.isReplayed && again.revision == 21)
        #expect(try await group.add("20", to: id, on: 1, key: "20").revision == 22)
        #expect(try await group.add("20", to: id, on: 0, key: "20").isReplayed)
        try await group.expectAgreement(on: id)
    }

    @Test func `a report gets the stored answer if another server has answered a report with the same key`()
        async throws
    {
        let group = ServerGroup(apps: [StepsApp.self])
        let id = try await group.open("steps")
        _ = try await group.state(of: id, on: 1)
        try await group.perform(#"{"screen":1,"event":"push"}"#, on: id, at: 0)
        try await group.perform(#"{"popped":2}"#, on: id, at: 0)
        _ = try await group.state(of: id, on: 1)
        #expect(try await group.perform(#"{"popped":2}"#, on: id, at: 0, key: "p").revision == 3)
        #expect(try await group.perform(#"{"popped":2}"#, on: id, at: 1, key: "p").isReplayed)
        #expect(try await group.perform(#"{"screen":1,"event":"push"}"#, on: id, at: 1).revision == 4)
        try await group.expectAgreement(on: id)
    }

    @Test func `after commits were lost, a tree is dropped if it has the same revision of another history`()
        async throws
    {
        let id = try await group.open()
        try await group.add("tea", to: id, on: 0)
        _ = try await group.state(of: id, on: 1)
        let before = group.store.records
        try await group.add("lost", to: id, on: 0)
        _ = try await group.state(of: id, on: 1)
        group.store.goBack(to: before)
        try await group.add("milk", to: id, on: 1)
        for server in 0...1 {
            let state = try await group.state(of: id, on: server)
            #expect(state.revision == 3)
            #expect(state.text.contains("milk") && !state.text.contains("lost"))
        }
        try await group.expectAgreement(on: id)
    }

    @Test func `a session is unknown if the journal has lost it`() async throws {
        let id = try await group.open()
        _ = try await group.state(of: id, on: 1)
        group.store.goBack(to: [:])
        for server in 0...1 {
            #expect(try await group.error { try await group.state(of: id, on: server) }?.name == "unknown")
        }
        #expect(group.registries.allSatisfy { $0.liveCoordinators == 0 && $0.awakeCount == 0 })
    }

    @Test func `concurrent requests to a session with an outdated tree wait for the same replay`() async throws {
        let id = try await group.open()
        _ = try await group.state(of: id, on: 1)
        for number in 0..<100 { try await group.add("\(number)", to: id, on: 0) }
        try await withThrowingTaskGroup(of: Int.self) { tasks in
            for _ in 0..<20 { tasks.addTask { try await group.state(of: id, on: 1).revision } }
            for try await revision in tasks { #expect(revision == 101) }
        }
        #expect(woken(1) == 2)
    }

    @Test func `after one server refused an input, both servers continue with the same random numbers and state`()
        async throws
    {
        let id = try await group.open()
        _ = try await group.state(of: id, on: 1)
        _ = try await group.error { try await group.send(#""refuse""#, to: id, on: 0) }
        try await group.send(#""roll""#, to: id, on: 0)
        try await group.send(#""roll""#, to: id, on: 1)
        try await group.expectAgreement(on: id)
    }

    // MARK: Watching

    @Test func `a watcher gets the newest revision from another server once`() async throws {
        let id = try await group.open()
        let watcher = Spectator()
        _ = try await group.registries[1].watch(id, by: watcher)
        for number in 0..<5 { try await group.add("\(number)", to: id, on: 0) }
        await group.registries[1].meetPeers()
        #expect(watcher.revisions == [6])
        await group.registries[1].meetPeers()
        #expect(watcher.revisions == [6])
    }

    @Test func `a watcher does not see an input that lost to another server, even after a refused input`()
        async throws
    {
        let id = try await group.open()
        let watcher = Spectator()
        _ = try await group.registries[1].watch(id, by: watcher)
        group.journals[1].hold()
        let event = Task { try await group.add("milk", to: id, on: 1) }
        await group.until { group.journals[1].waiting > 0 }
        let failing = Task { try await group.send(#""fail""#, to: id, on: 1) }
        for _ in 0..<1_000 { await Task.yield() }
        try await group.add("tea", to: id, on: 0)
        group.journals[1].release()
        #expect(try await event.value.revision == 3)
        await #expect(throws: SessionError.self) { try await failing.value }
        await group.until { watcher.revisions.last == 3 }
        #expect(watcher.texts.allSatisfy { !$0.contains("milk") || $0.contains("tea") })
    }

    @Test func `a watcher does not see a state that was not durable before a failover`()
        async throws
    {
        let id = try await group.open()
        let before = group.store.records
        for number in 0..<5 { try await group.add("\(number)", to: id, on: 0) }
        group.store.goBack(to: before)
        #expect(try await group.state(of: id, on: 0).revision == 1)
        let watcher = Spectator()
        _ = try await group.registries[0].watch(id, by: watcher)
        group.journals[0].hold()
        let event = Task { try await group.add("milk", to: id, on: 0) }
        await group.until { group.journals[0].waiting > 0 }
        let session = try #require(group.registries[0].store.find(id))
        // The session gets late notices of commits of the former tree.
        session.commit(6)
        session.commit(0)
        try await group.add("tea", to: id, on: 1)
        group.journals[0].release()
        #expect(try await event.value.revision == 3)
        await group.until { watcher.revisions.last == 3 }
        #expect(watcher.texts.allSatisfy { !$0.contains("milk") || $0.contains("tea") })
        try await group.expectAgreement(on: id)
    }

    @Test func `a server reads the total number of sessions every ten seconds`() async throws {
        for count in 1...3 {
            for _ in 0..<5 { await group.registries[0].meetPeers() }
            // The next count is due ten seconds after the end of the current count.
            await group.until { group.store.counts == count && group.registries[0].duties?.isCounting == false }
            group.clock.advance(by: 5_000)
            for _ in 0..<5 { await group.registries[0].meetPeers() }
            for _ in 0..<1_000 { await Task.yield() }
            #expect(group.store.counts == count)
            group.clock.advance(by: 5_000)
        }
    }

    @Test func `when another server writes, a notification lets watchers see the change at once`() async throws {
        group.store.ring()
        let id = try await group.open()
        let watcher = Spectator()
        _ = try await group.registries[1].watch(id, by: watcher)
        for revision in 2...4 {
            try await group.add("tea", to: id, on: 0)
            await group.until { watcher.revisions.last == revision }
        }
        #expect(watcher.revisions == [2, 3, 4])
    }

    @Test func `a watcher never sees an earlier revision while two servers write`() async throws {
        group.store.ring()
        let id = try await group.open()
        let watcher = Spectator()
        _ = try await group.registries[1].watch(id, by: watcher)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for server in 0...1 {
                tasks.addTask {
                    for number in 0..<20 {
                        while case .notRecorded? = try await group.error({
                            try await group.add("\(number)", to: id, on: server)
                        }) {}
                    }
                }
            }
            try await tasks.waitForAll()
        }
        await group.until { watcher.revisions.last == 41 }
        #expect(watcher.revisions == watcher.revisions.sorted())
    }

    @Test func `notifications do not accumulate while the journal does not answer`() async throws {
        let id = try await group.open()
        let watcher = Spectator()
        _ = try await group.registries[1].watch(id, by: watcher)
        let before = group.journals[1].confirmations
        group.journals[1].hold()
        for number in 0..<20 {
            try await group.add("\(number)", to: id, on: 0)
            group.store.ring(id.key, at: number + 2, for: 1)
            await group.until { group.journals[1].waiting == 1 }
        }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(group.journals[1].confirmations == before + 1)
        group.journals[1].release()
        await group.until { watcher.revisions.last == 21 }
        for _ in 0..<1_000 { await Task.yield() }
        // A confirmation that was requested before the last notification is requested once more.
        #expect(group.journals[1].confirmations <= before + 4)
    }

    @Test func `a watched session stays awake and does not expire on another server`() async throws {
        let day: Int64 = 24 * 60 * 60 * 1_000
        let id = try await group.open()
        let watcher = Spectator()
        _ = try await group.registries[1].watch(id, by: watcher)
        for _ in 0..<20 {
            group.clock.advance(by: day / 8)
            for journal in group.journals { journal.beat() }
            await group.registries[1].meetPeers()
            await group.registries[0].sweep()
        }
        #expect(group.registries[1].awakeCount == 1)
        #expect(group.registries[0].awakeCount == 0)
        #expect(!watcher.sawEnd)
        group.registries[1].unwatch(id, by: watcher)
        group.clock.advance(by: 2 * day)
        await group.registries[0].sweep()
        #expect(group.store.head(of: id.key)?.ending?.reason == "expired")
    }

    @Test func `a watcher sees the end that another server wrote`() async throws {
        let id = try await group.open()
        let watcher = Spectator()
        _ = try await group.registries[1].watch(id, by: watcher)
        _ = try await group.registries[0].end(id)
        await group.registries[1].meetPeers()
        await group.until { watcher.sawEnd }
        #expect(group.registries[1].awakeCount == 0)
    }

    @Test func `a long poll on one server ends when an event is handled on another server`() async throws {
        let id = try await group.open()
        let first = try await group.state(of: id, on: 1)
        let poll = Task { try await group.registries[1].snapshot(of: id, beyond: first, within: .seconds(10)) }
        await group.until { group.registries[1].watcherCount == 1 }
        try await group.add("tea", to: id, on: 0)
        await group.registries[1].meetPeers()
        #expect(try await poll.value.revision == 2)
    }
}

/// Sees what becomes durable.
final class Spectator: SessionWatcher {
    private struct Seen {
        var revisions: [Int] = []
        var texts: [String] = []
        var sawEnd = false
        var hold: HoldReason?
    }

    private let seen = Mutex(Seen())

    /// The revisions after the creation.
    var revisions: [Int] { seen.withLock { $0.revisions.filter { $0 > 1 } } }
    var texts: [String] { seen.withLock(\.texts) }
    var sawEnd: Bool { seen.withLock(\.sawEnd) }
    var hold: HoldReason? { seen.withLock(\.hold) }

    func see(_ state: SharedSnapshot) {
        seen.withLock { seen in
            seen.revisions.append(state.snapshot.revision)
            seen.texts.append(state.snapshot.text)
        }
    }

    func end(_ reason: WatchEnd) {
        seen.withLock { seen in
            switch reason {
            case .restart: break
            case .over: seen.sawEnd = true
            case .held(let reason): seen.hold = reason
            }
        }
    }
}

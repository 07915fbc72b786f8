import Testing
import Usher
import UsherJournal

@testable import UsherSessions

@Suite("Several servers, their builds and their duties", .timeLimit(.minutes(5)))
struct MixedBuildTests {
    private func walked(_ group: ServerGroup) async throws -> SessionID {
        let id = try await group.open("builds")
        for event in ["walk", "jump", "walk"] { try await group.send("\"\(event)\"", to: id, on: 0) }
        return id
    }

    @Test func `only the newest build records a divergence`() async throws {
        // The older one is that which has changed: it cannot follow what the newer one has written.
        let group = ServerGroup(apps: [ChangedBuild.self, FirstBuild.self])
        let id = try await group.open("builds", on: 1)
        for event in ["walk", "jump"] { try await group.send("\"\(event)\"", to: id, on: 1) }
        guard case .outdated? = try await group.error({ try await group.state(of: id, on: 0) }) else {
            Issue.record("it was taken back")
            return
        }
        #expect(group.store.head(of: id.key)?.revision == 3)
        #expect(try await group.state(of: id, on: 1).revision == 3)
        #expect(group.events.all.isEmpty)
    }

    @Test func `it does where it is the newest, and the older one goes on behind that`() async throws {
        let group = ServerGroup(apps: [FirstBuild.self, ChangedBuild.self])
        let id = try await walked(group)
        let state = try await group.state(of: id, on: 1)
        #expect(state.revision == 5)
        #expect(state.text.contains("goes on from revision 2"))
        #expect(try await group.state(of: id, on: 0).revision == 5)
        try await group.send(#""walk""#, to: id, on: 0)
        #expect(try await group.state(of: id, on: 1).revision == 6)
        try await group.expectAgreement(on: id)
    }

    @Test func `a server of an older build does not go on behind an entry that its build cannot follow`() async throws {
        let group = ServerGroup(apps: [ChangedBuild.self, FirstBuild.self])
        let id = try await group.open("builds", on: 1)
        try await group.send(#""walk""#, to: id, on: 1)
        #expect(try await group.state(of: id, on: 0).revision == 2)
        try await group.send(#""jump""#, to: id, on: 1)
        for _ in 0..<2 {
            guard case .outdated? = try await group.error({ try await group.send(#""walk""#, to: id, on: 0) }) else {
                Issue.record("it went on")
                return
            }
        }
        #expect(group.store.head(of: id.key)?.revision == 3)
    }

    @Test func `an input that is guilty on one server is refused by the others`() async throws {
        let group = ServerGroup()
        let id = try await group.open()
        let payload = #"{"event":{"add":{"_0":"poison"}}}"#
        try await group.registries[0].condemn(payload, on: id)
        group.clock.advance(by: 5_000)
        await group.registries[1].meetPeers()
        for server in 0...1 {
            let error = try await group.error { try await group.add("poison", to: id, on: server) }
            #expect(error?.name == "inputCrashes")
        }
        #expect(try await group.add("tea", to: id, on: 1).revision == 2)
    }

    @Test func `one server at a time does the chores`() async throws {
        let group = ServerGroup()
        let id = try await group.open()
        await group.registries[0].sweep()
        group.clock.advance(by: 2 * 24 * 60 * 60_000)
        #expect(try await group.journals[1].take(.sweep))
        await group.registries[0].sweep()
        #expect(group.store.head(of: id.key)?.ending == nil)
        await group.registries[1].sweep()
        #expect(group.store.head(of: id.key)?.ending?.reason == "expired")
    }

    @Test func `a session that was read on another server does not expire`() async throws {
        let day: Int64 = 24 * 60 * 60_000
        let group = ServerGroup()
        let id = try await group.open()
        group.clock.advance(by: day - 1)
        _ = try await group.state(of: id, on: 1)
        group.clock.advance(by: 2)
        await group.registries[0].sweep()
        #expect(group.store.head(of: id.key)?.ending == nil)
        #expect(try await group.state(of: id, on: 0).revision == 1)
    }

    @Test func `an expiry that comes too late for a touch does not happen`() async throws {
        let day: Int64 = 24 * 60 * 60_000
        let group = ServerGroup()
        let id = try await group.open()
        group.clock.advance(by: day + 1)
        group.journals[0].hold()
        let sweep = Task { await group.registries[0].sweep() }
        await group.until { group.journals[0].waiting > 0 }
        _ = try await group.state(of: id, on: 1)
        group.journals[0].release()
        await sweep.value
        #expect(group.store.head(of: id.key)?.ending == nil)
        #expect(try await group.state(of: id, on: 0).revision == 1)
        try await group.expectAgreement(on: id)
    }

    @Test func `the servers on the journal are listed`() async throws {
        let group = ServerGroup()
        #expect(try await group.registries[0].nodes().map(\.name) == ["server 0", "server 1"])
    }
}

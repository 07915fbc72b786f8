import Testing
import Usher
import UsherJournal

@testable import UsherSessions

@Suite("Servers of several builds and their chores", .timeLimit(.minutes(5)))
struct MixedBuildTests {
    private func walked(_ group: ServerGroup) async throws -> SessionID {
        let id = try await group.open("builds")
        for event in ["walk", "jump", "walk"] { try await group.send("\"\(event)\"", to: id, on: 0) }
        return id
    }

    /// Expects that a server leaves a session to another build.
    private func expectRefusal<Value>(_ group: ServerGroup, _ body: () async throws -> Value) async throws {
        let error = try await group.error(body)
        guard case .servedElsewhere? = error else {
            Issue.record("the session was not left to the other build: \(error.map { "\($0)" } ?? "no error")")
            return
        }
    }

    /// Ends the lease of the server that does not beat any more.
    private func end(_ server: Int, in group: ServerGroup) {
        group.clock.advance(by: 16_000)
        group.journals[1 - server].beat()
    }

    @Test
    func `a session that a build cannot replay is left to the build that wrote it, if that build is serving`()
        async throws
    {
        let group = ServerGroup(apps: [FirstBuild.self, ChangedBuild.self])
        let id = try await walked(group)
        for _ in 0..<2 { try await expectRefusal(group) { try await group.state(of: id, on: 1) } }
        try await expectRefusal(group) { try await group.send(#""walk""#, to: id, on: 1) }
        #expect(group.store.head(of: id.key)?.revision == 4)
        #expect(try await group.state(of: id, on: 0).revision == 4)
        #expect(group.events.all.isEmpty)
        #expect(try await group.registries[0].refusals() == [RefusalCount(by: 1, writtenBy: 0, sessions: 1)])
        // The session is replayed once, and again when the former build no longer serves.
        let reads = group.journals[1].recordReads
        try await expectRefusal(group) { try await group.state(of: id, on: 1) }
        #expect(group.journals[1].recordReads == reads)
        end(0, in: group)
        await group.registries[1].meetPeers()
        #expect(try await group.state(of: id, on: 1).revision == 5)
        #expect(try await group.registries[1].refusals().isEmpty)
    }

    @Test
    func `after the last server of the former build is gone, the next input resumes the session in the new build`()
        async throws
    {
        let group = ServerGroup(apps: [FirstBuild.self, ChangedBuild.self])
        let id = try await walked(group)
        end(0, in: group)
        let state = try await group.state(of: id, on: 1)
        #expect(state.revision == 5)
        #expect(state.text.contains(#""resumed":{"revision":2,"#))
        #expect(group.store.head(of: id.key)?.revision == 4, "the resumption is not written yet")
        try await group.send(#""walk""#, to: id, on: 1)
        #expect(group.store.head(of: id.key)?.revision == 6)
        try await group.expectAgreement(on: id)
    }

    @Test func `if the former build returns before the resumption is written, it gets the session back unchanged`()
        async throws
    {
        let group = ServerGroup(apps: [FirstBuild.self, ChangedBuild.self])
        let id = try await walked(group)
        let before = try await group.state(of: id, on: 0)
        end(0, in: group)
        _ = try await group.state(of: id, on: 1)
        group.journals[0].beat()
        // Send an input before server 1 has noticed that server 0 is back.
        try await expectRefusal(group) { try await group.send(#""walk""#, to: id, on: 1) }
        #expect(group.store.head(of: id.key)?.revision == 4)
        await group.registries[1].meetPeers()
        try await expectRefusal(group) { try await group.state(of: id, on: 1) }
        #expect(try await group.state(of: id, on: 0).text == before.text)
        #expect(try await group.send(#""walk""#, to: id, on: 0).revision == 5)
    }

    @Test func `before a resumption is written, the session is left to the former build if that build is back`()
        async throws
    {
        let group = ServerGroup(apps: [FirstBuild.self, ChangedBuild.self])
        let id = try await walked(group)
        end(0, in: group)
        _ = try await group.state(of: id, on: 1)
        group.journals[0].beat()
        await group.registries[1].meetPeers()
        try await expectRefusal(group) { try await group.state(of: id, on: 1) }
    }

    @Test func `a resumption no longer counts as unwritten after another server has written it`() async throws {
        let group = ServerGroup(3, apps: [FirstBuild.self, ChangedBuild.self, ChangedBuild.self])
        let id = try await walked(group)
        group.clock.advance(by: 16_000)
        for journal in group.journals.dropFirst() { journal.beat() }
        #expect(try await group.state(of: id, on: 1).revision == 5)
        let releases = group.registries[1].settings.releases
        #expect(releases.isUnwritten(id))
        try await group.send(#""walk""#, to: id, on: 2)
        #expect(try await group.state(of: id, on: 1).revision == 6)
        #expect(!releases.isUnwritten(id), "the session's work may begin on this server too")
    }

    @Test func `if a server of the build that wrote a held session is back, the session is left to that server`()
        async throws
    {
        let group = ServerGroup(apps: [FirstBuild.self, LedgerApp.self])
        let id = try await walked(group)
        end(0, in: group)
        #expect(try await group.error { try await group.state(of: id, on: 1) }?.name == "appMissing")
        group.journals[0].beat()
        // This holds even if another request is the first to notice that the former build is back.
        #expect(try await group.registries[1].confirmRelease().map(\.number) == [0])
        try await expectRefusal(group) { try await group.state(of: id, on: 1) }
    }

    @Test func `a release can be confirmed only if no other build serves, and then all resumptions are written`()
        async throws
    {
        let group = ServerGroup(apps: [FirstBuild.self, ChangedBuild.self])
        let id = try await walked(group)
        #expect(try await group.registries[1].confirmRelease().map(\.number) == [0])
        end(0, in: group)
        _ = try await group.state(of: id, on: 1)
        #expect(try await group.registries[1].confirmRelease().isEmpty)
        #expect(group.store.head(of: id.key)?.revision == 5)
        // The older build now has to follow the recorded resumption.
        group.journals[0].beat()
        #expect(try await group.state(of: id, on: 0).revision == 5)
    }

    @Test func `a resumption is written an hour after the last server of the former build has gone`()
        async throws
    {
        let group = ServerGroup(apps: [FirstBuild.self, ChangedBuild.self])
        let id = try await walked(group)
        await group.registries[0].meetPeers()
        end(0, in: group)
        _ = try await group.state(of: id, on: 1)
        group.clock.advance(by: 3_000_000)
        group.journals[1].beat()
        await group.registries[1].meetPeers()
        #expect(group.store.head(of: id.key)?.revision == 4)
        // A restart of this build does not restart the waiting time.
        group.clock.advance(by: 600_000)
        group.journals[1].beat()
        let restarted = SessionRegistry(
            apps: [ChangedBuild.self], journal: group.journals[1], clock: group.clock,
            crashes: CrashSettings(build: { 1 }))
        #expect(try await restarted.snapshot(of: id).revision == 5)
        #expect(group.store.head(of: id.key)?.revision == 5)
    }

    @Test
    func `if a build cannot replay the newest entry, the session is left to the serving build that wrote it`()
        async throws
    {
        let group = ServerGroup(apps: [ChangedBuild.self, FirstBuild.self])
        let id = try await group.open("builds", on: 1)
        try await group.send(#""walk""#, to: id, on: 1)
        #expect(try await group.state(of: id, on: 0).revision == 2)
        try await group.send(#""jump""#, to: id, on: 1)
        for _ in 0..<2 { try await expectRefusal(group) { try await group.send(#""walk""#, to: id, on: 0) } }
        #expect(group.store.head(of: id.key)?.revision == 3)
    }

    @Test func `an input that was recorded as crashing on one server is refused by every server`() async throws {
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

    @Test func `expired sessions are ended only by the server that currently has the task of sweeping`() async throws {
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

    @Test(arguments: [true, false])
    func `an unused session expires if its own build serves, and is held if every serving build lacks its app`(
        isServing: Bool
    ) async throws {
        let group = ServerGroup(apps: [FirstBuild.self, LedgerApp.self])
        let id = try await walked(group)
        group.clock.advance(by: 25 * 60 * 60_000)
        for journal in isServing ? group.journals : Array(group.journals.dropFirst()) { journal.beat() }
        await group.registries[1].meetPeers()
        await group.registries[1].sweep()
        #expect(group.store.head(of: id.key)?.ending?.reason == (isServing ? "expired" : nil))
        #expect(group.holds == (isServing ? 0 : 1))
    }

    @Test func `a session does not expire if it was just read on another server`() async throws {
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

    @Test func `a session does not expire if another server has noted its use before the expiry is written`()
        async throws
    {
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

    @Test func `the operator's list has all servers that share the journal`() async throws {
        let group = ServerGroup()
        #expect(try await group.registries[0].nodes().map(\.name) == ["server 0", "server 1"])
    }
}

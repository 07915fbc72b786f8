import LocalhostClient
import ServerCluster
import Testing

/// Tests of a rolling release: servers of two builds serve the same sessions, but disagree about an input.
@Suite("Servers of two builds", .blocking, .timeLimit(.minutes(5)))
struct MixedBuildTests {
    private let cluster: ServerCluster
    private let build: NewerBuild

    /// The second server runs the newer build.
    init() throws {
        cluster = try ServerCluster(count: 2)
        build = try NewerBuild()
    }

    @Test func `the older build serves a session that the newer build cannot replay, until the older build is gone`()
        throws
    {
        let (old, new) = (PinnedClient(cluster.servers[0]), PinnedClient(cluster.servers[1]))
        let (session, other) = (try old.open(), try old.open())
        for number in [1, 7, 3] { _ = old.add(number, to: session) }
        _ = old.add(1, to: other)
        try build.deploy(to: cluster.servers[1], refusing: 7)
        for _ in 0..<2 { try expectRefusal(of: session, by: cluster.servers[1]) }
        #expect(old.add(4, to: session).answer == .state(revision: 5, numbers: [1, 7, 3, 4]))
        #expect(new.add(2, to: other).answer == .state(revision: 3, numbers: [1, 2]))
        #expect(old.look(at: other).answer == .state(revision: 3, numbers: [1, 2]))
        #expect(try nodes().contains(#""refused":[{"by":"#))

        #expect(cluster.servers[0].stop() == 0)
        #expect(resumed(session, by: new) == .state(revision: 6, numbers: [1]))
        // Return to the older build.
        try cluster.servers[0].start()
        #expect(old.look(at: session).answer == .state(revision: 5, numbers: [1, 7, 3, 4]))
        #expect(cluster.servers[0].stop() == 0)
        #expect(resumed(session, by: new) == .state(revision: 6, numbers: [1]))
        #expect(new.add(8, to: session).answer == .state(revision: 7, numbers: [1, 8]))
        try cluster.servers[0].start()
        #expect(old.look(at: session).answer == .state(revision: 7, numbers: [1, 8]))
    }

    @Test func `the newer build serves a session that the older build cannot replay`() throws {
        let (old, new) = (PinnedClient(cluster.servers[0]), PinnedClient(cluster.servers[1]))
        try build.deploy(to: cluster.servers[1], refusing: nil)
        var setup = cluster.servers[0].setup
        setup.environment["USHER_TEST_REFUSED"] = "7"
        #expect(cluster.servers[0].stop() == 0)
        try cluster.servers[0].start(setup)
        let session = try new.open()
        #expect(old.look(at: session).answer == .state(revision: 1, numbers: []))
        #expect(new.add(7, to: session).answer == .state(revision: 2, numbers: [7]))
        try expectRefusal(of: session, by: cluster.servers[0])
        #expect(new.add(8, to: session).answer == .state(revision: 3, numbers: [7, 8]))
    }

    @Test func `a release can be confirmed when no server runs the older build, and cannot be undone afterwards`()
        throws
    {
        let (old, new) = (PinnedClient(cluster.servers[0]), PinnedClient(cluster.servers[1]))
        let session = try old.open()
        for number in [1, 7] { _ = old.add(number, to: session) }
        try build.deploy(to: cluster.servers[1], refusing: 7)
        let `operator` = cluster.servers[1].client()
        let refusal = try `operator`.request("POST", "/admin/release")
        #expect(refusal.status == 409 && refusal.text.contains("other-build-serves"), "\(refusal.text)")
        #expect(cluster.servers[0].stop() == 0)
        #expect(resumed(session, by: new) == .state(revision: 4, numbers: [1]))
        #expect(try `operator`.request("POST", "/admin/release").status == 204)
        try cluster.servers[0].start()
        #expect(old.look(at: session).answer == .state(revision: 4, numbers: [1]))
    }

    /// Returns a session's state after its build has ended, which the other server may notice later.
    private func resumed(_ session: LoadSession, by client: PinnedClient) -> Observation.Answer {
        let end = LoadClient.now + 20_000_000_000
        while LoadClient.now < end {
            let answer = client.look(at: session).answer
            if answer != .none { return answer }
            LoadProgress.pause()
        }
        return .none
    }

    private func expectRefusal(of session: LoadSession, by server: ClusterServer) throws {
        let answer = try server.client().request("GET", session.path)
        #expect(answer.status == 503 && answer.text.contains("session-unavailable"), "\(answer.status) \(answer.text)")
        #expect(answer["Retry-After"] == "1")
    }

    private func nodes() throws -> String { try cluster.servers[1].client().request("GET", "/admin/nodes").text }
}

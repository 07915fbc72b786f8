import LocalhostClient
import Programs
import ServerCluster
import Testing

/// Two builds of an app serve the same sessions, and do not agree on an input: a rolling deploy.
@Suite("Two builds", .blocking, .timeLimit(.minutes(5)))
struct MixedBuildTests {
    private let cluster: ServerCluster
    private let folder: TemporaryFolder

    /// The first server has the older build.
    init() throws {
        cluster = try ServerCluster(count: 2)
        folder = try TemporaryFolder()
    }

    @Test func `the newer goes on where it can follow, and the older answers what it can`() throws {
        let (old, new) = (PinnedClient(cluster.servers[0]), PinnedClient(cluster.servers[1]))
        let session = try old.open()
        for number in [1, 7, 3] { _ = old.add(number, to: session) }
        try deploy(refusing: 7)
        // It cannot handle 7 as it was, and says so in the record.
        #expect(new.look(at: session).answer == .state(revision: 5, numbers: [1]))
        #expect(old.look(at: session).answer == .state(revision: 5, numbers: [1]))
        #expect(old.add(8, to: session).answer == .state(revision: 6, numbers: [1, 8]))
        #expect(new.look(at: session).answer == .state(revision: 6, numbers: [1, 8]))
    }

    @Test func `the older does not record that it cannot follow the newer`() throws {
        let (old, new) = (PinnedClient(cluster.servers[0]), PinnedClient(cluster.servers[1]))
        try deploy(refusing: nil, elsewhere: 7)
        let session = try new.open()
        #expect(old.look(at: session).answer == .state(revision: 1, numbers: []))
        #expect(new.add(7, to: session).answer == .state(revision: 2, numbers: [7]))
        let answer = try cluster.servers[0].client().request("GET", session.path)
        #expect(answer.status == 503 && answer.text.contains("session-unavailable"), "\(answer.status) \(answer.text)")
        #expect(answer["Retry-After"] == "1")
        #expect(new.add(8, to: session).answer == .state(revision: 3, numbers: [7, 8]))
    }

    /// Has the second server run a newer build.
    ///
    /// - Parameters:
    ///   - number: The number that the newer build refuses.
    ///   - other: The number that the older build refuses.
    private func deploy(refusing number: Int?, elsewhere other: Int? = nil) throws {
        let build = folder("newer")
        // A build is known by its bytes. No process may run a file that is open to be written, as this one's would be in
        // each that it starts meanwhile.
        let script = #"cp "$1" "$2" && echo >> "$2""#
        let copy = try Program.run(["sh", "-c", script, "sh", "\(Program.products)/ClusterProgram", build])
        #expect(copy.status == 0, "\(copy.error)")
        try restart(cluster.servers[0], refusing: other)
        try restart(cluster.servers[1], refusing: number, as: build)
    }

    private func restart(_ server: ClusterServer, refusing number: Int?, as build: String? = nil) throws {
        guard build != nil || number != nil else { return }
        var setup = ServerSetup()
        setup.environment["USHER_TEST_REFUSED"] = number.map { "\($0)" }
        if let build { setup.program = build }
        #expect(server.stop() == 0)
        try server.start(setup)
    }
}

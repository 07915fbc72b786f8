import LocalhostClient
import Programs
import ServerCluster
import Synchronization
import Testing

/// Tests that servers can be restarted behind HAProxy without their clients noticing.
@Suite("Restarts of servers", .blocking, .timeLimit(.minutes(LongRun.isOn ? 20 : 5)))
struct RestartTests {
    /// The ways to restart servers one by one.
    enum Way: CaseIterable {
        case stopAndStart
        case replace
    }

    @Test(arguments: Way.allCases)
    func `no request fails while each server in turn is restarted`(way: Way) async throws {
        var setup = ServerSetup()
        setup.options = way == .replace ? [] : ["--no-supervisor"]
        let cluster = try ServerCluster(setup, routing: .affinity)
        let progress = LoadProgress()
        let failures = try await withThrowingTaskGroup(of: [String].self) { group in
            for name in 1...4 { group.addTask { try Self.use(cluster, as: name, progress) } }
            do {
                defer { progress.finish() }
                for _ in 0..<LongRun.choose(1, long: 10) {
                    for server in cluster.servers {
                        progress.wait(for: 40)
                        try Self.restart(server, way)
                        progress.wait(for: 40)
                    }
                }
            }
            return try await group.reduce([]) { $0 + $1 }
        }
        #expect(failures == [])
        #expect(progress.count > 200)
        if !failures.isEmpty { print(cluster.log.suffix(20_000)) }
    }

    private static func restart(_ server: ClusterServer, _ way: Way) throws {
        switch way {
        case .stopAndStart:
            #expect(server.stop() == 0)
            try server.start()
        case .replace: try server.replace()
        }
        #expect(server.becomes(ready: true))
    }

    /// Uses a session like a client that never repeats a request.
    ///
    /// - Returns: The errors.
    private static func use(_ cluster: ServerCluster, as name: Int, _ progress: LoadProgress) throws -> [String] {
        let client = cluster.client()
        var failures: [String] = []
        func request(_ method: String, _ path: String, _ body: String? = nil) -> RawResponse? {
            defer { progress.note() }
            do {
                let answer = try client.request(method, path, body: body)
                if answer.status >= 400 { failures.append("\(method) \(path): \(answer.status) \(answer.text)") }
                return answer
            } catch {
                failures.append("\(method) \(path): \(error)")
                return nil
            }
        }
        var count = 0
        while !progress.isOver {
            let opened = request("POST", "/sessions", #"{"app":"ledger"}"#)
            guard let id = opened.flatMap({ LoadClient.id(of: $0) }) else { continue }
            for _ in 0..<10 {
                count += 1
                _ = request("POST", "/sessions/\(id)/events", #"{"event":{"add":{"number":\#(count)}}}"#)
                _ = request("GET", "/sessions/\(id)")
            }
        }
        return failures
    }
}

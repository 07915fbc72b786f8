import LocalhostClient
import Programs
import ServerCluster
import Testing

@Suite("A lethal input", .blocking, .timeLimit(.minutes(5)))
struct LethalInputTests {
    @Test func `an input that crashes servers crashes each server at most once, however often it is sent`() async throws
    {
        var setup = ServerSetup()
        setup.options = []
        let cluster = try ServerCluster(setup)
        let session = try PinnedClient(port: cluster.port).open()
        let client = cluster.client(timeout: 5)
        let headers = [("Idempotency-Key", "lethal")]
        let body = #"{"event":{"die":{"number":1}}}"#
        let end = LoadClient.now + 40_000_000_000
        var refusals = 0
        // One request at a time, because HAProxy alternates between the servers.
        while refusals < 9, LoadClient.now < end {
            let answer = try? client.request("POST", "\(session.path)/events", headers: headers, body: body)
            if answer?.status == 422 { refusals += 1 } else { LoadProgress.pause() }
        }
        #expect(refusals == 9)
        var crashes = 0
        for server in cluster.servers {
            #expect(server.becomes(ready: true))
            let answer = try server.client().request("POST", "\(session.path)/events", headers: headers, body: body)
            #expect(answer.status == 422 && answer.text.contains("input-crashes"), "\(answer.status) \(answer.text)")
            let own = server.log.split(separator: "\n").count { $0.contains("worker ended") }
            #expect(own <= 1, "\(server.log)")
            crashes += own
            #expect(PinnedClient(server).look(at: session).answer == .state(revision: 1, numbers: []))
        }
        #expect(crashes > 0)
    }
}

import HelloBye
import LocalhostClient
import StartLoginMain
import Testing
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("Streams of a session", .serialized, .timeLimit(.minutes(5)))
struct StreamTests {
    @Test func `each client with a stream gets every revision in order`() async throws {
        try await withServer([HelloByeApp.self]) { server in
            let (client, path) = try open(server)
            let watchers = try (0..<20).map { _ in try StreamClient(server.port, path) }
            for turn in 0..<30 { try send(turn, client, path) }
            for watcher in watchers {
                for revision in 1...31 { #expect(try watcher.next() == "state \(revision)") }
            }
        }
    }

    @Test func `a client that reconnects to a stream gets a gap and the newest state`() async throws {
        try await withServer([HelloByeApp.self]) { server in
            let (client, path) = try open(server)
            for turn in 0..<5 { try send(turn, client, path) }
            let late = try StreamClient(server.port, path, lastEventID: "2")
            #expect(try late.next() == "gap")
            #expect(try late.next() == "state 6")
            let next = try StreamClient(server.port, path, lastEventID: "5")
            #expect(try next.next() == "state 6")
            let current = try StreamClient(server.port, path, lastEventID: "6")
            try send(5, client, path)
            #expect(try current.next() == "state 7")
        }
    }

    @Test func `with the changes profile, a stream sends only the changes, and the whole state after a gap`()
        async throws
    {
        try await withServer([StartLoginMainApp.self]) { server in
            let client = LocalhostClient(port: server.port)
            let opened = try client.request("POST", "/sessions", body: #"{"app":"start-login-main"}"#)
            let path = try #require(opened["Location"])
            let accept = "text/event-stream, application/json; profile=changes"
            func since(_ watcher: StreamClient) throws -> Int? {
                try JSONDocument(parsing: Array(watcher.data.utf8)).root[member: "since"]?.integer
            }
            let watcher = try StreamClient(server.port, path, accept: accept)
            let other = try StreamClient(server.port, path)
            #expect(try watcher.next() == "state 1")
            #expect(try since(watcher) == nil)
            for turn in 0..<4 {
                let body = turn % 2 == 0 ? #"{"event":"startApp"}"# : #"{"back":true}"#
                #expect(try client.request("POST", "\(path)/events", body: body).status == 200)
                #expect(try watcher.next() == "state \(turn + 2)")
                #expect(try since(watcher) == turn + 1)
            }
            for revision in 1...5 { #expect(try other.next() == "state \(revision)") }
            #expect(try since(other) == nil)
            let next = try StreamClient(server.port, path, lastEventID: "4", accept: accept)
            #expect(try next.next() == "state 5")
            #expect(try since(next) == 4)
            let late = try StreamClient(server.port, path, lastEventID: "2", accept: accept)
            #expect(try late.next() == "gap")
            #expect(try late.next() == "state 5")
            #expect(try since(late) == nil)
        }
    }

    @Test func `DELETE ends the session's streams, and then no stream of the session can be opened`() async throws {
        try await withServer([HelloByeApp.self]) { server in
            let (client, path) = try open(server)
            let watcher = try StreamClient(server.port, path)
            #expect(try watcher.next() == "state 1")
            #expect(try client.request("DELETE", path).status == 204)
            #expect(try watcher.next() == "end")
            let gone = try JSONDocument(parsing: client.request("GET", "\(path)/stream").body).root
            let end = try JSONDocument(parsing: Array(watcher.data.utf8)).root
            #expect(end[member: "reason"]?.string == "deleted")
            #expect(end[member: "app"]?.string == "hello-bye")
            // The event has the same members as the 410 for later requests.
            #expect(end.members.map(\.name) == ["reason", "endedAt", "app", "start"])
            for member in end.members { #expect(gone[member: member.name]?.bytes == member.value.bytes) }
            #expect(try watcher.next() == nil)
            #expect(try client.request("GET", "\(path)/stream").status == 410)
            #expect(try client.request("GET", "/sessions/\(String(repeating: "0", count: 32))/stream").status == 404)
        }
    }

    @Test func `a draining server tells streams when to reconnect, and does not wait for streams`() async throws {
        try await withServer([HelloByeApp.self]) { server in
            let (_, path) = try open(server)
            let watcher = try StreamClient(server.port, path)
            #expect(try watcher.next() == "state 1")
            async let stop: Void = server.stop()
            #expect(try watcher.next() == "retry 1000")
            #expect(try watcher.next() == nil)
            await stop
        }
    }

    @Test func `each of 1,000 watchers gets every revision in order, or a gap, and leaves nothing in memory`()
        async throws
    {
        try await withServer([HelloByeApp.self]) { server in
            let (client, path) = try open(server)
            var watchers = try (0..<1_000).map { _ in try StreamClient(server.port, path, timeout: 60) }
            #expect(server.streamCount == 1_000)
            for turn in 0..<20 { try send(turn, client, path) }
            for watcher in watchers {
                var seen = 0
                while seen < 21 {
                    let event = try #require(try watcher.next())
                    guard event != "gap" else { continue }
                    let revision = try #require(Int(event.split(separator: " ").last ?? ""))
                    #expect(revision > seen)
                    seen = revision
                }
            }
            watchers = []
            // The clients' connections are closed, so the next state is sent to nobody.
            var turn = 20
            while server.streamCount > 0 {
                try Task.checkCancellation()
                try send(turn, client, path)
                turn += 1
            }
        }
    }

    @Test func `after a pause, a reader gets a gap and the newest state; during the pause, the reader uses no memory`()
        async throws
    {
        try await withServer([HelloByeApp.self]) { server in
            let (client, path) = try open(server)
            // The system's buffer is small, so that the server soon has to wait.
            let slow = try StreamClient(server.port, path, room: 4_096)
            for turn in 0..<4_000 { try send(turn, client, path) }
            var events: [String] = []
            while events.last != "state 4001" { events.append(try #require(try slow.next())) }
            #expect(events.contains("gap"))
            let revisions = events.compactMap { Int($0.split(separator: " ").last ?? "") }
            #expect(revisions == revisions.sorted())
            #expect(Set(revisions).count == revisions.count)
        }
    }

    private func open(_ server: Server) throws -> (LocalhostClient, String) {
        let client = LocalhostClient(port: server.port)
        let opened = try client.request("POST", "/sessions", body: #"{"app":"hello-bye"}"#)
        return (client, try #require(opened["Location"]))
    }

    private func send(_ turn: Int, _ client: LocalhostClient, _ path: String) throws {
        let event = turn.isMultiple(of: 2) ? "bye" : "hello"
        #expect(try client.request("POST", "\(path)/events", body: #"{"event":"\#(event)"}"#).status == 200)
    }
}

import LocalhostClient
import StartLoginMain
import Testing
import Tudy
import UsherJSON
import UsherServer

@Suite("Refused inputs in the operator's stream", .serialized, .timeLimit(.minutes(5)))
struct RefusedInputTests {
    @Test func `only the operator's stream contains refused inputs, with their secrets masked`() async throws {
        try await withServer([TudyApp.self]) { server in
            let (client, path) = try open("tudy", on: server)
            #expect(try client.request("POST", "\(path)/events", body: #"{"event":"showLogin"}"#).status == 200)
            let (watcher, user) = (try watch(path, on: server), try StreamClient(server.port, path))
            #expect(try watcher.next() == "state 2")
            #expect(try user.next() == "state 2")
            let login = #"{ "event": {"login": {"name":"kim", "password":"hush"}} }"#
            let answer = try client.request("POST", "\(path)/events", headers: [("If-Match", "\"7\"")], body: login)
            #expect(answer.status == 412)
            #expect(try watcher.next() == "refused")
            let refused = try watcher.json()
            #expect(refused[member: "status"]?.integer == 412)
            #expect(refused[member: "revision"]?.integer == 2)
            #expect(refused[member: "detail"]?.string?.contains("at revision 2") == true)
            #expect(refused[member: "time"]?.string?.hasSuffix("Z") == true)
            #expect(refused[member: "input"]?.text == #"{"event":{"login":{"name":"kim","password":"…"}}}"#)
            #expect(try client.request("POST", "\(path)/events", body: #"{"event":"close"}"#).status == 200)
            #expect(try user.next() == "state 3")
        }
    }

    @Test func `if the payload of a refused input was not decoded, the whole payload is masked`() async throws {
        try await withServer([TudyApp.self]) { server in
            let (client, path) = try open("tudy", on: server)
            for body in [
                #"{"screen":77,"event":{"login":{"name":"kim","password":"hush"}}}"#,
                #"{"event":{"fly":{"password":"hush"}}}"#, #"{"open":[{"fly":{"password":"hush"}}]}"#,
            ] {
                #expect([409, 422].contains(try client.request("POST", "\(path)/events", body: body).status))
            }
            let watcher = try watch(path, on: server)
            #expect(try watcher.next() == "state 1")
            for input in [
                #"{"screen":77,"event":{"login":"…"}}"#, #"{"event":{"fly":"…"}}"#, #"{"open":[{"fly":"…"}]}"#,
            ] {
                #expect(try watcher.next() == "refused")
                #expect(try watcher.json()[member: "input"]?.text == input)
            }
        }
    }

    @Test func `a malformed request is reported without its input; a request that has no access is not reported`()
        async throws
    {
        try await withServer([StartLoginMainApp.self]) { server in
            let (client, path) = try open("start-login-main", on: server)
            #expect(try client.request("POST", "\(path)/events", body: "{").status == 400)
            let origin = [("Origin", "http://evil.example")]
            let foreign = try client.request("POST", "\(path)/events", headers: origin, body: #"{"event":"fly"}"#)
            #expect(foreign.status == 403)
            let watcher = try watch(path, on: server)
            #expect(try watcher.next() == "state 1")
            #expect(try watcher.next() == "refused")
            let refused = try watcher.json()
            #expect(refused[member: "status"]?.integer == 400)
            #expect(refused[member: "revision"]?.integer == 1)
            #expect(refused[member: "input"] == nil)
            #expect(try client.request("POST", "\(path)/events", body: #"{"event":"startApp"}"#).status == 200)
            #expect(try watcher.next() == "state 2")
        }
    }

    @Test func `a backend's message that is refused is also reported`() async throws {
        try await withServer([StartLoginMainApp.self]) { server in
            let (client, path) = try open("start-login-main", on: server)
            let key = [("Authorization", "Bearer \(LocalhostClient.operatorToken)")]
            let body = #"{"message":{"news":{"of":"kim"}}}"#
            #expect(try client.request("POST", "\(path)/messages", headers: key, body: body).status == 422)
            let watcher = try watch(path, on: server)
            #expect(try watcher.next() == "state 1")
            #expect(try watcher.next() == "refused")
            #expect(try watcher.json()[member: "input"]?.text == #"{"message":{"news":"…"}}"#)
        }
    }

    @Test func `the newest 64 refused inputs are stored; large inputs are stored without their content`()
        async throws
    {
        try await withServer([StartLoginMainApp.self]) { server in
            let (client, path) = try open("start-login-main", on: server)
            for turn in 1...70 {
                let name = turn == 70 ? String(repeating: "a", count: 20_000) : "fly\(turn)"
                #expect(try client.request("POST", "\(path)/events", body: #"{"event":"\#(name)"}"#).status == 422)
            }
            let watcher = try watch(path, on: server)
            #expect(try watcher.next() == "state 1")
            for number in 7...70 {
                #expect(try watcher.next() == "refused")
                let refused = try watcher.json()
                #expect(refused[member: "number"]?.integer == number)
                #expect((refused[member: "input"] == nil) == (number == 70))
                #expect(watcher.data.utf8.count < 9_000)
            }
            #expect(try client.request("DELETE", path).status == 204)
            #expect(try watcher.next() == "end")
        }
    }

    private func open(_ app: String, on server: Server) throws -> (LocalhostClient, path: String) {
        let client = LocalhostClient(port: server.port)
        let opened = try client.request("POST", "/sessions", body: #"{"app":"\#(app)"}"#)
        return (client, try #require(opened["Location"]))
    }

    private func watch(_ path: String, on server: Server) throws -> StreamClient {
        try StreamClient(server.port, "/admin\(path)", token: LocalhostClient.operatorToken)
    }
}

extension StreamClient {
    /// Returns the data of the newest event.
    fileprivate func json() throws -> JSONValue {
        try JSONDocument(parsing: Array(data.utf8)).root
    }
}

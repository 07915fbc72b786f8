import HelloBye
import LocalhostClient
import Testing
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherServer

/// Tests of the entity tags of a journal whose newest revisions a crash can lose.
@Suite("Revisions under relaxed durability", .timeLimit(.minutes(5)))
struct RelaxedRevisionTests {
    @Test func `an entity tag contains the server's run, so a condition with another run's tag fails`()
        async throws
    {
        let journal = try RecordedJournal(.relaxed)
        var seen: (path: String, tag: String)?
        try await journal.serve([HelloByeApp.self]) { stage in
            let walk = try await stage.open("hello-bye")
            let tag = try #require(walk.answer.headers["ETag"])
            #expect(tag.hasPrefix("\"1."))
            #expect(walk.answer["revision"]?.integer == 1)
            #expect(try await stage.request(.get, walk.path, headers: ["If-None-Match": tag]).status == 304)
            let event = #"{"event":"bye"}"#
            #expect(try await walk.post(event, headers: ["If-Match": "\"1\""]).status == 412)
            let answer = try await walk.post(event, headers: ["If-Match": tag])
            #expect(answer.status == 200)
            seen = (walk.path, try #require(answer.headers["ETag"]))
        }
        let (path, tag) = try #require(seen)
        try await journal.serve([HelloByeApp.self]) { stage in
            let state = try await stage.request(.get, path, headers: ["If-None-Match": tag])
            #expect(state.status == 200)
            let now = try #require(state.headers["ETag"])
            #expect(now.hasPrefix("\"2."))
            #expect(now != tag)
            #expect(try await stage.request(.delete, path, headers: ["If-Match": tag]).status == 412)
            #expect(try await stage.request(.delete, path, headers: ["If-Match": now]).status == 204)
        }
    }

    @Test func `a stream's event ids are entity tags, and an id from another run of the server causes a gap`()
        async throws
    {
        try await RecordedJournal(.relaxed).use { journal in
            try await withServer([HelloByeApp.self], journal: journal) { server in
                let client = LocalhostClient(port: server.port)
                let opened = try client.request("POST", "/sessions", body: #"{"app":"hello-bye"}"#)
                let path = try #require(opened["Location"])
                let identifier = try #require(opened["ETag"]).filter { $0 != "\"" }
                #expect(try StreamClient(server.port, path).next() == "state \(identifier)")
                let known = try StreamClient(server.port, path, lastEventID: identifier)
                #expect(try client.request("POST", "\(path)/events", body: #"{"event":"bye"}"#).status == 200)
                #expect(try known.next()?.hasPrefix("state 2.") == true)
                let other = try StreamClient(server.port, path, lastEventID: "2.before")
                #expect(try other.next() == "gap")
                #expect(try other.next()?.hasPrefix("state 2.") == true)
            }
        }
    }
}

import HelloBye
import StartLoginMain
import Testing
import Usher
import UsherHTTP
import UsherJSON
import UsherServer

/// Tests of unused sessions, and of sessions across restarts.
@Suite("Sessions across restarts and hibernation", .timeLimit(.minutes(5)))
struct JournalLifeTests {
    @Test func `a session continues after the server was restarted`() async throws {
        let journal = try RecordedJournal()
        var opened: (id: String, state: String)?
        try await journal.serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main")
            opened = (walk.id, try await walk.send("startApp").text)
        }
        let (id, state) = try #require(opened)
        try await journal.serve([StartLoginMainApp.self]) { stage in
            #expect(try await stage.request(.get, "/admin/sessions")["awake"]?.integer == 0)
            let walk = try Walk(on: stage, opened: try await stage.request(.get, "/sessions/\(id)"))
            #expect(walk.answer.text == state)
            try await walk.send("login", from: 2)
            try await walk.expect("n[start, main]", "App→[Start→[Main]]")
        }
    }

    @Test func `a backup can be inspected and checked while the server runs`() async throws {
        let journal = try RecordedJournal()
        try await journal.serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main")
            let state = try await walk.send("startApp").text
            let answer = try await stage.request(.post, "/admin/backup")
            #expect(answer.status == 201)
            let path = try #require(answer["path"]?.string)
            #expect(try #require(answer["bytes"]?.integer) > 0)
            guard
                case .inspect(let command) = try Command(
                    ["replay", walk.id, "--journal", "sqlite:\(path)"], environment: { _ in nil })
            else { return }
            var lines: [String] = []
            #expect(try await command.run(apps: [StartLoginMainApp.self]) { lines.append($0) } == 0)
            #expect(lines == [state])
            // The copy does not contain later inputs.
            _ = try await walk.send("login")
            _ = try await stage.open("start-login-main")
            guard
                case .inspect(let check) = try Command(
                    ["check", "--journal", "sqlite:\(path)"], environment: { _ in nil })
            else { return }
            lines = []
            #expect(try await check.run(apps: [StartLoginMainApp.self]) { lines.append($0) } == 0)
            #expect(lines == ["1 live session: 1 unchanged"])
            lines = []
            #expect(try await check.run(apps: [HelloByeApp.self]) { lines.append($0) } == 1)
            #expect(lines.first == "1 live session: 0 unchanged, 1 held")
        }
    }

    @Test func `an idle session hibernates, and is restored at its next request`() async throws {
        try await Surface.localhost.serve([HelloByeApp.self], configure: { $0.idleAfter = .milliseconds(100) }) {
            stage in
            let walk = try await stage.open("hello-bye")
            let sessions = try await sessions(on: stage) { $0["awake"]?.integer == 0 }
            #expect(sessions["live"]?.integer == 1)
            #expect(sessions["coordinators"]?.text == #"{"live":0,"created":2,"finished":0,"leaked":0}"#)
            try await walk.expect("n[bye]", "App→[Bye]")
        }
    }

    @Test func `a session that is not used any more expires`() async throws {
        try await Surface.localhost.serve([HelloByeApp.self], configure: { $0.expireAfter = .milliseconds(100) }) {
            stage in
            let walk = try await stage.open("hello-bye")
            _ = try await sessions(on: stage) { $0["live"]?.integer == 0 }
            let answer = try await walk.state()
            #expect(answer.status == 410)
            #expect(answer.detail.contains("expired"))
        }
    }

    @Test func `if memory contains more sessions than --max-live, the least recently used sessions hibernate`()
        async throws
    {
        try await Surface.onDisk.serve([HelloByeApp.self], configure: { $0.maxLive = 2 }) { stage in
            for _ in 0..<5 { _ = try await stage.open("hello-bye") }
            let sessions = try await stage.request(.get, "/admin/sessions")
            #expect(sessions["live"]?.integer == 5)
            #expect(sessions["awake"]?.integer == 2)
            #expect(sessions["coordinators", "live"]?.integer == 4)
            #expect(sessions["coordinators", "created"]?.integer == 10)
        }
    }

    @Test(arguments: [
        (1_000, 86_400_000, 100), (300_000, 86_400_000, 30_000), (300_000, 2_000, 200), (100, 100, 100),
    ])
    func `the pause between two sweeps for unused sessions depends on the idle and expiry times`(
        idle: Int, expiry: Int, interval: Int
    ) {
        var options = ServeOptions()
        options.idleAfter = .milliseconds(idle)
        options.expireAfter = .milliseconds(expiry)
        #expect(options.sweepInterval == .milliseconds(interval))
    }

    /// Reads the list until it satisfies a condition; otherwise the suite's time limit ends the wait.
    private func sessions(on stage: Stage, until isWanted: (Answer) -> Bool) async throws -> Answer {
        while true {
            try Task.checkCancellation()
            let answer = try await stage.request(.get, "/admin/sessions")
            if isWanted(answer) { return answer }
        }
    }
}

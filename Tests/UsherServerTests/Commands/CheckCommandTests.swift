import HelloBye
import Testing
import UsherHTTP
import UsherJSON

@Suite("The command usher check")
struct CheckCommandTests {
    @Test func `for the build that wrote the journal, usher check reports that all sessions can be restored`()
        async throws
    {
        let recorded = try await record()
        let (status, lines) = try await recorded.journal.run("check", apps: [Builds.old, HelloByeApp.self])
        #expect(status == 0)
        #expect(lines == ["4 live sessions: 4 unchanged"])
    }

    @Test func `the report groups sessions that a build handles differently, by the cause of the difference`()
        async throws
    {
        let recorded = try await record()
        let (status, lines) = try await recorded.journal.run("check", apps: [Builds.changed, HelloByeApp.self])
        #expect(status == 1)
        let example =
            recorded.bought < recorded.looked
            ? "\(recorded.bought) at revision 2: input 2 (event buy) once led to the screen payment 2, and now to the "
                + "screen thing 2; resumed from revision 1"
            : "\(recorded.looked) at revision 3: input 3 (event buy) once led to the screen payment 3, and now to the "
                + "screen thing 3; resumed from revision 2"
        #expect(
            lines == [
                "4 live sessions: 2 unchanged, 2 resumed",
                "2 resumed, shop: event buy once led to the screen payment, and now to the screen thing; that loses "
                    + "navigation only", "  such as \(example)",
            ])
        // The check has written nothing, so the next one finds the same.
        #expect(try await recorded.journal.run("check", apps: [Builds.changed, HelloByeApp.self]).lines == lines)
    }

    @Test func `a build can restore all sessions even if its screens have additional members`() async throws {
        let recorded = try await record()
        let (status, _) = try await recorded.journal.run("check", apps: [Builds.grown, HelloByeApp.self])
        #expect(status == 0)
    }

    @Test func `a build that lacks an app cannot restore the app's sessions`() async throws {
        let recorded = try await record()
        let (status, lines) = try await recorded.journal.run("check", apps: [HelloByeApp.self])
        #expect(status == 1)
        #expect(
            lines.prefix(2) == ["4 live sessions: 1 unchanged, 3 held", "3 held, shop: this build has no app \"shop\""])
        #expect(lines.count == 3)
    }

    @Test func `the report counts the sessions that the app ends separately`() async throws {
        let recorded = try await record()
        let (status, lines) = try await recorded.journal.run("check", apps: [Builds.changedEnding, HelloByeApp.self])
        #expect(status == 1)
        #expect(
            lines.prefix(2) == [
                "4 live sessions: 2 unchanged, 2 ended",
                "2 ended, shop: event buy once led to the screen payment, and now to the screen thing",
            ])
        let json = try await recorded.journal.run(
            "check", "--as", "json", apps: [Builds.changedEnding, HelloByeApp.self]
        ).lines
        let report = try JSONDocument(parsing: Array(json[0].utf8)).root
        #expect(report[member: "fates"]?[member: "ended"]?.integer == 2)
        #expect(report[member: "fates"]?[member: "held"]?.integer == 0)
        let cause = try #require(report[member: "causes"]?.elements.first { _ in true })
        #expect(cause[member: "fate"]?.string == "ended" && cause[member: "reason"] == nil)
    }

    @Test func `a session counts as unchanged after it has resumed in this build and handled an input`() async throws {
        let recorded = try await record()
        try await recorded.journal.serve([Builds.changed, HelloByeApp.self]) { stage in
            let answer = try await stage.request(.get, "/sessions/\(recorded.bought)")
            #expect(answer["resumed"]?[member: "revision"]?.integer == 1)
            // The first input makes the resumption final.
            _ = try await stage.request(.post, "/sessions/\(recorded.bought)/events", body: #"{"event":"look"}"#)
        }
        let (_, lines) = try await recorded.journal.run("check", apps: [Builds.changed, HelloByeApp.self])
        #expect(lines.count == 3)
        #expect(lines[2].hasPrefix("  such as \(recorded.looked) "))
    }

    @Test(arguments: ["replay", "export"])
    func `usher replay and usher export refuse a session that this build handles differently`(
        command: String
    )
        async throws
    {
        let recorded = try await record()
        await #expect {
            _ = try await recorded.journal.run(command, recorded.bought, apps: [Builds.changed])
        } throws: { error in
            "\(error)".hasSuffix(
                ": input 2 (event buy) once led to the screen payment 2, and now to the screen thing 2")
        }
    }

    @Test func `the report lists the clients that cannot draw this build's screens, by name and version`() async throws
    {
        let journal = try RecordedJournal()
        try await journal.serve([Builds.old]) { stage in
            for (client, event) in [("3.2", "buy"), ("3.2", "look"), ("3.1", "buy"), ("4.0", "buy")] {
                let version = client == "4.0" ? 2 : 1
                let client = #"{"name":"ios","version":"\#(client)","screens":{"payment":\#(version),"*":1}}"#
                let opened = try await stage.request(
                    .post, "/sessions", body: #"{"app":"\#(Builds.name)","client":\#(client)}"#)
                let walk = try Walk(on: stage, opened: opened)
                #expect(try await walk.send(event).status == 200)
                // Now the session shows a screen that every client can draw.
                #expect(try await walk.back().status == 200)
            }
        }
        #expect(try await journal.run("check", apps: [Builds.old]).status == 0)
        let (status, lines) = try await journal.run("check", apps: [Builds.newPayment])
        #expect(status == 1)
        let end = #"cannot draw the screen "payment" of version 2, which 1 of its live sessions would have shown"#
        #expect(
            lines.first == "4 live sessions: 4 unchanged"
                && lines.dropFirst().sorted() == ["shop: the client ios 3.1 \(end)", "shop: the client ios 3.2 \(end)"])
    }

    @Test func `the report in JSON has the same counts, causes and examples as the report in text`() async throws {
        let recorded = try await record()
        let (status, lines) = try await recorded.journal.run(
            "check", "--as", "json", apps: [Builds.changed, HelloByeApp.self])
        #expect(status == 1 && lines.count == 1)
        let report = try JSONDocument(parsing: Array(lines[0].utf8)).root
        #expect(report[member: "sessions"]?.integer == 4)
        #expect(
            report[member: "fates"]?.text
                == #"{"unchanged":2,"resumed":2,"anew":0,"held":0,"ended":0,"unreadable":0,"untried":0}"#)
        let causes = Array(try #require(report[member: "causes"]?.elements))
        #expect(causes.count == 1)
        let cause = causes[0]
        #expect(cause[member: "fate"]?.string == "resumed" && cause[member: "app"]?.string == "shop")
        #expect(
            cause[member: "cause"]?.string == "event buy once led to the screen payment, and now to the screen thing")
        #expect(cause[member: "sessions"]?.integer == 2 && cause[member: "losses"]?.text == "[]")
        let example = try #require(cause[member: "example"])
        let session = min(recorded.bought, recorded.looked)
        let revision = session == recorded.bought ? 2 : 3
        #expect(example[member: "session"]?.string == session)
        #expect(example[member: "differsAt"]?.integer == revision)
        #expect(example[member: "resumesAfter"]?.integer == revision - 1)
        #expect(example[member: "recorded"]?.string == "the screen payment \(revision)")
        #expect(example[member: "found"]?.string == "the screen thing \(revision)")
        let (clean, none) = try await recorded.journal.run(
            "check", "--as=json", apps: [Builds.old, HelloByeApp.self])
        #expect(clean == 0)
        #expect(try JSONDocument(parsing: Array(none[0].utf8)).root[member: "causes"]?.text == "[]")
    }

    @Test func `an empty journal passes the check`() async throws {
        let journal = try RecordedJournal()
        try await journal.use { _ in }
        #expect(try await journal.run("check", apps: []) == (0, ["0 live sessions: 0 unchanged"]))
    }

    private struct Recorded {
        let journal: RecordedJournal
        let bought: String
        let looked: String
    }

    /// Records four live sessions, two of which have reached the changed part of the app, and one that has ended there.
    private func record() async throws -> Recorded {
        let journal = try RecordedJournal()
        var ids: [String] = []
        try await journal.serve([Builds.old, HelloByeApp.self]) { stage in
            for events in [["buy"], ["look", "buy"], ["look"], ["buy"]] {
                let walk = try await stage.open(Builds.name)
                for event in events { try await walk.send(event) }
                ids.append(walk.id)
                if ids.count == 4 { _ = try await walk.delete() }
            }
            _ = try await stage.open("hello-bye")
        }
        return Recorded(journal: journal, bought: ids[0], looked: ids[1])
    }
}

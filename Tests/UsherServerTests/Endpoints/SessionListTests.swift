import HelloBye
import Testing
import Usher
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("The operator's list of sessions", .timeLimit(.minutes(5)))
struct SessionListTests {
    private static func ids(_ answer: Answer) -> [String] {
        answer["sessions"]?.elements.compactMap { $0[member: "session"]?.string } ?? []
    }

    /// Reads all pages by following the address of each next page.
    private static func walk(_ stage: Stage, _ query: String) async throws -> [String] {
        var (found, query) = ([String](), query)
        while true {
            let page = try await stage.request(.get, "/admin/sessions", query: query)
            try #require(page.status == 200, "\(page.text)")
            found += ids(page)
            guard let next = page["next"]?.string else { return found }
            #expect(next.hasPrefix("/admin/sessions?"))
            query = String(next.dropFirst("/admin/sessions?".count))
        }
    }

    @Test(arguments: [Surface.inProcess, .onDisk])
    func `the list can be filtered by app and is returned in pages, whatever the order`(on surface: Surface)
        async throws
    {
        try await surface.serve([HelloByeApp.self, TrialApp.self]) { stage in
            var opened: [String: [String]] = [:]
            for number in 0..<7 {
                let app = number % 3 == 0 ? "hello-bye" : "trial"
                opened[app, default: []].append(try await stage.open(app).id)
            }
            let all = opened.values.joined().sorted()
            for sort in ["used", "created", "id"] {
                for limit in [1, 3, 7] {
                    let page = "sort=\(sort)&limit=\(limit)"
                    #expect(try await Self.walk(stage, page).sorted() == all)
                    let trials = try await Self.walk(stage, "app=trial&" + page)
                    #expect(trials.sorted() == opened["trial"]?.sorted())
                }
            }
            let answer = try await stage.request(.get, "/admin/sessions", query: "app=hello-bye&limit=1")
            #expect(answer["total"]?.text == #"{"count":3,"of":"matching"}"#)
            #expect(try await Self.walk(stage, "app=none+such").isEmpty)
            #expect(try await Self.walk(stage, "limit=7").count == 7)
            #expect(try await stage.request(.get, "/admin/sessions", query: "limit=7")["next"] == nil)
        }
    }

    @Test(arguments: [Surface.inProcess, .onDisk])
    func `the list can be filtered by user`(on surface: Surface) async throws {
        try await surface.serve([HelloByeApp.self, TrialApp.self]) { stage in
            var opened: [String: [String]] = [:]
            for (app, subject) in [
                ("trial", "kim"), ("trial", "lee"), ("hello-bye", "kim"), ("trial", "kim"), ("trial", "tom&jerry"),
            ] {
                let body = #"{"app":"\#(app)","subject":"\#(subject)"}"#
                let answer = try await stage.request(.post, "/sessions", body: body)
                opened[subject, default: []].append(try #require(answer["session"]?.string))
            }
            for limit in [1, 2, 7] {
                #expect(try await Self.walk(stage, "subject=kim&limit=\(limit)") == opened["kim"]?.sorted())
                #expect(try await Self.walk(stage, "subject=tom%26jerry&limit=\(limit)") == opened["tom&jerry"])
                #expect(try await Self.walk(stage, "subject=kim&app=trial&limit=\(limit)").count == 2)
            }
            let trial = try #require(opened["kim"]?.first)
            #expect(try await Self.walk(stage, "subject=kim&prefix=\(trial)") == [trial])
            for (query, count) in [("subject=kim", 3), ("subject=nobody", 0), ("subject=kim&app=hello-bye", 1)] {
                let answer = try await stage.request(.get, "/admin/sessions", query: query)
                #expect(Self.ids(answer).count == count)
                #expect(answer["total"]?.text == #"{"count":\#(count),"of":"matching"}"#)
            }
            #expect(try await stage.request(.delete, "/sessions/\(trial)").status == 204)
            #expect(try await Self.walk(stage, "subject=kim").count == 2)
            for limit in [1, 9] {
                #expect(try await Self.walk(stage, "subject=kim&state=ended&limit=\(limit)") == [trial])
            }
            #expect(try await Self.walk(stage, "subject=kim&state=ended&app=hello-bye").isEmpty)
            #expect(try await Self.walk(stage, "subject=lee&state=ended").isEmpty)
            let ended = try await stage.request(.get, "/admin/sessions", query: "subject=kim&state=ended")
            #expect(ended["total"]?.text == #"{"count":1,"of":"matching"}"#)
            let session = try #require(ended["sessions"]?.elements.first { _ in true })
            #expect(session[member: "reason"]?.string == "deleted")
            #expect(session[member: "endedAt"]?.string != nil && session[member: "hibernated"] == nil)
        }
    }

    @Test func `sessions in memory can be filtered by their visible screen`() async throws {
        try await Surface.onDisk.serve([HelloByeApp.self, TrialApp.self], configure: { $0.maxLive = 6 }) { stage in
            _ = try await stage.open("trial")
            var showing: [String] = []
            for number in 0..<6 {
                let id = try await stage.open(number % 2 == 0 ? "trial" : "hello-bye").id
                if number % 2 == 0 { showing.append(id) }
            }
            for (query, found) in [
                ("visible=trial", showing), ("visible=tri&limit=1", showing), ("visible=trial&limit=2", showing),
                ("visible=rial", []), ("visible=trial&app=hello-bye", []), ("visible=trial&state=awake", showing),
                ("visible=trial&prefix=\(showing[1])", [showing[1]]),
            ] {
                #expect(try await Self.walk(stage, query) == found.sorted(), "\(query)")
            }
            let answer = try await stage.request(.get, "/admin/sessions", query: "visible=trial")
            #expect(answer["total"]?.text == #"{"count":7,"of":"all"}"#)
            #expect(answer["sessions"]?.elements.compactMap { $0[member: "access"]?.string } == ["id", "id", "id"])
        }
    }

    @Test func `the list can be filtered by the beginning of the id`() async throws {
        try await Surface.onDisk.serve([HelloByeApp.self]) { stage in
            var ids: [String] = []
            for _ in 0..<20 { ids.append(try await stage.open("hello-bye").id) }
            let wanted = ids[7]
            for length in [1, 2, 16, 17, 32] {
                let prefix = String(wanted.prefix(length))
                let found = try await Self.walk(stage, "prefix=\(prefix)&limit=1&app=hello-bye")
                #expect(found == ids.filter { $0.hasPrefix(prefix) }.sorted())
            }
        }
    }

    @Test func `the list can be filtered by leaks, also of hibernating sessions`() async throws {
        try await Surface.onDisk.serve([TrialApp.self], configure: { $0.maxLive = 2 }) { stage in
            let leaking = try await stage.open("trial")
            try await leaking.send("leak")
            try await leaking.send("step")
            for _ in 0..<4 { try await stage.open("trial").send("step") }
            #expect(try await Self.walk(stage, "state=hibernated").contains(leaking.id))
            for sort in ["used", "created", "id"] {
                let answer = try await stage.request(
                    .get, "/admin/sessions", query: "leaked=true&app=trial&sort=\(sort)")
                #expect(Self.ids(answer) == [leaking.id])
                #expect(answer["sessions"]?.elements.first { _ in true }?[member: "leaked"]?.integer == 1)
                #expect(answer["total"]?.text == #"{"count":1,"of":"matching"}"#)
            }
        }
    }

    @Test func `the list has the names of the values that only this server knows`() async throws {
        try await Surface.onDisk.serve([TrialApp.self], configure: { $0.maxLive = 1 }) { stage in
            let resting = try await stage.open("trial")
            let awake = try await stage.open("trial")
            let answer = try await stage.request(.get, "/admin/sessions", query: "state=awake")
            #expect(Self.ids(answer) == [awake.id])
            let session = answer["sessions"]?.elements.first { _ in true }
            #expect(session?[member: "visible"]?.string == "trial 1")
            #expect(session?[member: "used"]?.string != nil)
            #expect(answer["total"]?.text == #"{"count":2,"of":"all"}"#)
            #expect(answer["onlyHere"]?.elements.compactMap(\.string).contains("visible") == true)
            #expect(try await Self.walk(stage, "state=hibernated") == [resting.id])
        }
    }

    @Test(arguments: [
        ("limit=0", "limit"), ("limit=1001", "limit"), ("limit=x", "limit"), ("limit=", "limit"), ("after=x", "after"),
        ("after=", "after"), ("app=", "app"), ("prefix=", "prefix"), ("prefix=xyz", "prefix"),
        ("prefix=00FF", "prefix"),
        ("prefix=0000000000000000000000000000000000", "prefix"), ("prefix=%C3%A9", "prefix"),
        ("prefix=00&sort=used", "leave out"), ("state=", "state"), ("state=gone", "awake, hibernated, held or ended"),
        ("leaked=false", "takes only true"), ("leaked=", "takes only true"), ("sort=", "id, used or created"),
        ("sort=Used", "id, used or created"), ("sort=used&after=00000000000000000000000000000000", "next"),
        ("sort=created&after=x-00000000000000000000000000000000", "next"),
        ("sort=used&after=99999999999999999999-00000000000000000000000000000000", "next"),
        ("after=5-00000000000000000000000000000000", "session's id"), ("subject=", "subject"),
        ("subject=kim&sort=used", "leave out"), ("visible=", "screen's name"),
        ("visible=a&sort=used", "leave out"), ("visible=a&state=held", "leave out"),
        ("visible=a&state=hibernated", "leave out"),
        ("state=ended", "give the user as \"subject\""), ("subject=kim&state=ended&leaked=true", "leave out"),
        ("subject=kim&state=ended&visible=a", "leave out"), ("aap=shop", "unknown parameter"),
        ("app=a&app=b", "is repeated"),
    ])
    func `a request for the list with an invalid parameter gets 400 and the valid values`(
        query: String, words: String
    ) async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            let answer = try await stage.request(.get, "/admin/sessions", query: query)
            #expect(answer.status == 400)
            #expect(answer.detail.contains(words), "\(answer.text)")
        }
    }
}

import Sooda
import StartLoginMain
import Testing
import Tudy
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("Exports of a running server, and their import")
struct ExportEndpointTests {
    @Test(arguments: Surface.allCases)
    func `a session can be exported as a script or as a test, up to any revision`(
        on surface: Surface
    ) async throws {
        try await surface.serve([StartLoginMainApp.self]) { stage in
            let walk = try await Self.walked(on: stage)
            let script = try await stage.request(.get, "/admin\(walk.path)/export")
            #expect(script.headers["Content-Type"]?.hasPrefix("text/plain") == true)
            #expect(script.text.hasPrefix("#!/usr/bin/env bash\n") && script.text.contains(#"{"event":"login"}"#))
            let test = try await stage.request(.get, "/admin\(walk.path)/export", query: "as=swift&revision=2")
            #expect(test.text.contains("StartLoginMainApp.self") && test.text.contains("startApp"))
            #expect(!test.text.contains(#"login""#))
        }
    }

    @Test(arguments: Surface.allCases)
    func `importing an exported session opens a session with the same state`(on surface: Surface) async throws {
        try await surface.serve([StartLoginMainApp.self]) { stage in
            let walk = try await Self.walked(on: stage)
            let archive = try await stage.request(.get, "/admin\(walk.path)/export", query: "as=json&revision=3")
            #expect(archive["usher"]?.string == "session 1")
            let opened = try await stage.request(.post, "/admin/import", body: archive.text)
            try #require(opened.status == 201, "\(opened.text)")
            let copy = try Walk(on: stage, opened: opened)
            #expect(copy.id != walk.id)
            #expect(opened["revision"]?.integer == 3)
            let past = try await stage.request(.get, "/admin\(walk.path)/at/3")
            #expect(opened["stack"]?.text == past["stack"]?.text)
            try await copy.back()
            #expect(copy.answer["revision"]?.integer == 4)
            let entries = try await stage.request(.get, "/admin\(copy.path)/journal")["entries"]
            let visible = entries?.elements.compactMap { $0[member: "visible"]?.string }
            #expect(visible == ["start 1", "login 2", "main 3", "start 1"])
            // The import can be exported again.
            let again = try await stage.request(.get, "/admin\(copy.path)/export", query: "as=json")
            #expect(try await stage.request(.post, "/admin/import", body: again.text).status == 201)
        }
    }

    @Test func `an export with many inputs can be imported`() async throws {
        try await Surface.localhost.serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main")
            for _ in 1...200 {
                try await walk.send("startApp")
                try await walk.back()
            }
            let archive = try await stage.request(.get, "/admin\(walk.path)/export", query: "as=json")
            try #require(archive.text.utf8.count > 64 * 1_024)
            let opened = try await stage.request(.post, "/admin/import", body: archive.text)
            #expect(opened.status == 201 && opened["revision"]?.integer == 401, "\(opened.text)")
        }
    }

    @Test func `an export contains no secrets, and can be imported if no input needs a secret`() async throws {
        try await Surface.inProcess.serve([TudyApp.self]) { stage in
            let walk = try await stage.open("tudy")
            try await walk.send("showLogin")
            try await walk.post(#"{"event":{"login":{"name":"kim","password":"hush"}}}"#)
            for form in ["curl", "swift", "json"] {
                let answer = try await stage.request(.get, "/admin\(walk.path)/export", query: "as=\(form)")
                #expect(answer.status == 200 && answer.text.contains("kim") && !answer.text.contains("hush"), "\(form)")
            }
            let archive = try await stage.request(.get, "/admin\(walk.path)/export", query: "as=json")
            let opened = try await stage.request(.post, "/admin/import", body: archive.text)
            #expect(opened.status == 201, "\(opened.text)")
        }
    }

    /// In the journal, the whole link is a secret, because no host has decoded it yet.
    @Test func `a waiting link is exported without its secrets, and waits again after the import`()
        async throws
    {
        try await Surface.inProcess.serve([SoodaApp.self]) { stage in
            let walk = try await stage.open("sooda")
            try await walk.send("done")
            let steps = #"["tabBar",{"homeDefault":{"workspaceID":7}},{"channel":{"id":3,"name":"dev"}}]"#
            try await walk.post(#"{"open":\#(steps)}"#)
            #expect(walk.answer["pending"]?.text == #"["open"]"#)
            let archive = try await stage.request(.get, "/admin\(walk.path)/export", query: "as=json")
            let last = try #require(archive["entries"].flatMap { Array($0.elements).last })
            #expect(last[member: "payload"]?.string?.contains(#""workspaceID":7"#) == true, "\(last.text)")
            #expect(last[member: "secrets"] == nil)
            let opened = try await stage.request(.post, "/admin/import", body: archive.text)
            #expect(opened.status == 201 && opened["pending"]?.text == #"["open"]"#, "\(opened.text)")
        }
    }

    @Test(arguments: [
        ("{}", 400, "expected an export"), ("[1]", 400, "expected an export"), ("{", 400, ""),
        (#"{"usher":"session 1","app":"a","build":"b","entries":[]}"#, 400, "expected the entries"),
        (#"{"usher":"session 1","app":"a","build":"b","entries":[{"kind":"input"}]}"#, 400, "as the first entry"),
        (#"{"usher":"session 1","app":"a","build":"b","entries":[\#(entry)]}"#, 422, "of the build b"),
    ])
    func `an invalid import is refused with one sentence`(
        body: String, status: Int, words: String
    ) async throws {
        try await Surface.inProcess.serve([StartLoginMainApp.self]) { stage in
            let answer = try await stage.request(.post, "/admin/import", body: body)
            #expect(answer.status == status, "\(answer.text)")
            #expect(words.isEmpty || answer.detail.contains(words), "\(answer.text)")
            #expect(try await stage.request(.get, "/admin/sessions")["live"]?.integer == 0)
        }
    }

    @Test(arguments: [
        (#""digest":""#, #""digest":"1"#), (#"\"event\":\"login\""#, #"\"event\":\"fly\""#),
        (#"\"app\":\"start-login-main\""#, #"\"app\":\"none\""#), (#""payload":"{"#, #""payload":"[{"#),
        (#"1","app":"start-login-main""#, #"1","app":"none""#), (#""visible":"main 3""#, #""visible":"main 4""#),
        (#""kind":"creation","#, #""kind":"creation","more":1,"#), (#""usher":"#, #""more":1,"usher":"#),
        (#""before":[1,1]"#, #""before":[1,"x",1]"#), (#""before":[2,"#, #""before":[1,"#),
        (#""after":["#, #""after":[2147483647,"#), (#"}"}"#, #"}","secrets":[0,1]}"#), (#"}"}"#, #"}","secrets":"x"}"#),
        (#"}"}"#, #"}","secrets":[0]}"#), (#"}"}"#, #"}","secrets":[0,"x",1]}"#),
        (#""time":"#, #""time":-1"#), (#""time":"#, #""time":9999999"#), (#""facts":"{"#, #""facts":"[{"#),
        (#""facts":"{"#, #""facts":"{\"display\":{\"below\":[{\"screen\":\"a\",\"id\":-1}]},"#),
        (#""facts":"{"#, #""facts":"{\"display\":{\"below\":[{\"screen\":\"a\",\"id\":1}]},"#),
        (#""facts":"{"#, #""facts":"{\"begun\":[{\"id\":\"9.1\",\"name\":\"a\",\"owner\":\"b\"}],"#),
        (#""facts":"{"#, #""facts":"{\"begun\":[{\"id\":\"1.1\",\"name\":\"a\",\"owner\":\"b\",\"due\":-1}],"#),
        (#""facts":"{"#, #""facts":"{\"cancelled\":[\"1.1\"],"#),
    ])
    func `an export that was edited is refused, and no session is opened`(text: String, other: String) async throws {
        try await Surface.inProcess.serve([StartLoginMainApp.self]) { stage in
            let walk = try await Self.walked(on: stage)
            let archive = try await stage.request(.get, "/admin\(walk.path)/export", query: "as=json").text
            try #require(archive.contains(text))
            let body = String(decoding: Array(archive.utf8), as: UTF8.self).replacing(text, with: other)
            let answer = try await stage.request(.post, "/admin/import", body: body)
            #expect([400, 422].contains(answer.status), "\(answer.text)")
            #expect(answer.detail.contains("export cannot be repeated") || answer.status == 400)
            #expect(try await stage.request(.get, "/admin/sessions")["live"]?.integer == 1)
        }
    }

    @Test func `an import that has an Idempotency-Key gets 400`() async throws {
        try await Surface.inProcess.serve([StartLoginMainApp.self]) { stage in
            let walk = try await Self.walked(on: stage)
            let archive = try await stage.request(.get, "/admin\(walk.path)/export", query: "as=json").text
            let answer = try await stage.request(
                .post, "/admin/import", headers: ["Idempotency-Key": "one"], body: archive)
            #expect(answer.status == 400 && answer.detail.contains("an import takes no Idempotency-Key"))
        }
    }

    @Test(arguments: ["as=xml", "as=", "revision=0", "revision=x"])
    func `a request for an unknown format of export gets 400`(query: String) async throws {
        try await Surface.inProcess.serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main")
            #expect(try await stage.request(.get, "/admin\(walk.path)/export", query: query).status == 400)
            let beyond = try await stage.request(.get, "/admin\(walk.path)/export", query: "revision=9")
            #expect(beyond["type"]?.string == "urn:usher:problem:no-revision")
        }
    }

    @Test(arguments: [
        (#"\"options\":{}"#, #"\"options\":{} , \"fork\" : {\"session\":\"x\",\"revision\":9 }"#, 201),
        (#"\"options\":{}"#, #"\"options\":{},\"import\":{\"revision\":9},\"fork\":1"#, 201),
        (#""payload":"{\"app\""#, #""payload":"{\"import\":{},\"app\""#, 422),
    ])
    func `an imported session names the exported session as its origin, not that session's own origin`(
        text: String, other: String, status: Int
    ) async throws {
        try await Surface.inProcess.serve([StartLoginMainApp.self]) { stage in
            let walk = try await Self.walked(on: stage)
            let archive = try await stage.request(.get, "/admin\(walk.path)/export", query: "as=json").text
            try #require(archive.contains(text))
            let opened = try await stage.request(
                .post, "/admin/import", body: archive.replacing(text, with: other, maxReplacements: 1))
            #expect(opened.status == status, "\(opened.text)")
            guard status == 201 else { return }
            let copy = try Walk(on: stage, opened: opened)
            #expect(try await Self.origin(of: copy, as: "import", on: stage)?.text == #"{"revision":4}"#)
            #expect(try await Self.origin(of: copy, on: stage) == nil)
            #expect(try await stage.request(.get, "/admin\(copy.path)/at/4").status == 200)
        }
    }

    @Test(arguments: Surface.allCases)
    func `a forked session names the session and revision that it was copied from`(
        on surface: Surface
    ) async throws {
        try await surface.serve([StartLoginMainApp.self]) { stage in
            let walk = try await Self.walked(on: stage)
            let fork = try await Self.fork(walk, at: 3, on: stage)
            let origin = try await Self.origin(of: fork, on: stage)
            #expect(origin?.text == #"{"session":"\#(walk.id)","revision":3}"#)
            let next = try await Self.fork(fork, at: 2, on: stage)
            #expect(try await Self.origin(of: next, on: stage)?.text == #"{"session":"\#(fork.id)","revision":2}"#)
            #expect(try await Self.origin(of: walk, on: stage) == nil)
            try await next.back()
            #expect(try await stage.request(.get, "/admin\(next.path)/at/2").status == 200)
        }
    }

    private static let entry = #"""
        {"kind":"creation","revision":1,"time":0,"before":[1,1],"after":[1,1],"digest":"0","visible":"","payload":"{\"app\":\"a\"}"}
        """#

    private static func walked(on stage: Stage) async throws -> Walk {
        let walk = try await stage.open("start-login-main")
        for event in ["startApp", "login", "profileEdit"] { try await walk.send(event) }
        return walk
    }

    private static func fork(_ walk: Walk, at revision: Int, on stage: Stage) async throws -> Walk {
        let body = #"{"revision":\#(revision)}"#
        return try Walk(on: stage, opened: try await stage.request(.post, "/admin\(walk.path)/fork", body: body))
    }

    private static func origin(of walk: Walk, as kind: String = "fork", on stage: Stage) async throws -> JSONValue? {
        let entries = try await stage.request(.get, "/admin\(walk.path)/journal")["entries"]
        return entries?.elements.first { _ in true }?[member: "input"]?[member: kind]
    }
}

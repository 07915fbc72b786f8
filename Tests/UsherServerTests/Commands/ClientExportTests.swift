import StartLoginMain
import Testing
import UsherHTTP

@Suite("Exports of a session that describe its client")
struct ClientExportTests {
    @Test(arguments: [
        ("curl", #""client":{"name":"ios","version":"3 \"b\"","screens":{"*":1,"start":2},"locale":"ko-KR"}}'"#),
        (
            "swift",
            ##"client: Client(name: "ios", version: #"3 "b""#, screens: ["*": 1, "start": 2], locale: "ko-KR"),"##
        ),
    ])
    func `an export contains a description of the client that opened the session`(form: String, words: String)
        async throws
    {
        let text = try await export(
            as: form, client: #"{"name":"ios","version":"3 \"b\"","screens":{"start":2,"*":1},"locale":"ko-KR"}"#)
        #expect(text.contains(words), "\(text)")
    }

    @Test(arguments: ["curl", "swift"])
    func `an export contains no client if the session's client is empty`(form: String) async throws {
        #expect(try await !export(as: form, client: "{}").lowercased().contains("client"))
    }

    private func export(as form: String, client: String) async throws -> String {
        let journal = try RecordedJournal()
        var id = ""
        try await journal.serve([StartLoginMainApp.self]) { stage in
            let body = #"{"app":"start-login-main","client":\#(client)}"#
            id = try Walk(on: stage, opened: try await stage.request(.post, "/sessions", body: body)).id
        }
        let lines = try await journal.run("export", id, "--as", form, apps: [StartLoginMainApp.self]).lines
        return lines.joined(separator: "\n")
    }
}

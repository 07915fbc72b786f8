import HelloBye
import LocalhostClient
import StartLoginMain
import Testing
import Usher
import UsherHTTP
import UsherJSON

@testable import UsherServer

@Suite("The key of an app's backend")
struct BackendKeyTests {
    private static let key = "the-backend-of-tests"
    private let backend: HeaderFields = ["Authorization": "Bearer \(key)"]

    private func serve(on surface: Surface = .inProcess, _ body: (Stage) async throws -> Void) async throws {
        try await surface.serve(
            [HelloByeApp.self, StartLoginMainApp.self],
            configure: { options in
                options.sessionAccess = .token
                options.backendKey = Self.key
            }, body)
    }

    private func open(_ stage: Stage, for subject: String, app: String = "hello-bye") async throws -> Answer {
        let body = #"{"app":"\#(app)","subject":"\#(subject)"}"#
        let answer = try await stage.request(.post, "/sessions", headers: backend, body: body)
        try #require(answer.status == 201, "\(answer.text)")
        return answer
    }

    @Test(arguments: [Surface.inProcess, .localhost, .onDisk])
    func `a backend opens sessions for users, lists them by user, and ends a user's sessions`(surface: Surface)
        async throws
    {
        try await serve(on: surface) { stage throws in
            var opened: [String] = []
            for _ in 0..<3 { opened.append(try #require(try await open(stage, for: "kim")["session"]?.string)) }
            let other = try await open(stage, for: "lee")
            let page = try await stage.request(.get, "/sessions", query: "subject=kim&limit=2", headers: backend)
            #expect(page.status == 200 && page.headers["Cache-Control"] == "no-store")
            let after = try #require(page["after"]?.string)
            let rest = try await stage.request(
                .get, "/sessions", query: "subject=kim&limit=2&after=\(after)", headers: backend)
            let found = [page, rest].flatMap {
                $0["sessions"]?.elements.compactMap { $0[member: "session"]?.string } ?? []
            }
            #expect(found == opened.sorted())
            #expect(rest["after"] == nil)
            let all = try await stage.request(.get, "/sessions", query: "subject=kim&limit=3", headers: backend)
            #expect(all["sessions"]?.elements.map { _ in 0 }.count == 3 && all["after"] == nil)
            #expect(rest["sessions"]?.elements.first { _ in true }?[member: "app"]?.string == "hello-bye")
            let gone = try await stage.request(.delete, "/sessions", query: "subject=kim", headers: backend)
            #expect(gone.status == 200 && gone["ended"]?.integer == 3)
            let again = try await stage.request(.delete, "/sessions", query: "subject=kim", headers: backend)
            #expect(again["ended"]?.integer == 0)
            let token = try #require(other["token"]?.string)
            let path = try #require(other.headers["Location"])
            let state = try await stage.request(.get, path, headers: ["Authorization": "Bearer \(token)"])
            #expect(state.status == 200)
        }
    }

    @Test func `the creation of a session records the session's user, and the operator's list shows the user`()
        async throws
    {
        try await serve { stage throws in
            let id = try #require(try await open(stage, for: "kim")["session"]?.string)
            let journal = try await stage.request(.get, "/admin/sessions/\(id)/journal")
            let input = journal["entries"]?.elements.first { _ in true }?[member: "input"]
            #expect(input?[member: "subject"]?.string == "kim")
            let list = try await stage.request(.get, "/admin/sessions")
            #expect(list["sessions"]?.elements.first { _ in true }?[member: "subject"]?.string == "kim")
            let fork = try await stage.request(.post, "/admin/sessions/\(id)/fork", body: #"{"revision":1}"#)
            #expect(fork.status == 201)
            let found = try await stage.request(.get, "/sessions", query: "subject=kim", headers: backend)
            #expect(found["sessions"]?.elements.count { _ in true } == 2, "a fork is the user's, too")
        }
    }

    @Test func `a backend's key alone gives access neither to the operator's endpoints nor to a session`()
        async throws
    {
        try await serve { stage throws in
            let opened = try await open(stage, for: "kim")
            let path = try #require(opened.headers["Location"])
            for inside in [
                "/admin/sessions", "/admin\(path)", "/admin\(path)/journal", "/metrics", "/apps",
            ] {
                #expect(try await stage.request(.get, inside, headers: backend).status == 403, "\(inside)")
            }
            #expect(try await stage.request(.get, path, headers: backend).status == 403)
            #expect(try await stage.request(.delete, path, headers: backend).status == 403)
        }
    }

    @Test func `the endpoints for backends accept only a backend's key and the operator's token`() async throws {
        try await serve { stage throws in
            let opened = try await open(stage, for: "kim")
            let path = try #require(opened.headers["Location"])
            let token = try #require(opened["token"]?.string)
            let requests: [(UsherHTTP.Method, String, String?, String?)] = [
                (.get, "/sessions", "subject=kim", nil), (.delete, "/sessions", "subject=lee", nil),
                (.post, "\(path)/messages", nil, #"{"message":1}"#),
            ]
            for (method, target, query, body) in requests {
                let bare = try await stage.request(method, target, query: query, body: body, asOperator: false)
                #expect(bare.status == 401 && bare["type"]?.string == "urn:usher:problem:token-needed", "\(target)")
                for wrong in [token, "x", Self.key + "x"] {
                    let answer = try await stage.request(
                        method, target, query: query, headers: ["Authorization": "Bearer \(wrong)"], body: body)
                    #expect(answer.status == 403 && answer["type"]?.string == "urn:usher:problem:wrong-token")
                }
                let asOperator: HeaderFields = ["Authorization": "Bearer \(LocalhostClient.operatorToken)"]
                let answer = try await stage.request(method, target, query: query, headers: asOperator, body: body)
                #expect(answer.status == (body == nil ? 200 : 422), "\(target)")
            }
        }
    }

    @Test func `a backend sends messages to /sessions with its key, and /admin no longer accepts messages`()
        async throws
    {
        try await serve { stage throws in
            let path = try #require(try await open(stage, for: "kim").headers["Location"])
            let told = try await stage.request(.post, "\(path)/messages", headers: backend, body: #"{"message":1}"#)
            #expect(told.status == 422, "this app takes none: \(told.text)")
            #expect(try await stage.request(.post, "\(path)/messages", headers: backend, body: "x").status == 400)
            let before = try await stage.request(.post, "/admin\(path)/messages", body: #"{"message":1}"#)
            #expect(before.status == 404)
            let unknown = "/sessions/\(String(repeating: "0", count: 32))/messages"
            #expect(try await stage.request(.post, unknown, headers: backend, body: #"{"message":1}"#).status == 404)
        }
    }

    @Test(arguments: [("", 400), ("subject=", 400), ("subject=kim&limit=0", 400), ("subject=kim&after=x", 400)])
    func `listing sessions requires a user and a valid page`(query: String, status: Int) async throws {
        try await serve { stage throws in
            let answer = try await stage.request(.get, "/sessions", query: query, headers: backend)
            #expect(answer.status == status && answer["type"]?.string == "urn:usher:problem:malformed-request")
        }
    }

    @Test(arguments: [
        "subject=kim&limit=banana", "subject=kim&subject=lee", "subject=lee&subject=kim", "subject=kim&",
        "&subject=kim",
        "subject=kim&lee", "subject=kim&lee=", "subject=kim&after=x", "subject=kim&=", "subject=kim&%zz", "subject",
    ])
    func `DELETE for a user's sessions ends no session if the query has other parameters`(query: String) async throws {
        try await serve { stage throws in
            for subject in ["kim", "lee"] { _ = try await open(stage, for: subject) }
            let answer = try await stage.request(.delete, "/sessions", query: query, headers: backend)
            #expect(answer.status == 400, "\(answer.text)")
            for subject in ["kim", "lee"] {
                let page = try await stage.request(.get, "/sessions", query: "subject=\(subject)", headers: backend)
                #expect(page["sessions"]?.elements.count { _ in true } == 1)
            }
        }
    }

    @Test func `a client may set only the options that the app allows, and may not set the session's user`()
        async throws
    {
        try await serve { stage throws in
            func open(_ body: String, _ headers: HeaderFields = [:]) async throws -> Answer {
                try await stage.request(.post, "/sessions", headers: headers, body: body)
            }
            let loggedIn = #"{"app":"start-login-main","options":{"loggedIn":true}}"#
            for body in [loggedIn, #"{"app":"hello-bye","subject":"kim"}"#] {
                for headers: HeaderFields in [[:], ["Authorization": "Bearer x"]] {
                    let answer = try await open(body, headers)
                    #expect(answer.status == 403, "\(body)")
                    #expect(answer["type"]?.string == "urn:usher:problem:backend-needed")
                }
                #expect(try await open(body, backend).status == 201)
            }
            #expect(try await open(loggedIn).detail.contains(#"the option "loggedIn" of "start-login-main""#))
            for body in [
                #"{"app":"start-login-main"}"#, #"{"app":"start-login-main","options":{}}"#,
                #"{"app":"hello-bye","options":{"greeting":true}}"#,
                #"{"app":"start-login-main","options":{"loggedIn":null}}"#,
                #"{"app":"hello-bye","options":{"greeting":null}}"#,
            ] { #expect(try await open(body).status == 201, "\(body)") }
            let asOperator = try await stage.request(.post, "/admin/sessions", body: loggedIn)
            #expect(asOperator.status == 201)
        }
    }

    @Test func `a client may set the same options under an app's former name as under the app's present name`()
        async throws
    {
        let configure: (inout ServeOptions) -> Void = { options in
            options.sessionAccess = .token
            options.backendKey = Self.key
        }
        try await Surface.inProcess.serve([RenamedApp.self], configure: configure) { stage throws in
            for (options, status) in [(#"{"isMember":true}"#, 403), ("{}", 201)] {
                let body = #"{"app":"former","options":\#(options)}"#
                let answer = try await stage.request(.post, "/sessions", body: body)
                #expect(answer.status == status, "\(answer.text)")
                if status == 201 { #expect(answer["app"]?.string == "renamed") }
            }
        }
    }

    @Test(arguments: [
        #""""#, "1", "[]", #""\#(String(repeating: "k", count: 256))""#, #""kim\n""#, #""\u0000""#, #""\u007f""#,
        #""kim\u0085""#, #""\u009b2J""#, #""kim\u2028""#, #""\u202emik""#, #""\u2066kim""#,
    ])
    func `the name of a user is limited in length and may not contain control characters`(subject: String) async throws
    {
        try await serve { stage throws in
            let body = #"{"app":"hello-bye","subject":\#(subject)}"#
            #expect(try await stage.request(.post, "/sessions", headers: backend, body: body).status == 400)
        }
    }

    @Test func `with --session-access id, a client may set every option and the user`() async throws {
        try await Surface.inProcess.serve([StartLoginMainApp.self]) { stage throws in
            let body = #"{"app":"start-login-main","options":{"loggedIn":true},"subject":"kim"}"#
            #expect(try await stage.request(.post, "/sessions", body: body).status == 201)
        }
    }
}

/// An app with a former name.
private enum RenamedApp: App {
    struct Options: Codable {
        var isMember = false
    }
    static let options = Options()
    static let formerNames = ["former"]
    static let clientOptions = ClientOptions.none
    static func root(_ options: Options) -> sending AnyCoordinator { SilentCoordinator() }
}

private final class SilentCoordinator: Coordinator<Never> {}

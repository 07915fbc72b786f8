import Foundation
import HelloBye
import LocalhostClient
import Programs
import Synchronization
import Testing
import UsherHTTP
import UsherJSON
import UsherProcess

@testable import UsherServer

@Suite("Logging in as the operator")
struct LoginTests {
    private static let token = LocalhostClient.operatorToken
    private static let host: HeaderFields = ["Host": "localhost:8080"]

    @Test(arguments: Surface.allCases)
    func `the startup link logs the browser in and redirects it to an address without the token`(on surface: Surface)
        async throws
    {
        try await surface.serve([HelloByeApp.self]) { stage throws in
            let answer = try await stage.request(.get, "/login", query: "token=\(Self.token)")
            #expect(answer.status == 303)
            #expect(answer.headers["Location"] == "/")
            #expect(answer.headers["Referrer-Policy"] == "no-referrer")
            let cookie = try #require(answer.headers["Set-Cookie"])
            #expect(cookie.contains("; Path=/; HttpOnly; SameSite=Strict"))
            #expect(!cookie.contains("Secure"))
            #expect(!cookie.contains(Self.token), "a cookie that leaks is no token")
            let login: HeaderFields = ["Cookie": Self.pair(cookie)]
            for path in ["/metrics", "/apps", "/admin/sessions"] {
                #expect(try await stage.request(.get, path, headers: login, asOperator: false).status == 200, "\(path)")
            }
            let caller = try await stage.request(.get, "/login", headers: login)
            #expect(caller.text == #"{"caller":"operator","by":"login"}"#)
        }
    }

    @Test func `an operator can also log in by typing the token`() async throws {
        try await serve { stage throws in
            let answer = try await stage.request(
                .post, "/login", headers: Self.host, body: #"{"token":"\#(Self.token)"}"#)
            #expect(answer.status == 204)
            let cookie = Self.pair(try #require(answer.headers["Set-Cookie"]))
            #expect(try await look(stage, cookie) == 200)
        }
    }

    @Test func `GET /login returns whether the caller is the operator`() async throws {
        try await serve { stage throws in
            #expect(try await stage.request(.get, "/login").text == #"{"caller":"anyone"}"#)
            let bearer: HeaderFields = ["Authorization": "Bearer \(Self.token)"]
            #expect(
                try await stage.request(.get, "/login", headers: bearer).text == #"{"caller":"operator","by":"token"}"#)
        }
    }

    @Test(arguments: [
        ("token=wrong", 403), ("token=", 403), ("token=%zz", 400), ("token=\(token)x", 403),
        ("token=x&token=\(token)", 400), ("token=\(token)&next=/", 400),
    ])
    func `a startup link with a wrong token does not log in`(query: String, status: Int) async throws {
        try await serve { stage throws in
            let answer = try await stage.request(.get, "/login", query: query)
            #expect(answer.status == status)
            #expect(!answer.headers.contains("Set-Cookie"))
            #expect(!answer.text.contains(Self.token))
        }
    }

    @Test(arguments: [
        (#"{"token":"wrong"}"#, 403), (#"{"token":""}"#, 403), (#"{"token":7}"#, 400), ("{}", 400), ("", 400),
        (#"{"token":"a","token":"b"}"#, 400), (#"{"token":"a","more":1}"#, 400), ("token=x", 400),
    ])
    func `a login form that has no valid token does not log in`(body: String, status: Int) async throws {
        try await serve { stage throws in
            let answer = try await stage.request(.post, "/login", body: body)
            #expect(answer.status == status)
            #expect(!answer.headers.contains("Set-Cookie"))
        }
    }

    @Test func `a form on another site can neither log the operator in nor log the operator out`() async throws {
        try await serve { stage throws in
            let form: HeaderFields = ["Content-Type": "application/x-www-form-urlencoded"]
            #expect(try await stage.request(.post, "/login", headers: form, body: "token=\(Self.token)").status == 415)
            let cookie = try await logIn(stage)
            for origin in ["http://localhost:3000", "null", "http://evil.example"] {
                let answer = try await stage.request(
                    .post, "/logout", headers: ["Host": "localhost:8080", "Cookie": cookie, "Origin": origin])
                #expect(answer.status == 403)
            }
            #expect(try await look(stage, cookie) == 200)
        }
    }

    @Test func `logging out ends only the browser's own login`() async throws {
        try await serve { stage throws in
            let (mine, other) = (try await logIn(stage), try await logIn(stage))
            #expect(mine != other)
            let answer = try await stage.request(
                .post, "/logout",
                headers: ["Host": "localhost:8080", "Cookie": mine, "Origin": "http://localhost:8080"])
            #expect(answer.status == 204)
            #expect(answer.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
            #expect(try await look(stage, mine) == 401)
            #expect(try await look(stage, other) == 200)
        }
    }

    @Test(
        arguments: [
            // A request that changes something must prove that the server's own page sends it.
            (HeaderFields(), 403), (["Origin": "http://localhost:8080"], 404),
            (["Origin": "https://localhost:8080"], 404),
            (["Sec-Fetch-Site": "same-origin"], 404), (["Sec-Fetch-Site": "none"], 403),
            (["Sec-Fetch-Site": "same-site"], 403), (["Sec-Fetch-Site": "cross-site"], 403),
            (["Sec-Fetch-Site": "same-site", "Origin": "http://localhost:8080"], 403),
            (["Sec-Fetch-Site": "same-origin", "Origin": "http://localhost:3000"], 403), (["Origin": "null"], 403),
            (["Origin": "https://shop.example"], 403),
        ] as [(HeaderFields, Int)])
    func `the cookie of a login is accepted in requests of the server's own page`(fields: HeaderFields, status: Int)
        async throws
    {
        try await serve { stage throws in
            var all: HeaderFields = ["Host": "localhost:8080", "Cookie": try await logIn(stage)]
            all.append(contentsOf: fields)
            let path = "/admin/sessions/67c58cb8a5f32cac864b404e3aff6030/fork"
            let answer = try await stage.request(
                .post, path, headers: all, body: #"{"revision":1}"#, asOperator: false)
            #expect(answer.status == status, "\(answer.text)")
            if status == 403 { #expect(answer["type"]?.string == "urn:usher:problem:foreign-origin") }
        }
    }

    @Test(
        arguments: [
            (HeaderFields(), 200), (["Sec-Fetch-Site": "none"], 200), (["Sec-Fetch-Site": "same-origin"], 200),
            (["Sec-Fetch-Site": "same-site"], 403), (["Sec-Fetch-Site": "cross-site"], 403),
            (["Origin": "https://shop.example"], 403), (["Origin": "http://localhost:8080"], 200),
        ] as [(HeaderFields, Int)])
    func `the cookie of a login is refused in requests of other sites' pages`(fields: HeaderFields, status: Int)
        async throws
    {
        try await serve { stage throws in
            var all: HeaderFields = ["Host": "localhost:8080", "Cookie": try await logIn(stage)]
            all.append(contentsOf: fields)
            #expect(try await stage.request(.get, "/metrics", headers: all, asOperator: false).status == status)
        }
    }

    @Test func `a page of an allowed origin can send the token instead of a cookie`() async throws {
        try await serve { stage throws in
            let fields: HeaderFields = [
                "Host": "localhost:8080", "Origin": "https://shop.example", "Authorization": "Bearer \(Self.token)",
            ]
            #expect(try await stage.request(.get, "/metrics", headers: fields).status == 200)
        }
    }

    @Test func `if the public address begins with https, the cookie is Secure`() async throws {
        try await Surface.inProcess.serve(
            [HelloByeApp.self], configure: { $0.publicURL = try? PublicURL("https://usher.example") }
        ) { stage throws in
            let fields: HeaderFields = ["Host": "usher.example"]
            let answer = try await stage.request(.get, "/login", query: "token=\(Self.token)", headers: fields)
            let cookie = try #require(answer.headers["Set-Cookie"])
            #expect(cookie.hasPrefix("__Host-usher-"))
            #expect(cookie.hasSuffix("; Secure"))
            let login: HeaderFields = [
                "Host": "usher.example", "Origin": "https://usher.example", "Cookie": Self.pair(cookie),
            ]
            #expect(try await stage.request(.get, "/metrics", headers: login, asOperator: false).status == 200)
            let other: HeaderFields = [
                "Host": "usher.example", "Origin": "http://usher.example", "Cookie": Self.pair(cookie),
            ]
            let refusal = try await stage.request(.post, "/admin/backup", headers: other, asOperator: false)
            #expect(refusal.status == 403, "a page that came without TLS may be anybody's")
        }
    }

    @Test(arguments: [
        "usher-8080=", "usher-8080", "usher-8080=x", "usher-8081=KEY", "Usher-8080=KEY", "xusher-8080=KEY",
        "a=usher-8080=KEY",
        "usher-8080=KEYx", "usher-8080=\"KEY\"", "usher-8080 =KEY", "=KEY", ";;", "KEY",
    ])
    func `an invalid cookie is refused, and other cookies are ignored`(text: String) async throws {
        try await serve { stage throws in
            let key = try #require(try await logIn(stage).split(separator: "=").last)
            #expect(try await look(stage, text.replacing("KEY", with: key)) == 401)
        }
    }

    @Test func `cookies of other programs are ignored, even if they have the same name`() async throws {
        try await serve { stage throws in
            let cookie = try await logIn(stage)
            #expect(try await look(stage, "a=b; \(cookie);usher-8080=x") == 200)
            #expect(try await look(stage, "usher-8080=x; \(cookie)") == 200)
            var fields: HeaderFields = ["Host": "localhost:8080", "Cookie": "a=b"]
            fields.append(name: "Cookie", value: cookie)
            #expect(try await stage.request(.get, "/metrics", headers: fields, asOperator: false).status == 200)
        }
    }

    @Test func `a cookie is refused if the login happened at another server process`() async throws {
        var cookie = ""
        try await serve { stage throws in cookie = try await logIn(stage) }
        try await serve { stage throws in #expect(try await look(stage, cookie) == 401) }
    }

    @Test func `the number of logins is limited; beyond the limit, the least recently used login is removed`() {
        let logins = Logins(with: .random())
        let keys = (0..<Logins.limit).map { logins.begin(now: Int64($0)) }
        #expect(Set(keys).count == Logins.limit)
        #expect(keys.allSatisfy { $0.utf8.count == 64 })
        #expect(logins.hold(Array(keys[0].utf8), now: 1_000))
        let another = logins.begin(now: 1_001)
        #expect(!logins.hold(Array(keys[1].utf8), now: 1_002))
        #expect(logins.hold(Array(keys[0].utf8), now: 1_002))
        #expect(logins.hold(Array(another.utf8), now: 1_002))
    }

    private static let week: Int64 = 7 * 86_400 * 1_000

    @Test func `a login ends when it has not been used for a week`() {
        let logins = Logins(with: .random())
        let key = Array(logins.begin(now: 0).utf8)
        #expect(logins.hold(key, now: Self.week))
        #expect(logins.hold(key, now: 2 * Self.week))
        #expect(!logins.hold(key, now: 3 * Self.week + 1))
    }

    @Test func `setting the clock back does not make a login last longer`() {
        let logins = Logins(with: .random())
        let (used, unused) = (Array(logins.begin(now: Self.week).utf8), Array(logins.begin(now: Self.week).utf8))
        #expect(logins.hold(used, now: 0))
        #expect(!logins.hold(unused, now: Self.week + 1))
    }

    @Test func `the time in which the machine is off counts toward the week after which an unused login ends`() throws {
        try withLoginFile { file in
            let token = BearerSecret.random()
            let now = WallTime.milliseconds()
            for (margin, isKept) in [(-1_000, false), (60_000, true)] as [(Int64, Bool)] {
                let begin = now - Self.week + margin
                let key = Array(Logins(with: token, in: file, now: begin).begin(now: begin).utf8)
                #expect(Logins(with: token, in: file).hold(key) == isKept)
            }
        }
    }

    @Test func `a login that is stored in a file survives a restart, but ends after a logout or with a new token`()
        throws
    {
        try withLoginFile { file in
            let token = BearerSecret.random()
            let first = Logins(with: token, in: file, now: 0)
            let (kept, ended) = (Array(first.begin(now: 0).utf8), Array(first.begin(now: 0).utf8))
            first.end(ended)
            #expect(Logins(with: token, in: file, now: 1).hold(kept, now: 1))
            #expect(!Logins(with: token, in: file, now: 1).hold(ended, now: 1))
            #expect(!Logins(with: .random(), in: file, now: 1).hold(kept, now: 1))
            #expect(!Logins(with: token, in: file, now: 1).hold(kept, now: Self.week + 1))
            let day: Int64 = 86_400_000
            #expect(Logins(with: token, in: file, now: 1).hold(kept, now: 2 * day))
            let used = Logins(with: token, in: file, now: 2 * day).hold(kept, now: 2 * day + Self.week)
            #expect(used, "a use is stored at most once a day")
            #expect(Logins(with: token, in: file, now: 5).hold(kept, now: 5), "the clock was set back")
        }
    }

    @Test func `a logout for an unknown login does not write the file of logins`() throws {
        try withLoginFile { file in
            let logins = Logins(with: .random(), in: file)
            let key = logins.begin()
            try FileManager.default.removeItem(atPath: file)
            logins.end(Array("unknown".utf8))
            #expect(!PrivateFile.isThere(file))
            logins.end(Array(key.utf8))
            #expect(PrivateFile.isThere(file))
        }
    }

    @Test func `the file of logins contains no token, is readable only by its owner, and is ignored if it is invalid`()
        throws
    {
        try withLoginFile { file in
            let token = BearerSecret.random()
            let key = Logins(with: token, in: file).begin()
            let contents = try PrivateFile(file, limit: 65_536)
            #expect(contents.exposure == nil)
            let text = String(decoding: contents.contents, as: UTF8.self)
            #expect(!text.contains(key) && !text.contains(token.text))
            try PrivateFile.write(Array("nothing\n\n 7\n\(text)".utf8), to: file)
            #expect(Logins(with: token, in: file).hold(Array(key.utf8)))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
            let faults = Mutex(0)
            #expect(!Logins(with: token, in: file, report: { _ in faults.withLock { $0 += 1 } }).hold(Array(key.utf8)))
            #expect(faults.withLock { $0 } == 1)
        }
    }

    @Test(arguments: ["", "a b", "a\n", "ä", "\u{7F}"])
    func `a token is refused if some header fields cannot carry its characters`(text: String) {
        #expect(BearerSecret(text) == nil)
    }

    @Test func `a generated token has 256 bits and is unique`() {
        let tokens = (0..<100).map { _ in BearerSecret.random() }
        #expect(Set(tokens.map(\.text)).count == 100)
        #expect(tokens.allSatisfy { $0.text.utf8.count == 64 && $0.matches($0.text.utf8) && !$0.matches("".utf8) })
    }

    private func withLoginFile(_ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try body(folder("logins"))
    }

    private func serve(_ body: (Stage) async throws -> Void) async throws {
        try await Surface.inProcess.serve(
            [HelloByeApp.self], configure: { $0.allowedOrigins = ["https://shop.example"] }, body)
    }

    private func logIn(_ stage: Stage) async throws -> String {
        let answer = try await stage.request(.get, "/login", query: "token=\(Self.token)", headers: Self.host)
        return Self.pair(try #require(answer.headers["Set-Cookie"]))
    }

    private func look(_ stage: Stage, _ cookie: String) async throws -> Int {
        let fields: HeaderFields = ["Host": "localhost:8080", "Cookie": cookie]
        return try await stage.request(.get, "/admin/sessions", headers: fields, asOperator: false).status
    }

    /// Returns the cookie in the form in which a browser sends it.
    private static func pair(_ field: String) -> String {
        String(field.prefix { $0 != ";" })
    }
}

import Testing
import UsherHTTP
import UsherJournal
import UsherSessions

@testable import UsherServer

@Suite("The command line of usher")
struct CommandTests {
    @Test func `usher serve has safe defaults`() throws {
        let options = try serve([], ["HOME": "/home/kim"])
        #expect(options.host == "127.0.0.1")
        #expect(options.port == 8080)
        #expect(options.journal == .standard("/home/kim/.local/state/usher/journal.sqlite"))
        #expect(options.durability == .sync)
        #expect(options.idleAfter == .seconds(300))
        #expect(options.keepAlive == .seconds(120))
        #expect(options.expireAfter == .seconds(86_400))
        #expect(options.heldExpireAfter == .seconds(30 * 86_400))
        #expect(options.adminToken == nil)
        #expect(options.adminListener == nil)
        #expect(options.trustedProxies.isEmpty)
        #expect(options.sessionAccess == .token)
        #expect(!options.appsArePublic)
        #expect(options.logFormat == .text)
        #expect(options.drain == .zero)
    }

    @Test func `an option and its value may be separated by a space or an equals sign`() throws {
        let options = try serve([
            "--host", "::1", "--port=0", "--journal", "sqlite:a b", "--durability=relaxed", "--idle-after", "500ms",
            "--expire-after=7d", "--held-expire-after", "60d", "--max-live", "9", "--threads=3", "--connection-memory",
            "16K",
            "--max-sessions", "5", "--max-inputs", "500", "--max-state=2M",
            "--allow-origin", "https://a.example", "--allow-origin=http://b.example:8080",
            "--allow-host", "a.example", "--admin-token", "16=letters-of-it", "--log", "json",
            "--trusted-proxy", "10.0.0.0/8", "--trusted-proxy=::1", "--public-url", "https://a.example",
            "--public-apps", "yes", "--drain-time", "15s", "--keep-alive-timeout", "620s",
        ])
        #expect(options.host == "::1")
        #expect(options.port == 0)
        #expect(options.journal == .file("a b"))
        #expect(options.durability == .relaxed)
        #expect(options.idleAfter == .milliseconds(500))
        #expect(options.expireAfter == .seconds(7 * 86_400))
        #expect(options.bounds.heldExpiryTime == .seconds(60 * 86_400))
        #expect(options.maxLive == 9)
        #expect(options.threads == 3)
        #expect(options.connectionMemory == 16_384)
        #expect(options.keepAlive == .seconds(620))
        #expect(options.maxSessions == 5)
        #expect(options.maxInputs == 500 && options.bounds.inputLimit == 500)
        #expect(options.maxState == 2 << 20 && options.bounds.stateLimit == 2 << 20)
        #expect(options.allowedOrigins == ["https://a.example", "http://b.example:8080"])
        #expect(options.allowedHosts == ["a.example"])
        #expect(options.trustedProxies == [AddressBlock("10.0.0.0/8"), AddressBlock("::1")])
        #expect(options.publicURL?.origin == "https://a.example")
        #expect(options.appsArePublic)
        #expect(options.adminToken == "16=letters-of-it")
        #expect(options.logFormat == .json)
        #expect(options.drain == .seconds(15))
    }

    @Test func `an environment variable sets an option that is not on the command line`() throws {
        let environment = [
            "HOME": "/home/kim", "USHER_PORT": "9", "USHER_MAX_SESSIONS": "7",
            "USHER_ALLOW_HOST": "a.example,b.example",
        ]
        let options = try serve(["--port", "10"], environment)
        #expect(options.port == 10)
        #expect(options.maxSessions == 7)
        #expect(options.allowedHosts == ["a.example", "b.example"])
        #expect(try serve(["--allow-host", "c.example"], environment).allowedHosts == ["c.example"])
    }

    @Test(arguments: [
        (["--nope"], "--nope"), (["extra"], "extra"), (["--port"], "needs a value"), (["--port", "x"], "0 to 65535"),
        (["--port", "65536"], "0 to 65535"), (["--port=-1"], "0 to 65535"), (["--threads", "0"], "1 to 256"),
        (["--public-url", "a.example"], "such as https://usher.example"), (["--public-apps", "perhaps"], "yes or no"),
        (["--admin-token", ""], "at least 16"), (["--admin-token", "two words of a token"], "visible ASCII"),
        (["--admin-token", "a"], "at least 16"), (["--admin-token", "fifteen-letters"], "openssl rand -hex 32"),
        (["--admin-token", "16=letters-of-it", "--admin-token-file", "f"], "exclude each other"),
        (["--admin-token-file="], "path of a file"),
        (["--admin-token", "16=letters-of-it", "--admin-listen", "unix:s"], "needs no token"),
        (["--admin-token-file", "f", "--admin-listen", "unix:s"], "needs no token"),
        (["--admin-listen", "9090"], "such as 127.0.0.1:9090"), (["--admin-listen", "unix:"], "unix:PATH"),
        (["--admin-listen", "localhost"], "with a port"), (["--admin-listen", "127.0.0.1:65536"], "with a port"),
        (["--admin-listen", "::1:9090"], "[::1]:9090"), (["--admin-listen", "[127.0.0.1]:9090"], "with a port"),
        (["--admin-listen", "nowhere.example:1"], "an address"), (["--admin-listen="], "unix:PATH"),
        (["--journal", "x"], "sqlite:PATH or memory"), (["--trusted-proxy", "nginx"], "such as 10.0.0.5"),
        (["--session-access", "name"], "token or id"), (["--session-key="], "the path of a file"),
        (["--backend-key="], "at least 16"), (["--backend-key-file="], "the path of a file"),
        (["--backend-key", "fifteen-letters"], "openssl rand -hex 32"),
        (["--backend-key", "16=letters-of-it", "--backend-key-file", "b"], "exclude each other"),
        (
            ["--session-access", "id", "--public-url", "https://a.example"],
            "leave out either --session-access or --public-url"
        ),
        (["--session-access", "id", "--trusted-proxy", "::1"], "leave out either --session-access or --trusted-proxy"),
        (["--trusted-proxy", "10.0.0.1/8"], "without bits after its prefix"),
        (["--trusted-proxy", "0.0.0.0/0"], "may not have all addresses"),
        (["--memory", "8K"], "such as 512M"), (["--memory", "8K"], "0 means no limit"),
        (["--handler-timeout", "50ms"], "0 means no limit"), (["--drain-time", "-1"], "takes 0s, or"),
        (["--replace", "--no-supervisor"], "leave out --no-supervisor"),
        (["--replace", "--max-held", "x"], "such as 12 or 0.5%, not \"x\""),
        (["--replace", "--max-held", "-1"], "such as 12 or 0.5%"),
        (["--replace", "--max-resumed", "100.1%"], "--max-resumed takes a number or a percentage"),
        (["--max-held", "5"], "--max-held needs --replace; add it"),
        (["--max-resumed", "5"], "--max-resumed needs --replace"),
        (["--replace", "--all"], "--all needs --max-held N or --max-resumed N"),
        (["--replace", "--max-held", "0"], "--max-held 0 needs --all"),
        (["--replace", "--max-held", "0.0%"], "--max-held 0 needs --all"),
        (["--replace", "--max-held", "5", "--journal", "memory"], "with --journal memory, there are none"),
        (["--trusted-proxy", "10.0.0.0/33"], "10.0.0.0/8"), (["--trusted-proxy="], "such as 10.0.0.5"),
        (["--journal", "sqlite:"], "has no path"), (["--durability", "none"], "sync or relaxed"),
        (["--idle-after", "5"], "such as 30s"), (["--idle-after", "99ms"], "100ms to 365d"),
        (["--expire-after", "366d"], "100ms to 365d"), (["--held-expire-after", "366d"], "365d"),
        (["--expire-after", "9223372036854775807d"], "365d"),
        (["--expire-after", "-1s"], "365d"), (["--expire-after", "1 s"], "365d"), (["--max-live", "0"], "1 to"),
        (["--drain-time", "16s"], "100ms to 15s"), (["--drain-time", "50ms"], "100ms"),
        (["--log", "xml"], "text or json"), (["--max-sessions", "0"], "1 to"), (["--max-inputs", "99"], "100 to"),
        (["--max-state", "63K"], "such as 2M"), (["--max-state", "17M"], "from 65536 to 16777216"),
        (["--connection-memory", "1K"], "2048"), (["--connection-memory", "9223372036854775807K"], "2048"),
        (["--allow-origin", "shop.example"], "https://"), (["--allow-origin", "https://a/b"], "--allow-origin takes"),
        (["--tls-cert", "f"], "--tls-cert"),
    ])
    func `invalid arguments are refused with a message`(arguments: [String], words: String) throws {
        let error = try #require(throws: UsageError.self) { try serve(arguments) }
        #expect(error.reason.contains(words), "\(error.reason)")
    }

    @Test func `the limits of a takeover can be set with options`() throws {
        #expect(try !serve(["--replace"]).releaseLimits.isSet)
        let limits = try serve(["--replace", "--max-held", "0", "--max-resumed=0.5%", "--all"]).releaseLimits
        #expect(limits.held == SessionLimit("0") && limits.resumed == SessionLimit("0.5%") && limits.checksAll)
        let environment = ["HOME": "/home/kim", "USHER_MAX_RESUMED": "12", "USHER_ALL": "1"]
        let set = try serve(["--replace"], environment).releaseLimits
        #expect(set.held == nil && set.resumed == SessionLimit("12") && set.checksAll)
    }

    @Test(arguments: [
        ("0", 0), ("12", 12), ("999999999", 999_999_999), ("0%", 0), ("100%", 30_000), ("0.5%", 150), ("0.0001%", 0),
        ("0.01%", 3), ("33.3333%", 9_999), ("07%", 2_100),
    ])
    func `a takeover limit is a number of sessions, or a share of them, rounded down`(text: String, number: Int) throws
    {
        let limit = try #require(SessionLimit(text))
        #expect(limit.sessions(of: 30_000) == number && limit.text == text)
    }

    @Test func `a limit that is a share of very many sessions is computed without overflow`() throws {
        #expect(try #require(SessionLimit("99.9999%")).sessions(of: .max) > .max / 10 * 9)
    }

    @Test(arguments: [
        "", "-1", "+1", "1.5", "1e3", "%", ".5%", "5.%", "0.00001%", "100.0001%", "1 %", "1%%", "1.2.3%", "٣",
    ])
    func `a takeover limit that is neither a number nor a share is refused`(text: String) {
        #expect(SessionLimit(text) == nil)
    }

    @Test(arguments: [
        ("0.0.0.0:9090", true), ("10.0.0.5:9090", true), ("[::]:9090", true), ("[2001:db8::1]:0", true),
        ("127.0.0.1:9090", false), ("[::1]:9090", false), ("localhost:0", false), ("unix:socket", false),
    ])
    func `usher serve warns if other machines can reach the operator's listener`(listener: String, isWarned: Bool)
        throws
    {
        let warnings = try serve(["--admin-listen", listener]).warnings
        #expect(warnings.map(\.cause) == (isWarned ? ["--admin-listen \(listener)"] : []))
    }

    @Test func `the error for a mistyped option omits its value, which may be a secret`() throws {
        let error = try #require(throws: UsageError.self) { try serve(["--admin-tokn=hidden"]) }
        #expect(error.reason == #"unknown option "--admin-tokn""#)
    }

    @Test func `an environment variable is ignored if its option is given or if the variable is empty`() throws {
        #expect(try serve(["--port", "0"], ["HOME": "/", "USHER_PORT": "x"]).port == 0)
        #expect(try serve([], ["HOME": "/", "USHER_PORT": ""]).port == 8080)
    }

    @Test func `--public accepts a folder or the word none, and its default is the installed page`() throws {
        #expect(try serve([]).page == .installed)
        #expect(try serve(["--public", "Public"]).page == .folder("Public"))
        #expect(try serve(["--public", "none"]).page == PageChoice.none)
    }

    @Test func `an IPv6 address may be in square brackets`() throws {
        #expect(try serve(["--host", "[::1]"]).host == "::1")
    }

    @Test func `the error for an invalid value from the environment names the variable`() throws {
        let error = try #require(throws: UsageError.self) { try serve([], ["USHER_PORT": "x"]) }
        #expect(error.reason.contains("USHER_PORT"))
    }

    @Test(arguments: [["fly"], ["fly", "--help"], ["apps", "now"], ["openapi", "now"], ["--version", "now"]])
    func `an unknown command is a usage error`(arguments: [String]) {
        #expect(throws: UsageError.self) { try Command(arguments) { _ in nil } }
    }

    @Test(arguments: [
        (["check", "extra"], "extra"), (["check", "--to", "1"], "--to"),
        (["check", "--as", "xml"], "text or json, not \"xml\""), (["replay"], "SESSION"),
        (["replay", "x"], "32 lower-case hexadecimal digits"), (["replay", id, id], "one session"),
        (["replay", id, "--to", "0"], "from 1"), (["replay", id, "--as", "curl"], "--as"),
        (["export", id, "--as", "perl"], "curl or swift"),
        (["export", id, "--journal", "memory"], "no stored sessions"),
    ])
    func `invalid arguments of commands that read a journal are refused with a message`(
        arguments: [String], words: String
    ) throws {
        let error = try #require(throws: UsageError.self) {
            try Command(arguments) { $0 == "HOME" ? "/home/kim" : nil }
        }
        #expect(error.reason.contains(words), "\(error.reason)")
    }

    @Test(arguments: [
        (["types"], "types hello-bye --as swift|typescript"), (["types", "notes"], "an app and a language"),
        (["types", "--as", "swift"], "an app and a language"), (["types", "a", "b", "--as", "swift"], "an app"),
        (["types", "notes", "--as", "cobol"], "swift or typescript"), (["types", "notes", "--at", "swift"], "--at"),
    ])
    func `invalid arguments of usher types are refused with a message`(arguments: [String], words: String) throws {
        let error = try #require(throws: UsageError.self) { try Command(arguments) { _ in nil } }
        #expect(error.reason.contains(words), "\(error.reason)")
    }

    private static let id = "67c58cb8a5f32cac864b404e3aff6030"

    @Test func `by default, the journal is in the user's state directory`() throws {
        #expect(
            try serve([], ["XDG_STATE_HOME": "/state", "HOME": "/home/kim"]).journal
                == .standard("/state/usher/journal.sqlite"))
        // A relative path must be ignored.
        #expect(
            try serve([], ["XDG_STATE_HOME": "state", "HOME": "/home/kim"]).journal
                == .standard("/home/kim/.local/state/usher/journal.sqlite"))
        #expect(try serve([], ["USHER_JOURNAL": "sqlite:/j"]).journal == .file("/j"))
        #expect(try serve(["--journal", "memory"], ["USHER_JOURNAL": "sqlite:/j"]).journal == .memory)
        let error = try #require(throws: UsageError.self) { try serve([], ["XDG_STATE_HOME": "state"]) }
        #expect(error.reason.contains("--journal sqlite:PATH"), "\(error.reason)")
    }

    @Test(arguments: [
        ("127.0.0.1:9090", AdminListener.port(host: "127.0.0.1", port: 9090)), ("[::1]:0", .port(host: "::1", port: 0)),
        ("localhost:1", .port(host: "localhost", port: 1)), ("unix:/run/usher.sock", .socket(path: "/run/usher.sock")),
        ("unix:a:b", .socket(path: "a:b")),
    ])
    func `the operator's own listener can be a port or a socket`(text: String, listener: AdminListener) throws {
        #expect(try serve(["--admin-listen", text]).adminListener == listener)
    }

    @Test(arguments: ["USHER_ADMIN_TOKEN", "USHER_ADMIN_TOKEN_FILE"])
    func `a secret in the environment may not be empty`(variable: String) {
        let error = #expect(throws: UsageError.self) { try serve([], ["HOME": "/home/kim", variable: ""]) }
        #expect(error?.reason.hasPrefix("\(variable) in the environment: ") == true)
    }

    private func serve(
        _ arguments: [String], _ environment: [String: String] = ["HOME": "/home/kim"]
    ) throws -> ServeOptions {
        guard case .serve(let options) = try Command(["serve"] + arguments, environment: { environment[$0] }) else {
            throw UsageMismatch()
        }
        return options
    }

    private struct UsageMismatch: Error {}
}

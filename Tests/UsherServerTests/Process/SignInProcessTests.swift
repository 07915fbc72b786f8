import Glibc
import LocalhostClient
import Programs
import SampleBackend
import Testing
import UsherJSON

/// Tests of signing in through a process whose effects use a backend that is fast, slow, failing or gone.
@Suite("Signing in through a server and a backend", .timeLimit(.minutes(5)))
struct SignInProcessTests {
    /// An app, and the inputs that lead to its login.
    struct Login: CustomTestStringConvertible, Sendable {
        let app: String
        let way: [String]
        let event: String
        let screen: String
        let home: String

        var testDescription: String { app }
    }

    static let logins = [
        Login(app: "tudy", way: ["showLogin"], event: "login", screen: "login", home: "home"),
        Login(
            app: "sooda", way: ["done", "presentSelectAuth", "presentEmailLogin"],
            event: "logIn", screen: "emailLogin", home: "homeDefault"),
    ]

    @Test("the answer to a sign-in shows the home screen", arguments: logins)
    func fast(login: Login) async throws {
        try await run(login) { visit, _ in
            let answer = try visit.logIn()
            #expect(answer.visible == login.home)
            #expect(answer.pending == [])
        }
    }

    @Test("a client that prefers not to wait gets an answer at once, even if the backend is slow", arguments: logins)
    func slow(login: Login) async throws {
        try await run(login) { visit, backend in
            backend.behave(.slow)
            let answer = try visit.logIn(preferring: "respond-async")
            #expect(answer["Preference-Applied"] == "respond-async")
            #expect(answer.visible == login.screen)
            #expect(answer.pending == ["signIn"])
            await backend.holds(1)
            #expect(try visit.state().pending == ["signIn"])
            backend.release()
            let settled = try visit.state(after: answer)
            #expect(settled.visible == login.home)
            #expect(settled.pending == [])
        }
    }

    @Test("a backend's failure is shown on the login screen, and the user can try again", arguments: logins)
    func failing(login: Login) async throws {
        try await run(login) { visit, backend in
            backend.behave(.failing)
            try expectFailure(try visit.logIn(), on: login)
            backend.behave(.fast)
            #expect(try visit.logIn().visible == login.home)
        }
    }

    @Test("while the backend is unreachable, the login screen shows that at each attempt", arguments: logins)
    func gone(login: Login) async throws {
        try await run(login) { visit, backend in
            await backend.stop()
            for _ in 0..<2 { try expectFailure(try visit.logIn(), on: login) }
        }
    }

    private func expectFailure(_ answer: RawResponse, on login: Login) throws {
        #expect(answer.status == 200)
        #expect(answer.visible == login.screen)
        #expect(answer.text.contains("signing in is not possible at the moment; try again later"))
        #expect(answer.pending == [])
    }

    /// Leads a session to the login, on a server with a new backend.
    private func run(
        _ login: Login, _ body: @escaping @Sendable (SignInVisit, Backend) async throws -> Void
    ) async throws {
        try await Backend.run { backend in
            try await BlockingThreads.run {
                let program = try Program(
                    "SignInProgram", ["serve", "--port", "0", "--journal", "memory"],
                    environment: ["USHER_TEST_BACKEND": "\(backend.port)"])
                let port = try #require(program.readPort())
                try await body(try SignInVisit(login, on: port), backend)
                program.send(SIGTERM)
                #expect(program.finish().status == 0)
            }
        }
    }
}

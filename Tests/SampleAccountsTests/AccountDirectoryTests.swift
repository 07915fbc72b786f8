import CurlClient
import SampleBackend
import Testing
import Usher

@testable import SampleAccounts

@Suite("Accounts of the samples", .timeLimit(.minutes(1)))
struct AccountDirectoryTests {
    private static let kim = Account(id: 1, name: "Kim", workspaces: [7])
    private static let lee = Account(id: 2, name: "Lee")

    @Test(arguments: [("kim", kim), ("lee", lee)])
    func `embedded and behind a backend are the same accounts`(name: String, account: Account) async throws {
        try await Backend.run { backend in
            for accounts in [EmbeddedAccounts(), try HTTPAccounts(base: backend.url)] as [any AccountDirectory] {
                let credentials = [Credentials.password(name: name, password: "usher"), .token(name)]
                for credentials in credentials {
                    #expect(try await accounts.signIn(with: credentials, key: "k") == account)
                }
            }
        }
    }

    @Test(arguments: [
        (Credentials.password(name: "kim", password: "wrong"), "wrongPassword", "the name or the password is wrong"),
        (.password(name: "nobody", password: "usher"), "wrongPassword", "the name or the password is wrong"),
        (.password(name: "", password: ""), "wrongPassword", "the name or the password is wrong"),
        (.token("?"), "unknownToken", "nobody is known by this token"),
    ])
    func `wrong credentials are refused in the same words`(
        credentials: Credentials, code: String, message: String
    ) async throws {
        try await Backend.run { backend in
            for accounts in [EmbeddedAccounts(), try HTTPAccounts(base: backend.url)] as [any AccountDirectory] {
                await #expect(throws: EffectFailure(code: code, message: message)) {
                    try await accounts.signIn(with: credentials, key: "k")
                }
            }
        }
    }

    @Test func `the backend is sent the attempt's name, and whatever was typed`() async throws {
        try await Backend.run { backend in
            let accounts = try HTTPAccounts(base: backend.url + "/")
            let typed = Credentials.password(name: "a\"b\\", password: "ü\n")
            _ = try? await accounts.signIn(with: typed, key: "session.7.1")
            _ = try? await accounts.signIn(with: .token("t"), key: "session.8.1")
            #expect(backend.keys == ["session.7.1", "session.8.1"])
            #expect(backend.bodies == [#"{"name":"a\"b\\","password":"ü\n"}"#, #"{"token":"t"}"#])
        }
    }

    @Test func `a backend that fails, and then is gone, is unavailable`() async throws {
        try await Backend.run { backend in
            let accounts = try HTTPAccounts(base: backend.url)
            backend.behave(.failing)
            await expectFailure("unavailable", of: accounts)
            backend.behave(.fast)
            #expect(try await accounts.signIn(with: .token("kim"), key: "k") == Self.kim)
            await backend.stop()
            await expectFailure("unavailable", of: accounts)
        }
    }

    @Test func `a backend that is too slow is given up`() async throws {
        try await Backend.run { backend in
            backend.behave(.slow)
            var configuration = CurlClient.Configuration()
            configuration.timeout = .milliseconds(50)
            let accounts = try HTTPAccounts(base: backend.url, client: CurlClient(configuration))
            await expectFailure("timedOut", of: accounts)
        }
    }

    @Test func `an attempt that is cancelled ends with the task`() async throws {
        try await Backend.run { backend in
            backend.behave(.slow)
            let accounts = try HTTPAccounts(base: backend.url)
            let attempt = Task { try await accounts.signIn(with: .token("kim"), key: "k") }
            await backend.holds(1)
            attempt.cancel()
            await #expect(throws: CancellationError.self) { try await attempt.value }
        }
    }

    private func expectFailure(_ code: String, of accounts: HTTPAccounts) async {
        await #expect {
            try await accounts.signIn(with: .token("kim"), key: "k")
        } throws: { error in
            (error as? EffectFailure)?.code == code
        }
    }
}

import SampleAccounts
import Testing
import Usher

@Suite("Accounts of the samples")
struct AccountDirectoryTests {
    private let accounts = EmbeddedAccounts()

    @Test(arguments: [("kim", Account(id: 1, name: "Kim", workspaces: [7])), ("lee", Account(id: 2, name: "Lee"))])
    func `a user's password and token give access to the same account`(name: String, account: Account) throws {
        for credentials in [Credentials.password(name: name, password: "usher"), .token(name)] {
            #expect(try accounts.signIn(with: credentials, key: "k") == account)
        }
        #expect(EmbeddedAccounts.contains(name))
    }

    @Test(arguments: [
        (Credentials.password(name: "kim", password: "wrong"), "wrongPassword", "the name or the password is wrong"),
        (.password(name: "nobody", password: "usher"), "wrongPassword", "the name or the password is wrong"),
        (.password(name: "", password: ""), "wrongPassword", "the name or the password is wrong"),
        (.token("?"), "unknownToken", "no user has this token"),
    ])
    func `the directory refuses wrong credentials`(credentials: Credentials, code: String, message: String) {
        #expect(throws: EffectFailure(code: code, message: message)) {
            try accounts.signIn(with: credentials, key: "k")
        }
    }

    @Test func `by default, the sample apps use the accounts that are embedded in them`() {
        #expect(AccountServices().accounts is EmbeddedAccounts)
    }
}

internal import SampleAccounts
internal import Usher

/// Finds an account by the token that another service has issued to its user.
struct SocialSignIn: Effect {
    let token: String

    static let failures = ["unknownToken"]

    var examples: [Account] { Account.examples }

    func run(_ context: EffectContext<AccountServices>) async throws -> Account {
        try await context.services.accounts.signIn(with: .token(token), key: context.id)
    }
}

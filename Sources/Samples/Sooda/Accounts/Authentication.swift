import SampleAccounts
import Usher

/// Whether the user is signed in, shared by the coordinators that sign users in and out.
final class Authentication {
    private(set) var isSignedIn: Bool

    init(isSignedIn: Bool) {
        self.isSignedIn = isSignedIn
    }

    func didSignIn() {
        isSignedIn = true
    }

    func signUp(name: String) throws {
        guard !EmbeddedAccounts.contains(name) else {
            throw Refusal("the name \"\(name)\" is taken; choose another, or log in")
        }
        isSignedIn = true
    }

    func signOut() {
        isSignedIn = false
    }
}

public import UIKit
import Usher

/// The result of a sign-in.
@MainActor @preconcurrency
open class ASAuthorization: NSObject {
    /// What the app wants to know of the user.
    public struct Scope: Hashable, RawRepresentable, Sendable {
        /// The name of the scope.
        public let rawValue: String

        /// Creates a scope.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public static let fullName = Scope(rawValue: "full_name")
        /// The address.
        public static let email = Scope(rawValue: "email")
    }

    /// The object that has created the request.
    public let provider: any ASAuthorizationProvider
    /// The user's credential.
    public let credential: any ASAuthorizationCredential

    init(_ credential: any ASAuthorizationCredential, from provider: any ASAuthorizationProvider) {
        (self.credential, self.provider) = (credential, provider)
        super.init()
    }
}

/// An object that creates requests.
public protocol ASAuthorizationProvider: AnyObject {}

/// What the app gets from the user.
public protocol ASAuthorizationCredential: AnyObject {}

/// A request for a sign-in.
@MainActor @preconcurrency
open class ASAuthorizationRequest: NSObject {
    fileprivate override init() {
        super.init()
    }
}

/// A request for a sign-in with the user's Apple ID.
@MainActor @preconcurrency
open class ASAuthorizationAppleIDRequest: ASAuthorizationRequest {
    /// What the app wants to know of the user.
    open var requestedScopes: [ASAuthorization.Scope]?
    /// A text that the credential repeats.
    open var state: String?
    /// A text that the identity token repeats.
    open var nonce: String?
    /// The identifier of the user, if the app knows it.
    open var user: String?

    fileprivate override init() {
        super.init()
    }
}

/// Creates requests for a sign-in with the user's Apple ID.
@MainActor @preconcurrency
open class ASAuthorizationAppleIDProvider: NSObject, ASAuthorizationProvider {
    /// Creates a provider.
    public override init() {
        super.init()
    }

    /// Returns a request.
    open func createRequest() -> ASAuthorizationAppleIDRequest { ASAuthorizationAppleIDRequest() }
}

/// The credential of a user with an Apple ID, as the client has sent it: let your backend check the token.
@MainActor @preconcurrency
open class ASAuthorizationAppleIDCredential: NSObject, ASAuthorizationCredential {
    /// The identifier of the user.
    public let user: String
    /// The address.
    public let email: String?
    /// The name.
    public let fullName: PersonNameComponents?
    /// The token.
    public let identityToken: Data?
    /// The code by which your backend gets tokens.
    public let authorizationCode: Data?
    /// The state of the request.
    public let state: String?
    /// The scopes of the request.
    public let authorizedScopes: [ASAuthorization.Scope]

    init(
        _ choice: ASAuthorizationController.AuthorizationChoice, for request: ASAuthorizationAppleIDRequest
    ) throws {
        guard
            case .signedIn(
                let user, let email, let givenName, let familyName, let identityToken, let authorizationCode) = choice,
            !user.isEmpty
        else { throw Refusal("the user is empty: send the identifier that the device has got") }
        (self.user, self.email) = (user, email)
        var name = PersonNameComponents()
        (name.givenName, name.familyName) = (givenName, familyName)
        fullName = givenName == nil && familyName == nil ? nil : name
        self.identityToken = try identityToken.map { Data(try $0.reveal().utf8) }
        self.authorizationCode = try authorizationCode.map { Data(try $0.reveal().utf8) }
        state = request.state
        authorizedScopes = request.requestedScopes ?? []
        super.init()
    }
}

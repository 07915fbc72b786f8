public import UIKit
public import Usher

/// A sign-in with the user's Apple ID.
///
/// The client asks the user, and sends the result as an event of a prompt. The journal stores the tokens as secrets.
@MainActor @preconcurrency
open class ASAuthorizationController: NSObject {
    /// The ends of the sign-in, as events.
    public enum AuthorizationChoice: SystemChoice {
        /// The user has signed in; the tokens are texts, as the device has got them.
        case signedIn(
            user: String, email: String?, givenName: String?, familyName: String?, identityToken: Secret<String>?,
            authorizationCode: Secret<String>?)
        case failed, cancelled

        /// One end of each kind.
        public static var examples: [AuthorizationChoice] {
            let signedIn = AuthorizationChoice.signedIn(
                user: "000001.a", email: "kim@example.org", givenName: "Kim", familyName: "Usher",
                identityToken: "a.b.c", authorizationCode: "code")
            return [signedIn, .failed, .cancelled]
        }
    }

    /// The requests.
    public let authorizationRequests: [ASAuthorizationRequest]
    /// The object that is called with the result.
    open weak var delegate: (any ASAuthorizationControllerDelegate)?
    /// The object that has the window.
    open weak var presentationContextProvider: (any ASAuthorizationControllerPresentationContextProviding)?

    /// Creates a sign-in.
    public init(authorizationRequests: [ASAuthorizationRequest]) {
        self.authorizationRequests = authorizationRequests
        super.init()
    }

    /// Shows the prompt, which retains the controller until the prompt ends.
    ///
    /// The prompt's items are the scopes of the first request, and `nonce=…` if the request has a nonce.
    open func performRequests() {
        let request = authorizationRequests.lazy.compactMap { $0 as? ASAuthorizationAppleIDRequest }.first
        let nonce = request?.nonce.map { ["nonce=\($0)"] } ?? []
        SystemPrompt(
            named: "appleID", items: (request?.requestedScopes ?? []).map(\.rawValue) + nonce,
            cancellation: AuthorizationChoice.cancelled
        ) { [self] choice in
            switch choice {
            case .signedIn:
                guard let choice, let request else { return fail(.notHandled) }
                let credential = try ASAuthorizationAppleIDCredential(choice, for: request)
                delegate?.authorizationController(
                    controller: self,
                    didCompleteWithAuthorization: ASAuthorization(credential, from: ASAuthorizationAppleIDProvider()))
            case .failed: fail(.failed)
            case .cancelled, nil: fail(.canceled)
            }
        }.show()
    }

    private func fail(_ code: ASAuthorizationError.Code) {
        delegate?.authorizationController(controller: self, didCompleteWithError: ASAuthorizationError(code))
    }
}

/// The delegate of a sign-in.
@MainActor @preconcurrency
public protocol ASAuthorizationControllerDelegate: AnyObject {
    /// Called when the user has signed in.
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization)

    /// Called when the sign-in has failed, with an `ASAuthorizationError`.
    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error)
}

extension ASAuthorizationControllerDelegate {
    /// Does nothing.
    public func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {}

    /// Does nothing.
    public func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {}
}

/// The object that has the window of a sign-in.
@MainActor @preconcurrency
public protocol ASAuthorizationControllerPresentationContextProviding: AnyObject {
    /// Returns the window above which the prompt is shown; Usher never calls this method.
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor
}

/// The reason why a sign-in has failed.
public struct ASAuthorizationError: CustomNSError, Hashable, Sendable {
    /// The codes of the reasons.
    public enum Code: Int, Sendable {
        case unknown = 1000
        case canceled, invalidResponse, notHandled, failed, notInteractive

        /// Returns a Boolean value that indicates whether an error has a code, for use in a `catch`.
        public static func ~= (code: Code, error: any Error) -> Bool { (error as? ASAuthorizationError)?.code == code }
    }

    /// The code.
    public let code: Code

    /// Creates an error.
    public init(_ code: Code) { self.code = code }

    /// The domain of the codes.
    public static let errorDomain = "com.apple.AuthenticationServices.AuthorizationError"
    /// The number of the code.
    public var errorCode: Int { code.rawValue }

    /// An unknown reason.
    public static let unknown = Code.unknown
    /// The user has cancelled.
    public static let canceled = Code.canceled
    /// The response is invalid.
    public static let invalidResponse = Code.invalidResponse
    /// The controller has no request with an Apple ID.
    public static let notHandled = Code.notHandled
    /// The sign-in has failed.
    public static let failed = Code.failed
    /// The sign-in would need the user.
    public static let notInteractive = Code.notInteractive
}

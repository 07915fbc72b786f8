@_exported public import UIKit
public import Usher

/// A window above which the system asks the user.
public typealias ASPresentationAnchor = UIWindow

/// A sign-in on a web page, which ends by calling a link of the app.
///
/// The client shows the page, and sends the link as an event of a prompt. The journal stores the link as a secret.
@MainActor @preconcurrency
open class ASWebAuthenticationSession: NSObject {
    /// The ends of the sign-in, as events.
    public enum SignInChoice: SystemChoice {
        case finished(callbackURL: Secret<String>)
        case cancelled

        /// One end of each kind.
        public static var examples: [SignInChoice] {
            [.finished(callbackURL: "shop://callback?code=1"), .cancelled]
        }
    }

    /// A closure that gets the link, or an error.
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void

    /// The object that has the window; without it, the sign-in does not start.
    open weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
    /// A Boolean value that indicates whether the page is shown without the browser's cookies.
    open var prefersEphemeralWebBrowserSession = false
    private let url: URL
    private let callbackURLScheme: String?
    private let completionHandler: CompletionHandler
    private weak var prompt: SystemPrompt<SignInChoice>?

    /// Creates a sign-in on a page, which ends with a link of the scheme; a nil scheme allows any link.
    ///
    /// The completion handler is called with the link or an `ASWebAuthenticationSessionError`.
    public init(url URL: URL, callbackURLScheme: String?, completionHandler: @escaping CompletionHandler) {
        (url, self.callbackURLScheme, self.completionHandler) = (URL, callbackURLScheme, completionHandler)
        super.init()
    }

    /// A Boolean value that indicates whether the sign-in can start.
    open var canStart: Bool { presentationContextProvider != nil }

    /// Shows the prompt; without a provider of a window, returns `false`, and the completion handler receives an error.
    @discardableResult
    open func start() -> Bool {
        let complete = completionHandler
        guard canStart else {
            UIKitSession.complete { complete(nil, ASWebAuthenticationSessionError(.presentationContextNotProvided)) }
            return false
        }
        let scheme = callbackURLScheme
        let prompt = SystemPrompt(
            named: "webAuthentication", items: [url.absoluteString, scheme ?? ""], cancellation: SignInChoice.cancelled
        ) { choice in
            guard case .finished(let link) = choice else {
                return complete(nil, ASWebAuthenticationSessionError(.canceledLogin))
            }
            complete(try ASWebAuthenticationSession.checked(link, scheme), nil)
        }
        self.prompt = prompt
        prompt.show()
        return true
    }

    /// Closes the prompt; the completion handler receives `ASWebAuthenticationSessionError.canceledLogin`.
    open func cancel() {
        prompt?.withdraw()
    }

    /// Returns the link that the client has sent; a thrown error does not contain the link, which is a secret.
    private static func checked(_ link: Secret<String>, _ scheme: String?) throws -> URL {
        guard let url = URL(string: try link.reveal()), let found = url.scheme else {
            throw Refusal("the callbackURL is not a URL with a scheme, such as shop://callback?code=1")
        }
        guard scheme == nil || scheme?.lowercased() == found.lowercased() else {
            throw Refusal("the callbackURL must begin with \(scheme ?? ""):")
        }
        return url
    }
}

/// The object that has the window of a sign-in.
@MainActor @preconcurrency
public protocol ASWebAuthenticationPresentationContextProviding: AnyObject {
    /// Returns the window above which the page is shown; Usher never calls this method.
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

/// The reason why a sign-in on a web page has ended.
public struct ASWebAuthenticationSessionError: CustomNSError, Hashable, Sendable {
    /// The codes of the reasons.
    public enum Code: Int, Sendable {
        case canceledLogin = 1
        case presentationContextNotProvided, presentationContextInvalid

        /// Returns a Boolean value that indicates whether an error has a code, for use in a `catch`.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? ASWebAuthenticationSessionError)?.code == code
        }
    }

    /// The code.
    public let code: Code

    /// Creates an error.
    public init(_ code: Code) { self.code = code }

    /// The domain of the codes.
    public static let errorDomain = "com.apple.AuthenticationServices.WebAuthenticationSession"
    /// The number of the code.
    public var errorCode: Int { code.rawValue }

    /// The user, or the app, has cancelled.
    public static let canceledLogin = Code.canceledLogin
    /// The session has no provider of a window.
    public static let presentationContextNotProvided = Code.presentationContextNotProvided
    /// The provider's window is not shown.
    public static let presentationContextInvalid = Code.presentationContextInvalid
}

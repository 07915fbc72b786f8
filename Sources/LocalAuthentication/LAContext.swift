@_exported public import UIKit

/// Asks users to prove that the device is theirs, by their face, their finger or their code.
///
/// The client evaluates the policy, and sends the result as an event of a prompt.
@MainActor @preconcurrency
open class LAContext: NSObject {
    /// The results, as events.
    public enum AuthenticationChoice: String, SystemChoice, CaseIterable {
        case succeeded, failed, cancelled
        /// The user wants to enter the app's password instead.
        case fallback
    }

    /// The title of the button that cancels.
    open var localizedCancelTitle: String?
    /// The title of the button for the app's password.
    open var localizedFallbackTitle: String?
    private weak var prompt: SystemPrompt<AuthenticationChoice>?

    /// Creates a context.
    public override init() {
        super.init()
    }

    /// Always Face ID, because only the client knows its device's features.
    open var biometryType: LABiometryType { .faceID }

    /// Always returns true, because only the client knows its device's features; sets no error.
    @safe
    open func canEvaluatePolicy(_ policy: LAPolicy, error: UnsafeMutablePointer<NSError?>?) -> Bool { true }

    /// Shows a prompt, and passes its result to a closure.
    open func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping (Bool, (any Error)?) -> Void
    ) {
        let prompt = SystemPrompt(
            named: "authentication", items: [localizedReason, "\(policy)"], cancellation: AuthenticationChoice.cancelled
        ) { choice in
            let error = LAContext.error(of: choice)
            reply(error == nil, error)
        }
        self.prompt = prompt
        prompt.show()
    }

    /// Shows a prompt, and returns true if the user has succeeded; throws an `LAError`.
    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluatePolicy(policy, localizedReason: localizedReason) { isSuccessful, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: isSuccessful)
                }
            }
        }
    }

    /// Closes the prompt; the prompt's closure receives `LAError.appCancel`.
    open func invalidate() {
        prompt?.withdraw()
    }

    private static func error(of choice: AuthenticationChoice?) -> LAError? {
        switch choice {
        case .succeeded: nil
        case .failed: LAError(.authenticationFailed)
        case .cancelled: LAError(.userCancel)
        case .fallback: LAError(.userFallback)
        case nil: LAError(.appCancel)
        }
    }
}

/// The ways in which users prove that the device is theirs.
public enum LAPolicy: Int, Sendable {
    case deviceOwnerAuthenticationWithBiometrics = 1
    case deviceOwnerAuthentication
}

/// The features by which a device recognizes its user.
public enum LABiometryType: Int, Sendable {
    case none, touchID, faceID
    case opticID = 4
}

/// The reason why a user was not authenticated.
public struct LAError: CustomNSError, Hashable, Sendable {
    /// The codes of the reasons.
    public enum Code: Int, Sendable {
        case authenticationFailed = -1
        case userCancel = -2
        case userFallback = -3
        case systemCancel = -4
        case passcodeNotSet = -5
        case biometryNotAvailable = -6
        case biometryNotEnrolled = -7
        case biometryLockout = -8
        case appCancel = -9
        case invalidContext = -10

        /// Returns a Boolean value that indicates whether an error has a code, for `catch LAError.userCancel`.
        public static func ~= (code: Code, error: any Error) -> Bool { (error as? LAError)?.code == code }
    }

    /// The code.
    public let code: Code

    /// Creates an error.
    public init(_ code: Code) { self.code = code }

    /// The domain of the codes.
    public static let errorDomain = "com.apple.LocalAuthentication"
    /// The number of the code.
    public var errorCode: Int { code.rawValue }

    /// The user was not recognized.
    public static let authenticationFailed = Code.authenticationFailed
    /// The user has cancelled.
    public static let userCancel = Code.userCancel
    /// The user wants to enter the app's password instead.
    public static let userFallback = Code.userFallback
    /// The system has cancelled.
    public static let systemCancel = Code.systemCancel
    /// The device has no code.
    public static let passcodeNotSet = Code.passcodeNotSet
    /// The device recognizes neither faces nor fingers.
    public static let biometryNotAvailable = Code.biometryNotAvailable
    /// The user has stored neither face nor finger.
    public static let biometryNotEnrolled = Code.biometryNotEnrolled
    /// The user has failed too often.
    public static let biometryLockout = Code.biometryLockout
    /// The app has cancelled.
    public static let appCancel = Code.appCancel
    /// The context was invalidated before.
    public static let invalidContext = Code.invalidContext
}

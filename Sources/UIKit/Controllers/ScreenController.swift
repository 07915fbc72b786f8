public import Usher

/// A view controller that defines its screen and handles the screen's events.
///
/// ```swift
/// extension LoginViewController: ScreenController {
///     var content: LoginScreen { LoginScreen(failure: viewModel.failure) }
///
///     func handle(_ event: LoginScreen.Event) {
///         switch event {
///         case .login(let name): viewModel.login(name)
///         }
///     }
/// }
/// ```
///
/// The content is read at the end of each input while the controller is on display. It may be read before
/// `viewDidLoad`, because the view of a covered controller is not loaded. The getter should be cheap: return a stored
/// array instead of mapping one.
@MainActor @preconcurrency
public protocol ScreenController: UIViewController {
    /// The screen that clients see.
    associatedtype Content: Screen

    /// The current screen.
    var content: Content { get }

    /// Handles an event.
    ///
    /// - Throws: `Refusal` to reject the event; the session then stays as it was.
    func handle(_ event: Content.Event) throws

    /// Returns `true` if clients need the newer content; by default, if the values differ.
    ///
    /// - Parameters:
    ///   - content: The current screen.
    ///   - shown: The screen that clients have.
    static func differs(_ content: Content, from shown: Content) -> Bool
}

extension ScreenController where Content: Equatable {
    /// Returns `true` if the values differ.
    public static func differs(_ content: Content, from shown: Content) -> Bool { content != shown }
}

extension ScreenController where Content.Event == Never {
    /// Does nothing, because there are no events.
    public func handle(_ event: Never) {}
}

/// The reason why containers prevent the user from leaving a screen.
enum ContainerRefusal: Equatable {
    /// The user cannot go back with the bar, but can still pull a sheet down.
    case back(String)
    /// The modal that starts with the screen cannot be closed.
    case dismissal(String)

    var text: String {
        switch self {
        case .back(let text), .dismissal(let text): text
        }
    }

    var ofDismissal: String? {
        if case .dismissal(let text) = self { text } else { nil }
    }
}

protocol HostingScreen<Content>: ScreenWrapper where Event == Content.Event {
    associatedtype Content: Screen

    init(content: Content, refusal: ContainerRefusal?)
}

/// The screen that the engine shows for a controller: its content, and why containers prevent going back.
struct HostedScreen<Content: Screen>: HostingScreen {
    typealias Event = Content.Event

    static var wrapped: (any Screen.Type)? {
        guard let wrapper = Content.self as? any ScreenWrapper.Type else { return Content.self }
        return wrapper.wrapped
    }

    var content: Content
    var refusal: ContainerRefusal?

    static var name: String { Content.name }
    static var version: Int { Content.version }
    static var examples: [Event] { Content.examples }
    var instanceName: String? { content.instanceName }
    var backRefusal: String? { refusal?.text ?? content.backRefusal }
    var dismissalRefusal: String? { refusal?.ofDismissal ?? content.backRefusal }

    func fallback(for client: Client) -> (any Screen<Event>)? { content.fallback(for: client) }

    func encode(to encoder: any Encoder) throws {
        try content.encode(to: encoder)
    }
}

public import Usher

/// A view controller that says what it shows and takes.
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
/// The content is asked for at the end of each input as long as the controller is on display, and may be asked before
/// `viewDidLoad`, for the view of a covered controller is not loaded. It should be cheap: give out an array that is there
/// already instead of mapping one.
@MainActor @preconcurrency
public protocol ScreenController: UIViewController {
    /// The screen that clients see.
    associatedtype Content: Screen

    /// The screen as it stands.
    var content: Content { get }

    /// Does what an event asks for.
    ///
    /// - Parameter event: The event.
    /// - Throws: `Refusal` when it will not; the session is then as it was.
    func handle(_ event: Content.Event) throws

    /// True where clients have to be shown the newer content; by default where the two are not equal.
    ///
    /// - Parameters:
    ///   - content: The screen as it stands.
    ///   - shown: The screen as clients see it.
    static func differs(_ content: Content, from shown: Content) -> Bool
}

extension ScreenController where Content: Equatable {
    /// True where the two are not equal.
    public static func differs(_ content: Content, from shown: Content) -> Bool { content != shown }
}

extension ScreenController where Content.Event == Never {
    /// There is none.
    public func handle(_ event: Never) {}
}

/// The reason of containers against the user's leaving a screen.
enum ContainerRefusal: Equatable {
    /// The bar leads nowhere back; a sheet is pulled down all the same.
    case back(String)
    /// The modal that begins with the screen cannot be closed.
    case dismissal(String)

    var text: String {
        switch self {
        case .back(let text), .dismissal(let text): text
        }
    }

    /// The part of it that holds a modal.
    var ofDismissal: String? {
        if case .dismissal(let text) = self { text } else { nil }
    }
}

/// A screen that hosts a controller's content.
protocol HostingScreen<Content>: ScreenWrapper where Event == Content.Event {
    associatedtype Content: Screen

    init(content: Content, refusal: ContainerRefusal?)
}

/// A controller's content as the engine shows it: with the reason against going back that UIKit knows beside its own.
struct HostedScreen<Content: Screen>: HostingScreen {
    typealias Event = Content.Event

    static var wrapped: (any Screen.Type)? {
        guard let wrapper = Content.self as? any ScreenWrapper.Type else { return Content.self }
        return wrapper.wrapped
    }

    var content: Content
    /// The reason of the containers; nil where they have none.
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

import Usher

/// A controller that the engine shows, or has shown, as a screen.
@MainActor
class ScreenRecord {
    let controller: UIViewController

    init(_ controller: consuming UIViewController) {
        controller.stayedInMemory = controller.staysInMemory
        self.controller = consume controller
    }

    /// The engine's id of the screen; nil once the screen was removed from the stack.
    var screenID: Int? { nil }

    final var isShown: Bool { screenID != nil }

    /// Updates the engine's screen with the newest content and the containers' reason why the user cannot go back.
    func refresh(refusal: ContainerRefusal?) {}

    func popToSelf(_ coordinator: AnyCoordinator) {}

    /// Shows a controller on a coordinator's navigation, on top or replacing everything there.
    static func show(
        _ controller: UIViewController, on coordinator: AnyCoordinator, replacing: Bool, in session: UIKitSession
    ) -> ScreenRecord {
        if let controller = controller as? any ScreenController {
            return show(controller, on: coordinator, replacing: replacing, in: session)
        }
        if let alert = controller as? UIAlertController {
            return AlertRecord(alert, on: coordinator, in: session)
        }
        return PlainRecord(controller, on: coordinator, replacing: replacing, in: session)
    }

    private static func show<C: ScreenController>(
        _ controller: C, on coordinator: AnyCoordinator, replacing: Bool, in session: UIKitSession
    ) -> ScreenRecord {
        let content = controller.content
        let screen = HostedScreen(content: content, refusal: nil)
        // The closure retains the session until the screen leaves, because reading an unowned reference is slow.
        let handle = coordinator.show(screen, keeping: controller, replacing: replacing) { controller, event in
            try session.handleTouch { try controller.handle(event) }
        }
        return ContentRecord(controller, content, handle)
    }
}

/// A shown controller that defines its screen.
///
/// `Hosting` is a type parameter, so that the runtime does not look up the screen's type at each use of the handle.
// Exclusivity is unchecked, because no access runs code of the app.
final class ContentRecord<C: ScreenController, Hosting: HostingScreen>: ScreenRecord
where Hosting.Content == C.Content {
    private let handle: Handle<Hosting>
    private let shown: C
    /// A copy of the content that the engine shows, because reading the content from the engine costs more.
    @safe @exclusivity(unchecked) private var content: C.Content
    @safe @exclusivity(unchecked) private var refusal: ContainerRefusal?

    init(_ controller: consuming C, _ content: consuming C.Content, _ handle: consuming Handle<Hosting>) {
        shown = controller
        self.content = consume content
        self.handle = consume handle
        super.init(consume controller)
    }

    override var screenID: Int? { handle.id }

    override func refresh(refusal: ContainerRefusal?) {
        let newest = shown.content
        guard refusal != self.refusal || C.differs(newest, from: content) else { return }
        (content, self.refusal) = (newest, refusal)
        handle.update { $0 = Hosting(content: newest, refusal: refusal) }
    }

    override func popToSelf(_ coordinator: AnyCoordinator) {
        coordinator.pop(to: handle)
    }
}

extension Navigating where Self: AnyCoordinator {
    func show<S: Screen, C: AnyObject>(
        _ screen: S, keeping controller: C, replacing: Bool, _ handler: @escaping (C, S.Event) throws -> Void
    ) -> Handle<S> {
        replacing
            ? replace(with: screen, keeping: controller, handler) : push(screen, keeping: controller, handler)
    }
}

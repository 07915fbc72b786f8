// These calls are mistakes. They are declared so that the compiler says what to write instead.

extension Navigating where Self: AnyCoordinator {
    /// Unavailable: a screen with events requires a closure.
    @available(*, unavailable, message: "a screen with events takes a closure: push(screen) { me, event in … }")
    @discardableResult
    public func push<S: Screen>(_ screen: S) -> Handle<S> { Handle() }

    /// Unavailable: a screen with events requires a closure.
    @available(
        *, unavailable, message: "a screen with events takes a closure: replace(with: screen) { me, event in … }"
    )
    @discardableResult
    public func replace<S: Screen>(with screen: S) -> Handle<S> { Handle() }

    /// Unavailable: a screen with events requires a closure.
    @available(
        *, unavailable,
        message: "a screen with events takes a closure: present(screen, as: .sheet) { me, event in … }"
    )
    @discardableResult
    public func present<S: Screen>(_ screen: S, as style: PresentationStyle) -> Handle<S> { Handle() }

    /// Unavailable: start a coordinator instead.
    @available(*, unavailable, message: "a coordinator is started, not pushed: start(child) { me, outcome in … }")
    public func push(_ child: AnyCoordinator) {}

    /// Unavailable: push a screen instead.
    @available(*, unavailable, message: "a screen is pushed, not started: push(screen) { me, event in … }")
    public func start<S: Screen>(_ screen: S, _ handler: ((Self, S.Event) throws -> Void)? = nil) {}

    /// Unavailable: a closure for the end requires a child with an output type.
    @available(
        *, unavailable,
        message: "a completion closure requires a Coordinator<Output>; for others, override childDidFinish"
    )
    public func start(_ child: AnyCoordinator, _ completion: (Self, Outcome<Any>) throws -> Void) {}
}

extension Coordinator {
    /// Unavailable: a coordinator finishes with its output.
    @available(
        *, unavailable, message: "finish(_:) takes the output; a Coordinator<Never> has none, so end it with cancel()"
    )
    public final func finish() {}
}

extension Screen {
    /// Unavailable: events with payloads need examples.
    @available(
        *, unavailable,
        message: "list a value of each event, static let examples: [Event] = […], or make it CaseIterable"
    )
    public static var examples: [Event] { [] }
}

extension FlowHost {
    /// Unavailable: flows with payloads need examples.
    @available(
        *, unavailable,
        message: "list a value of each flow, static let examples: [Flow] = […], or make it CaseIterable"
    )
    public static var examples: [Flow] { [] }
}

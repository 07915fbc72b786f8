public import Usher

/// The root of a UIKit app's tree, which runs the app and makes the engine show the app's windows.
///
/// ```swift
/// enum ShopApp: App {
///     static func root(_ options: NoOptions) -> sending AnyCoordinator {
///         UIKitCoordinator(delegate: AppDelegate(), scene: SceneDelegate())
///     }
/// }
/// ```
public final class UIKitCoordinator: Coordinator<Never> {
    /// The session, which represents the user's phone.
    public let session: UIKitSession
    private let settings: UIKitSettings
    /// Starts the app; nil once the app has started.
    ///
    /// The closure may hold objects of the app, so it must be released within the session.
    private var launch: (@MainActor (UIApplication, Flow?) throws -> Void)?
    /// The flow that launched the app, until the engine passes it to `open(_:)`.
    private var launchFlow: Flow?

    /// The name on the wire.
    public override class var name: String { "window" }

    /// Creates the root of an app that starts with its delegates; `scene` is nil for an app without scenes.
    public init(
        settings: UIKitSettings = UIKitSettings(),
        delegate: @autoclosure @escaping @MainActor () -> any UIApplicationDelegate,
        scene: @autoclosure @escaping @MainActor () -> (any UIWindowSceneDelegate)? = nil
    ) {
        self.settings = settings
        session = MainActor.assumeIsolated { UIKitSession(settings) }
        launch = { application, flow in
            application.launch(delegate(), scene: scene(), by: flow.flatMap(LaunchCause.init))
        }
    }

    /// Creates the root of an app that starts with a window.
    ///
    /// - Parameters:
    ///   - settings: The settings of the session's phone.
    ///   - launch: Called with the window, which is already visible; returns an object to retain until the session
    ///     ends, such as the app's first coordinator.
    public init(
        settings: UIKitSettings = UIKitSettings(), launch: @escaping @MainActor (UIWindow) throws -> AnyObject?
    ) {
        self.settings = settings
        session = MainActor.assumeIsolated { UIKitSession(settings) }
        self.launch = { application, _ in
            let window = UIWindow()
            window.makeKeyAndVisible()
            application.keep(window, try launch(window))
        }
    }

    deinit {
        let session = session
        MainActor.assumeIsolated { session.close() }
    }

    /// Launches the app.
    public override func start() throws {
        // Safe because the engine calls a coordinator only on the actor's thread, which handles the session's input.
        nonisolated(unsafe) let me = self
        guard let launch else { return }
        self.launch = nil
        let (session, settings, flow) = (session, settings, try takeFirstFlow())
        try MainActor.assumeIsolated {
            unsafe session.attach(me, settings)
            try session.enter { try launch(session.application, flow) }
        }
    }

    /// Returns the link or notification that the session begins with, which launches the app.
    private func takeFirstFlow() throws -> Flow? {
        guard let flow = try firstFlow(), LaunchCause(flow) != nil else { return nil }
        launchFlow = flow
        return flow
    }

    /// Returns `true` if the delegates received the flow at the launch, so that it is not delivered a second time.
    func takeLaunchFlow(_ flow: Flow) -> Bool {
        defer { launchFlow = nil }
        return launchFlow == flow
    }

    /// Called when the user has closed a modal or left a tab's last screen.
    public override func childDidFinish(_ child: AnyCoordinator, _ outcome: Outcome<Any>) throws {
        try followUser()
    }

    /// Called when the user has gone back to a screen.
    public override func didReturn(to screen: Int) throws {
        try followUser()
    }

    /// Called when the user taps another tab; the tab bar's delegate may prevent the selection.
    public override func shouldSelect(_ tab: String) throws -> Bool {
        let session = session
        return try MainActor.assumeIsolated { try session.screens.shouldSelect(tab, in: session) }
    }

    /// Called when the user has selected another tab.
    public override func didSelect(_ tab: String) throws {
        let session = session
        try MainActor.assumeIsolated { try session.screens.didSelect(tab, in: session) }
    }

    /// Called when the user has tapped the selected tab again.
    public override func didReselect(_ tab: String) throws {
        let session = session
        try MainActor.assumeIsolated { try session.screens.didReselect(tab, in: session) }
    }

    private func followUser() throws {
        let session = session
        try MainActor.assumeIsolated { try session.followUser() }
    }
}

extension UIKitCoordinator: SurroundingRoot {
    /// Runs a closure with the session as the current session.
    package func surround(_ body: () -> Void) {
        session.onThisThread(body)
    }
}

extension UIKitCoordinator: TaskKeeping {
    /// Returns the app's tasks, so that the search for a leak's retainer can end the tasks.
    package func takeTasks() -> [KeptTask] {
        let session = session
        return MainActor.assumeIsolated { session.queue.takeTasks() }.map { task in
            KeptTask(origin: task.origin) { MainActor.assumeIsolated { session.end(task) } }
        }
    }
}

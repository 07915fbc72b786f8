public import Usher

/// The root of a UIKit app's tree: runs the app, and has the engine show its window.
///
/// ```swift
/// enum ShopApp: App {
///     static func root(_ options: NoOptions) -> sending AnyCoordinator {
///         UIKitCoordinator(delegate: AppDelegate(), scene: SceneDelegate())
///     }
/// }
/// ```
public final class UIKitCoordinator: Coordinator<Never> {
    /// The session's phone.
    public let session: UIKitSession
    private let settings: UIKitSettings
    /// Starts the app; nil once the app has started.
    ///
    /// The closure may hold objects of the app, which must be released within the session.
    private var launch: (@MainActor (UIApplication, Flow?) throws -> Void)?
    /// The flow that the app was launched by, until the engine offers it again.
    private var launchFlow: Flow?

    /// The name on the wire.
    public override class var name: String { "window" }

    /// Makes the root of an app that begins with its delegates.
    ///
    /// - Parameters:
    ///   - settings: The phone that a session has.
    ///   - delegate: Makes the application's delegate.
    ///   - scene: Makes the scene's delegate; nil for an app without scenes.
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

    /// Makes the root of an app that begins with a window.
    ///
    /// - Parameters:
    ///   - settings: The phone that a session has.
    ///   - launch: Is given the window, already visible; returns what is to be kept as long as the session, such as the
    ///     app's first coordinator.
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
        // Because the engine calls a coordinator on the thread that handles its session's input, which is the actor's.
        nonisolated(unsafe) let me = self
        guard let launch else { return }
        self.launch = nil
        let (session, settings, flow) = (session, settings, try takeFirstFlow())
        try MainActor.assumeIsolated {
            unsafe session.attach(me, settings)
            try session.enter { try launch(session.application, flow) }
        }
    }

    /// The link or notification that the session begins with: an app is launched by it.
    private func takeFirstFlow() throws -> Flow? {
        guard let flow = try firstFlow(), LaunchCause(flow) != nil else { return nil }
        launchFlow = flow
        return flow
    }

    /// True for the flow that the app was launched by, once: its delegates know it.
    func takeLaunchFlow(_ flow: Flow) -> Bool {
        defer { launchFlow = nil }
        return launchFlow == flow
    }

    /// A modal, or a tab, has lost its last screen: the user has closed it.
    public override func childDidFinish(_ child: AnyCoordinator, _ outcome: Outcome<Any>) throws {
        try followUser()
    }

    /// The user has gone back to a screen.
    public override func didReturn(to screen: Int) throws {
        try followUser()
    }

    /// The user taps another tab: the tab bar's delegate may say no.
    public override func shouldSelect(_ tab: String) throws -> Bool {
        let session = session
        return try MainActor.assumeIsolated { try session.screens.shouldSelect(tab, in: session) }
    }

    /// The user has selected another tab.
    public override func didSelect(_ tab: String) throws {
        let session = session
        try MainActor.assumeIsolated { try session.screens.didSelect(tab, in: session) }
    }

    /// The user has tapped the tab that is selected already.
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
    /// Makes the session current.
    package func surround(_ body: () -> Void) {
        session.onThisThread(body)
    }
}

extension UIKitCoordinator: TaskKeeping {
    /// The app's tasks, to be ended: the search for what retains a leak asks.
    package func takeTasks() -> [KeptTask] {
        let session = session
        return MainActor.assumeIsolated { session.queue.takeTasks() }.map { task in
            KeptTask(origin: task.origin) { MainActor.assumeIsolated { session.end(task) } }
        }
    }
}

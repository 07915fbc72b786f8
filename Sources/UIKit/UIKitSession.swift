import Synchronization
import Usher

/// A session's phone: all that is global on one, its window, and the queue of its main thread.
///
/// Code of the app runs inside `enter(_:)`, during which the session is `current`. When the outermost call ends, the
/// session settles: what waits is run, and the engine shows what the app's controllers have come to.
@MainActor
public final class UIKitSession {
    /// The session whose input is handled on this thread; nil outside of one.
    public nonisolated static var current: UIKitSession? { CurrentSession.value }

    /// The application, with its windows.
    public let application: UIApplication
    /// The device.
    public let device: UIDevice
    private nonisolated let globals = SessionGlobals()
    /// The language and time zone.
    public nonisolated let region: SessionRegion

    let screens = WindowReconciler()
    let moves = ControllerMoves()
    let appearance = AppearanceTracker()
    let queue = MainQueue()
    private(set) lazy var executor = SessionExecutor(self)
    /// Set at its end: what waits then waits for ever.
    // Because only code of its own input, or of its tasks' ends, asks for it.
    nonisolated(unsafe) private(set) var isClosed = false
    /// The thread that handles its input; 0 for none.
    private nonisolated let thread = Atomic<UInt>(0)
    private(set) lazy var ownTree = OwnTreeWatch()
    private let warnsOfZombies: Bool
    private var depth = 0
    private var needsReconciling = false
    private weak var coordinator: UIKitCoordinator?

    /// Changes that lead to further changes are followed so far.
    private static let roundLimit = 64

    init(_ settings: UIKitSettings) {
        application = UIApplication()
        device = UIDevice(settings)
        region = settings.region
        warnsOfZombies = settings.warnsOfZombies
    }

    /// The defaults, empty at first.
    public nonisolated var defaults: UserDefaults { globals.defaults }

    /// The centre that notifications are posted at.
    public nonisolated var notificationCenter: NotificationCenter { globals.notificationCenter }

    /// The coordinator at the root, for effects and timers that go with no screen.
    public var root: UIKitCoordinator? { coordinator }

    /// True on the thread that handles its input.
    nonisolated var isOnItsThread: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    /// Runs code of the app on the session's main thread, and lets the session settle.
    ///
    /// Every input goes this way by itself; an effect's closure that calls into the app must.
    ///
    /// - Parameter body: The code.
    public func enter(_ body: () throws -> Void) throws {
        guard depth == 0 else { return try body() }
        depth = 1
        defer { depth = 0 }
        try onThisThread {
            try body()
            try settle()
            if warnsOfZombies { ownTree.warn(in: self) }
        }
    }

    private func onThisThread(_ body: () throws -> Void) rethrows {
        let former = thread.exchange(pthread_self(), ordering: .relaxed)
        defer { thread.store(former, ordering: .relaxed) }
        try CurrentSession.$value.withValue(self, operation: body)
    }

    /// Runs code at the end of this input, after what was enqueued before.
    ///
    /// - Parameter work: The code.
    public func enqueue(_ work: @escaping () throws -> Void) {
        queue.add(work)
    }

    /// Tells the client of a misuse, in the state's `warnings`.
    ///
    /// - Parameter message: What was misused, in UIKit's words where it has any.
    public func warn(_ message: String) {
        coordinator?.warn(message)
    }

    /// Has the engine show what controllers have come to, at the end of this input.
    func setNeedsReconciling() {
        needsReconciling = true
    }

    func attach(_ coordinator: UIKitCoordinator) {
        self.coordinator = coordinator
        screens.attach(coordinator, self)
    }

    /// Ends what the app has begun, and takes its windows apart: code of it that goes on to its end reaches nobody.
    func close() {
        unsafe isClosed = true
        onThisThread {
            queue.close()
            application.takeApart()
        }
    }

    /// Follows what the user has closed or gone back from.
    func followUser() throws {
        guard !screens.isReconciling else { return }
        try enter { screens.followUser(in: self) }
    }

    private func settle() throws {
        for _ in 0..<Self.roundLimit {
            if needsReconciling {
                needsReconciling = false
                reconcile()
            }
            guard !queue.isEmpty || needsReconciling else {
                try queue.checkTasks()
                return screens.refresh()
            }
            try queue.runRound()
        }
        throw Refusal("the app changes its screens for ever: \(Self.roundLimit) times in one input")
    }

    private func reconcile() {
        let visible = appearance.load(application.keyWindow)
        screens.reconcile(application.keyWindow, in: self)
        appearance.show(visible, in: self)
    }
}

/// The session whose input is handled on a thread.
private enum CurrentSession {
    @TaskLocal
    static var value: UIKitSession?
}

/// The globals that are made only in a session that uses them.
private final class SessionGlobals: @unchecked Sendable {
    // Unchecked because only code of its session's input reaches it, under that session's lock.
    private(set) lazy var defaults = UserDefaults()
    private(set) lazy var notificationCenter = NotificationCenter()
}

/// The choices of an app about the phone that a session has.
public struct UIKitSettings: Sendable {
    /// The language and time zone.
    public var region = SessionRegion()
    /// The name of the device.
    public var deviceName = "iPhone"
    /// The kind of device.
    public var idiom = UIUserInterfaceIdiom.phone
    /// The version of its system.
    public var systemVersion = "18.0"

    /// Set to be warned in the answer to an input that leaves a zombie: a coordinator of the app's own that is kept and
    /// shows nothing. Each input then costs a look at all coordinators; tests and operators are told without it.
    public var warnsOfZombies = false

    /// The settings of a phone that speaks English, in UTC.
    public init() {}
}

/// The language and time zone of a session.
public struct SessionRegion: Sendable {
    /// The language and its customs.
    public var locale = Locale(identifier: "en")
    /// The time zone.
    public var timeZone = TimeZone.gmt

    /// English, in UTC.
    public init() {}
}

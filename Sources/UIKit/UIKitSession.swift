public import Usher

/// A session's phone: all that is global on one, its window, and the queue of its main thread.
///
/// Code of the app runs inside `enter(_:)`, during which the session is `current`. When the outermost call ends, the
/// session settles: what waits is run, and the engine shows what the app's controllers have come to.
///
/// Its state is accessed without checks for exclusivity: no code of the app runs in the midst of a change.
@MainActor @preconcurrency
public final class UIKitSession {
    /// The session whose input is handled on this thread; nil outside of one.
    ///
    /// Nil on another thread, too, that a task of Swift's own has taken there: what is the session's is not for it.
    public nonisolated static var current: UIKitSession? {
        guard let session = CurrentSession.value, session.queue.thread.isCurrent else { return nil }
        return session
    }

    /// The session that the code belongs to, on whichever thread it runs.
    nonisolated static var ofCode: UIKitSession? { CurrentSession.value }

    /// The application, with its windows.
    public let application: UIApplication
    /// The device.
    @safe @exclusivity(unchecked) public private(set) var device: UIDevice
    /// The client that the session was opened by, as it has told of itself.
    public private(set) var client = Client()
    private nonisolated let globals: SessionGlobals

    let screens = WindowReconciler()
    @safe @exclusivity(unchecked) var moves = ControllerMoves()
    let appearance = AppearanceTracker()
    nonisolated let queue: MainQueue
    nonisolated let timers = SessionTimers()
    /// The executor of the main actor in its code.
    nonisolated let mainThread: MainThreadExecutor
    private lazy var executor = SessionExecutor(queue)
    private(set) lazy var ownTree = OwnTreeWatch()
    /// The transactions that are open, the innermost last.
    var transactions: [CATransaction.Open] = []
    private let warnsOfZombies: Bool
    @safe @exclusivity(unchecked) private var depth = 0
    @safe @exclusivity(unchecked) private var needsReconciling = false
    /// Cleared by `close()`, before the coordinator is gone.
    @safe @exclusivity(unchecked) private unowned(unsafe) var coordinator: UIKitCoordinator?

    /// Changes that lead to further changes are followed so far.
    private static let changeLimit = 64
    /// The rounds of work that adds work.
    private static let roundLimit = 10_000

    init(_ settings: UIKitSettings) {
        queue = MainQueue()
        mainThread = MainThreadExecutor(queue)
        application = UIApplication()
        device = UIDevice(settings)
        globals = SessionGlobals(settings.region)
        warnsOfZombies = settings.warnsOfZombies
    }

    /// The language and time zone.
    public nonisolated var region: SessionRegion { globals.region }

    /// The defaults, empty at first.
    public nonisolated var defaults: UserDefaults { globals.defaults }

    /// The suites of the defaults, each shared by all that ask for it.
    nonisolated var suites: DefaultsSuites { globals.suites }

    /// The centre that notifications are posted at.
    public nonisolated var notificationCenter: NotificationCenter { globals.notificationCenter }

    /// Returns the session's own object of a type, in place of a singleton on a phone.
    ///
    /// The first call creates the object, and the session keeps the object until the session ends.
    ///
    /// ```swift
    /// extension Container {
    ///     static var current: Container { UIKitSession.current?.value(Container.self) { Container() } ?? Container() }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type. A session has one object of each type.
    ///   - make: Creates the object.
    public nonisolated func value<Value>(_ type: Value.Type, _ make: () -> Value) -> Value {
        globals.value(type, make)
    }

    /// The objects that `value(_:_:)` has created.
    nonisolated var ownValues: [Any] { globals.ownValues }

    /// The coordinator at the root, for effects and timers that go with no screen.
    ///
    /// Its `changed(_:)` tells code of the app whether the build that opened the session knew a change.
    public var root: UIKitCoordinator? { coordinator }

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

    /// Runs code in the session, which need not settle.
    nonisolated func onThisThread(_ body: () throws -> Void) rethrows {
        try queue.thread.run { try CurrentSession.$value.withValue(self, operation: body) }
    }

    /// Runs code at the end of this input, after what was enqueued before.
    ///
    /// - Parameter work: The code.
    public func enqueue(_ work: @escaping () throws -> Void) {
        queue.add(work)
    }

    /// Runs the completion of something that is done at the end of this input; outside of a session at once.
    static func complete(_ completion: (() -> Void)?) {
        guard let completion else { return }
        guard let session = current else { return completion() }
        session.enqueue(completion)
    }

    /// Tells the client of a misuse, in the state's `warnings`.
    ///
    /// - Parameter message: What was misused, in UIKit's words where it has any.
    public func warn(_ message: String) {
        root?.warn(message)
    }

    /// Has the engine show what controllers have come to, at the end of this input.
    func setNeedsReconciling() {
        needsReconciling = true
    }

    func attach(_ coordinator: UIKitCoordinator, _ settings: UIKitSettings) {
        self.coordinator = coordinator
        client = coordinator.client
        let settings = settings.adapted(to: client)
        device = UIDevice(settings)
        globals.region = settings.region
        screens.attach(ScreenStack())
    }

    /// Ends what the app has begun, and lets go of all that is the app's, while the session is still there for it.
    ///
    /// On a phone the delegates are there to the end, so they go last. Code that goes on to its end reaches nobody.
    func close() {
        coordinator = nil
        onThisThread {
            queue.close()
            application.takeApart()
            moves.take().abandon()
            _ = take(&transactions, leaving: [])
            appearance.forgetAll()
            screens.forgetAll()
            globals.notificationCenter.forgetAll()
            timers.end()
            application.forgetDelegates()
            globals.forgetAll()
            // Objects that were released above may have begun further moves and transactions.
            moves.take().abandon()
            _ = take(&transactions, leaving: [])
            queue.runForeignJobs()
        }
    }

    /// Ends a task, as at the end of all.
    func end(_ task: RunningTask) {
        onThisThread { queue.end(task) }
    }

    /// Follows what the user has closed or gone back from.
    func followUser() throws {
        guard !screens.isReconciling, screens.isBehindUser else { return }
        try enter { try screens.followUser(in: self) }
    }

    private func settle() throws {
        var (changes, rounds) = (0, 0)
        while true {
            if isBehindApp {
                needsReconciling = false
                application.forgetReleasedWindows()
                changes += 1
                guard changes <= Self.changeLimit else {
                    throw Refusal("the app changes its screens for ever: \(changes) times in one input")
                }
                reconcile()
            }
            guard !queue.isEmpty || isBehindApp else {
                try queue.checkTasks()
                application.warnOfTakenTaps(in: self)
                return screens.refresh()
            }
            rounds += 1
            guard rounds <= Self.roundLimit else { throw TaskMisuse.endlessQueue(after: rounds) }
            try queue.runRound()
        }
    }

    /// True where the engine does not show what controllers have come to.
    var isBehindApp: Bool { needsReconciling || application.hasReleasedWindow }

    /// Begins a task.
    ///
    /// - Parameters:
    ///   - task: The record of it.
    ///   - make: Makes it, on the executor that it is given.
    nonisolated func begin<Made>(_ task: RunningTask, _ make: (SessionExecutor) -> Made) -> Made {
        let executor = MainActor.assumeIsolated {
            queue.beginTask(task)
            return self.executor
        }
        defer { MainActor.assumeIsolated { queue.didBeginTask() } }
        return make(executor)
    }

    private func reconcile() {
        if device.userInterfaceIdiom == .pad {
            for window in application.windowsOnDisplay { window.rootViewController?.giveUpUnanchored(in: self) }
        }
        let display = appearance.load(in: self)
        screens.reconcile(display, in: self)
        appearance.show(display.visible, in: self)
    }
}

/// Takes a value out of its place, so that its owner lets go of it later.
///
/// The end of an app's object runs code of the app, which may ask for what is at that place.
func take<Value>(_ value: inout Value, leaving rest: Value) -> Value {
    var taken = rest
    swap(&taken, &value)
    return taken
}

/// The session whose input is handled on a thread.
private enum CurrentSession {
    @TaskLocal
    static var value: UIKitSession?
}

/// The globals that are made only in a session that uses them.
///
/// Unchecked because only code of its session's input reaches it, under that session's lock.
private final class SessionGlobals: @unchecked Sendable {
    var region: SessionRegion
    private(set) lazy var suites = DefaultsSuites()
    private(set) lazy var defaults = UserDefaults.standard(of: suites)
    private(set) lazy var notificationCenter = NotificationCenter()
    /// The app's objects, in order of creation.
    private var values: [(type: ObjectIdentifier, value: Any)] = []

    init(_ region: SessionRegion) {
        self.region = region
    }

    func value<Value>(_ type: Value.Type, _ make: () -> Value) -> Value {
        for known in values where known.type == ObjectIdentifier(type) {
            if let value = known.value as? Value { return value }
        }
        let made = make()
        values.append((ObjectIdentifier(type), made))
        return made
    }

    var ownValues: [Any] { values.map(\.value) }

    /// Releases the app's values at the end of the session, because they may keep this object alive.
    func forgetAll() {
        suites.forgetAll()
        _ = take(&values, leaving: [])
    }
}

/// The choices of an app about the phone that a session has, where its client does not say otherwise.
public struct UIKitSettings: Sendable {
    /// The language and time zone.
    public var region = SessionRegion()
    /// The name of the device.
    public var deviceName = "iPhone"
    /// The kind of device.
    public var idiom = UIUserInterfaceIdiom.phone
    /// The version of its system.
    public var systemVersion = "18.0"

    /// The name of its system.
    var systemName = "iOS"

    /// Set to be warned in the answer to an input that leaves a zombie.
    ///
    /// That is a coordinator of the app's own that is kept and shows nothing. Each input then costs a look at all
    /// coordinators; tests and operators are told without it.
    public var warnsOfZombies = false

    /// The settings of a phone that speaks English, in UTC.
    public init() {}
}

extension UIKitSettings {
    /// The same, with what a client has said of itself.
    ///
    /// A client with the name of one of Apple's systems or devices is on that, `ios` on any; one of another name says
    /// nothing of it.
    func adapted(to client: Client) -> UIKitSettings {
        var settings = self
        if let locale = client.locale { settings.region.locale = Locale(identifier: locale) }
        if let timeZone = client.timeZone.flatMap({ TimeZone(identifier: $0) }) { settings.region.timeZone = timeZone }
        if let system = client.name.flatMap({ Self.systems[$0.lowercased()] }) {
            if let idiom = system.idiom { settings.idiom = idiom }
            settings.systemName = system.name
        }
        return settings
    }

    private static let systems: [String: (idiom: UIUserInterfaceIdiom?, name: String)] = [
        "ios": (nil, "iOS"), "iphone": (.phone, "iOS"), "ipados": (.pad, "iPadOS"), "ipad": (.pad, "iPadOS"),
        "macos": (.mac, "macOS"), "mac": (.mac, "macOS"), "tvos": (.tv, "tvOS"), "visionos": (.vision, "visionOS"),
    ]
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

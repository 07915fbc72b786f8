public import Usher

/// A session's phone: everything that is global on a phone, its windows, and the queue of its main thread.
///
/// Code of the app runs inside `enter(_:)`, during which the session is `current`. At the end of the outermost call,
/// the session runs the waiting work, and updates the engine with the controllers' changes.
@MainActor @preconcurrency
public final class UIKitSession {
    /// The session whose input this thread is handling; nil if there is none.
    ///
    /// The value is also nil on a thread to which one of Swift's own tasks has moved, because that thread must not
    /// access the session.
    public nonisolated static var current: UIKitSession? {
        guard let session = CurrentSession.value, session.queue.thread.isCurrent else { return nil }
        return session
    }

    /// The session that the running code belongs to, on any thread.
    nonisolated static var ofCode: UIKitSession? { CurrentSession.value }

    /// The application, with its windows.
    public let application: UIApplication
    // Exclusivity is unchecked in this class, because no access runs code of the app.
    /// The device.
    @safe @exclusivity(unchecked) public private(set) var device: UIDevice
    /// The client that opened the session, as the client described itself.
    public private(set) var client = Client()
    private nonisolated let globals: SessionGlobals

    let screens = WindowReconciler()
    @safe @exclusivity(unchecked) var moves = ControllerMoves()
    let appearance = AppearanceTracker()
    nonisolated let queue: MainQueue
    nonisolated let timers = SessionTimers()
    nonisolated let mainThread: MainThreadExecutor
    private lazy var executor = SessionExecutor(queue)
    private(set) lazy var ownTree = OwnTreeWatch()
    /// The open transactions, the innermost last.
    var transactions: [CATransaction.Open] = []
    private let warnsOfZombies: Bool
    @safe @exclusivity(unchecked) private var depth = 0
    @safe @exclusivity(unchecked) private var needsReconciling = false
    /// Set to nil by `close()`, before the coordinator is released.
    @safe @exclusivity(unchecked) private unowned(unsafe) var coordinator: UIKitCoordinator?

    /// The maximum number of updates in one input, because each update may cause the app to change its screens again.
    private static let changeLimit = 64
    /// The maximum number of rounds of waiting work in one input, because work may add more work.
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

    /// The session's defaults, which are empty at first.
    public nonisolated var defaults: UserDefaults { globals.defaults }

    nonisolated var suites: DefaultsSuites { globals.suites }

    /// The session's notification centre.
    public nonisolated var notificationCenter: NotificationCenter { globals.notificationCenter }

    /// Returns the session's own object of a type; use the object where the app uses a singleton on a phone.
    ///
    /// A session has one object of each type, which the first call creates, and which the session keeps until it ends.
    ///
    /// ```swift
    /// extension Container {
    ///     static var current: Container { UIKitSession.current?.value(Container.self) { Container() } ?? Container() }
    /// }
    /// ```
    public nonisolated func value<Value>(_ type: Value.Type, _ make: () -> Value) -> Value {
        globals.value(type, make)
    }

    /// The objects that `value(_:_:)` has created.
    nonisolated var ownValues: [Any] { globals.ownValues }

    /// The root coordinator, for effects and timers that are independent of screens.
    ///
    /// The coordinator's `changed(_:)` returns whether the build that opened the session knew a change.
    public var root: UIKitCoordinator? { coordinator }

    /// Runs code of the app on the session's main thread, then runs waiting work and updates the engine.
    ///
    /// The session calls this method for each input. Call this method in an effect's closure that calls the app's code.
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

    /// Enters the session for an input of the user, which the key window receives before the code runs.
    func handleTouch(_ body: () throws -> Void) throws {
        try enter {
            application.sendTouch(in: self)
            try body()
        }
    }

    /// Runs code in the session, without running waiting work or updating the engine.
    nonisolated func onThisThread(_ body: () throws -> Void) rethrows {
        let former = queue.thread.enter()
        defer { queue.thread.leave(to: former) }
        try CurrentSession.$value.withValue(self, operation: body)
    }

    /// Runs code at the end of the current input, after work that was enqueued before.
    public func enqueue(_ work: @escaping () throws -> Void) {
        queue.add(work)
    }

    /// Runs a completion at the end of the current input; immediately if there is no session.
    package static func complete(_ completion: (() -> Void)?) {
        guard let completion else { return }
        guard let session = current else { return completion() }
        session.enqueue(completion)
    }

    /// Warns the client about a misuse, in the state's `warnings`.
    ///
    /// If UIKit has a message for the misuse, pass UIKit's words.
    public func warn(_ message: String) {
        root?.warn(message)
    }

    /// Schedules an update of the engine with the controllers' changes, at the end of the current input.
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

    /// Ends the app's work and releases the app's objects, while these objects can still access the session.
    ///
    /// The delegates are released last, because on a phone they exist to the end. Code that still runs can no longer
    /// reach the client.
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

    func end(_ task: RunningTask) {
        onThisThread { queue.end(task) }
    }

    func followUser() throws {
        guard !screens.isReconciling, screens.isBehindUser else { return }
        try handleTouch { try screens.followUser(in: self) }
    }

    private func settle() throws {
        var (changes, rounds) = (0, 0)
        while true {
            if isBehindApp {
                needsReconciling = false
                application.forgetReleasedWindows()
                changes += 1
                guard changes <= Self.changeLimit else {
                    throw Refusal("the app never stops changing its screens: \(changes) changes in one input")
                }
                reconcile()
            }
            guard !queue.isEmpty || isBehindApp else {
                for warning in try queue.checkTasks() { warn(warning) }
                application.warnOfTakenTaps(in: self)
                return screens.refresh()
            }
            rounds += 1
            guard rounds <= Self.roundLimit else { throw TaskMisuse.endlessQueue(after: rounds) }
            try queue.runRound()
        }
    }

    /// A Boolean value that indicates whether the engine must be updated with the controllers' changes.
    var isBehindApp: Bool { needsReconciling || application.hasReleasedWindow }

    /// Begins a task, which `make` creates on an executor.
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
        appearance.show(in: self)
    }
}

/// Replaces a value and returns the former value, so that the caller can release the former value later.
///
/// Releasing an object of the app runs the app's code, which may read the value.
func take<Value>(_ value: inout Value, leaving rest: Value) -> Value {
    var taken = rest
    swap(&taken, &value)
    return taken
}

private enum CurrentSession {
    @TaskLocal
    static var value: UIKitSession?
}

/// The globals of a session, created on first use.
// Unchecked because only code that handles the session's input uses it, while the session's lock is held.
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

    /// Releases the app's values at the end of the session, because the values may keep this object alive.
    func forgetAll() {
        suites.forgetAll()
        _ = take(&values, leaving: [])
    }
}

/// An app's settings for the phones of its sessions; a client's description of itself overrides some settings.
///
/// The client's name determines the device and the system if the name is `iphone`, `ipad`, `ipados`, `mac`, `macos`,
/// `tvos`, `visionos` or `ios`.
public struct UIKitSettings: Sendable {
    /// The language and time zone.
    public var region = SessionRegion()
    /// The name of the device.
    public var deviceName = "iPhone"
    /// The kind of device.
    public var idiom = UIUserInterfaceIdiom.phone
    /// The version of the operating system.
    public var systemVersion = "18.0"

    var systemName = "iOS"

    /// A Boolean value that indicates whether the answer to an input warns of a new zombie.
    ///
    /// A zombie is one of the app's own coordinators that is kept in memory and shows nothing. If the value is `true`,
    /// the module searches all coordinators after each input. Tests and operators find zombies without this setting.
    public var warnsOfZombies = false

    /// Creates the settings of a phone with English and UTC.
    public init() {}
}

extension UIKitSettings {
    /// Returns the settings with the values that a client has sent.
    ///
    /// A client's name such as `ipad` or `macos` determines the kind of device and its operating system. The name `ios`
    /// determines only the system. Other names have no effect.
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
    /// The language and region.
    public var locale = Locale(identifier: "en")
    /// The time zone.
    public var timeZone = TimeZone.gmt

    /// Creates the region with English and UTC.
    public init() {}
}

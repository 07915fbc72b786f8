import Usher

/// An app whose root starts over after each cycle.
enum CycleApp: App {
    struct Options: Codable, Sendable {
        var cycle = 0
        var password: Secret<String>?
    }

    static var options: Options { Options() }

    static func root(_ options: Options) -> sending AnyCoordinator { CycleCoordinator(options) }
}

/// The same app under another name.
enum RenamedCycleApp: App {
    static let name = "round"
    static let formerNames = ["cycle"]
    static var options: CycleApp.Options { CycleApp.Options() }
    static func root(_ options: CycleApp.Options) -> sending AnyCoordinator { CycleCoordinator(options) }
}

struct CycleScreen: Screen {
    enum Event: String, Codable, CaseIterable {
        case count, roll, child, leak, wait, again, finish
    }

    var cycle: Int
    var count = 0
}

final class CycleCoordinator: Coordinator<Int>, FlowHost, MessageReceiver {
    enum Flow: String, Codable, CaseIterable {
        /// A place that the third cycle has.
        case third
    }

    static let messageExamples = ["again"]

    private let options: CycleApp.Options
    private var screen: Handle<CycleScreen>?

    init(_ options: CycleApp.Options) {
        self.options = options
    }

    override func start() {
        screen = push(CycleScreen(cycle: options.cycle)) { me, event in try me.handle(event) }
        // Each cycle has a timer of its own.
        after(.seconds(3_600)) { me in me.screen?.update { $0.count += 1_000 } }
    }

    func open(_ flow: Flow) throws -> (any FlowHost)? {
        guard options.cycle >= 3 else { throw Later() }
        push(CycleScreen(cycle: 33)) { me, event in try me.handle(event) }
        return nil
    }

    func receive(_ message: String) throws { try again() }

    private func again() throws {
        var next = options
        next.cycle += 1
        try startOver(with: next)
    }

    private func handle(_ event: CycleScreen.Event) throws {
        switch event {
        case .count: screen?.update { $0.count += 1 }
        case .roll: screen?.update { $0.count = Int.random(in: 1...1_000_000, using: &random) }
        case .child, .leak:
            let child = CycleChildCoordinator { [weak self] event in try self?.handle(event) }
            if event == .leak { child.itself = child }
            start(child)
        case .wait: after(.seconds(60)) { me in me.screen?.update { $0.count += 100 } }
        case .again: try again()
        case .finish: finish(options.cycle)
        }
    }
}

/// A child whose events its parent handles.
final class CycleChildCoordinator: Coordinator<Never> {
    /// Set for one that stays in memory.
    var itself: CycleChildCoordinator?
    private let handle: (CycleScreen.Event) throws -> Void

    init(_ handle: @escaping (CycleScreen.Event) throws -> Void) {
        self.handle = handle
    }

    override func start() {
        push(CycleScreen(cycle: -1)) { me, event in try me.handle(event) }
    }
}

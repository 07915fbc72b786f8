import Usher

/// An app whose screens note what happened, with an event for each way that a handler can fail.
enum LedgerApp: App {
    struct Options: Codable, Sendable {
        var owner = "nobody"
        var closed = false
    }

    static var options: Options { Options() }

    static func root(_ options: Options) throws -> sending AnyCoordinator {
        guard !options.closed else { throw Refusal("the ledger is closed") }
        return LedgerCoordinator(owner: options.owner)
    }
}

struct LedgerScreen: Screen {
    enum Event: Codable {
        case add(String)
        case roll, refuse, fail, finish, leak
    }
    static let examples: [Event] = [.add("tea"), .roll, .refuse, .fail, .finish, .leak]

    var owner: String
    var lines: [String] = []
}

final class LedgerCoordinator: Coordinator<[String]> {
    private let owner: String
    private var lines: [String] = []
    private var screen: Handle<LedgerScreen>?

    init(owner: String) {
        self.owner = owner
    }

    override func start() {
        screen = push(LedgerScreen(owner: owner)) { me, event in try me.handle(event) }
    }

    private func handle(_ event: LedgerScreen.Event) throws {
        switch event {
        case .add(let line): write("\(line) at \(now.milliseconds)")
        case .roll: write("rolled \(Int.random(in: 1...1_000_000, using: &random))")
        case .refuse:
            spoil()
            throw Refusal("nothing can be refused twice")
        case .fail:
            spoil()
            throw Failure()
        case .finish: finish(lines)
        case .leak:
            let child = LeakyCoordinator()
            child.itself = child
            start(child)
            child.cancel()
        }
    }

    /// Does half of something, all of which must be undone.
    private func spoil() {
        write("spoiled")
        start(LeakyCoordinator())
        push(LedgerScreen(owner: "spoiled")) { _, _ in }
    }

    private func write(_ line: String) {
        lines.append(line)
        screen?.update { $0.lines = lines }
    }

    private struct Failure: Error {}
}

final class LeakyCoordinator: Coordinator<Never> {
    var itself: LeakyCoordinator?
}

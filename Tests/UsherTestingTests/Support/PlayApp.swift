import Synchronization
import Usher

/// An app with a button for each mistake that a test should detect.
enum PlayApp: App {
    struct Options: Codable, Sendable {
        var note = ""
        var closed = false
    }

    static var options: Options { Options() }

    static func root(_ options: Options) throws -> sending AnyCoordinator {
        guard !options.closed else { throw Refusal("closed") }
        return PlayCoordinator(note: options.note)
    }
}

struct PlayScreen: Screen {
    enum Event: Codable, Equatable {
        case push, refuse, fail, roll, tick, global, secret, leak, hoard, misuse, tabs, end
        case note(text: String)
    }
    /// All events except `secret`.
    static let examples: [Event] = [
        .push, .refuse, .fail, .roll, .tick, .global, .leak, .hoard, .misuse, .tabs, .end, .note(text: "tea"),
    ]

    var note = ""
}

struct OtherScreen: Screen {
    enum Event: Codable, CaseIterable { case close }
}

final class PlayCoordinator: Coordinator<String>, FlowHost {
    enum Flow: Codable, CaseIterable { case other }
    enum Tab: String, CaseIterable { case left, right }

    private let note: String
    private var screen: Handle<PlayScreen>?

    /// A global that a coordinator must not read.
    static let global = Atomic(0)

    init(note: String) {
        self.note = note
    }

    override func start() {
        screen = push(PlayScreen(note: note)) { me, event in try me.handle(event) }
    }

    func open(_ flow: Flow) -> (any FlowHost)? {
        start(OtherCoordinator())
        return nil
    }

    private func handle(_ event: PlayScreen.Event) throws {
        switch event {
        case .push: start(OtherCoordinator())
        case .refuse:
            start(OtherCoordinator())
            throw Refusal("not today")
        case .fail: throw Failure()
        case .roll: show("\(Int.random(in: 1...1_000_000, using: &random))")
        case .tick: show("\(now.milliseconds)")
        case .global: show("\(Self.global.add(1, ordering: .relaxed).newValue)")
        case .secret: show("secret")
        case .leak: leak(into: OtherCoordinator())
        case .hoard: leak(into: nil)
        case .misuse: dismiss()
        case .tabs: tabs(Tab.self, selected: .left) { _, _ in OtherCoordinator() }
        case .end: finish("paid")
        case .note(let text): show(text)
        }
    }

    private func show(_ text: String) {
        screen?.update { $0.note = text }
    }

    /// Ends a child that retains itself, or starts a child that retains itself until the session's end.
    private func leak(into child: OtherCoordinator?) {
        let held = child ?? OtherCoordinator()
        held.itself = held
        start(held)
        if child != nil { held.cancel() }
    }

    private struct Failure: Error {}
}

final class OtherCoordinator: Coordinator<Void> {
    var itself: OtherCoordinator?

    override func start() {
        push(OtherScreen()) { me, _ in me.finish() }
    }
}

import Usher

/// An app for exports, with two screens, and an effect, a timer and a message between them.
enum LadderApp: App {
    /// Whether the edge from the bottom to the top is missing.
    @TaskLocal static var lacksClimb = false

    static var screens: [any Screen.Type] { [BottomScreen.self, TopScreen.self] }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { LadderCoordinator() }
}

struct BottomScreen: Screen {
    enum Event: Codable, CaseIterable { case climb, rest, wait }
}

struct TopScreen: Screen {
    enum Event: Codable, CaseIterable { case descend }
}

struct Breather: Effect {
    static let failures = ["tired"]

    func run(_ context: EffectContext<NoServices>) async throws -> NoOutput { NoOutput() }
}

final class LadderCoordinator: Coordinator<Never> {
    override func start() {
        push(BottomScreen()) { me, event in
            switch event {
            case .climb: if !LadderApp.lacksClimb { me.climb() }
            case .rest: me.rest()
            case .wait: me.after(.seconds(1)) { me in me.climb() }
            }
        }
    }

    private func climb() {
        popToRoot()
        push(TopScreen()) { me, _ in me.pop() }
    }

    private func rest() {
        perform(Breather()) { me, result in
            if case .success = result { me.climb() }
        }
    }
}

extension LadderCoordinator: MessageReceiver {
    enum Message: String, Codable, CaseIterable { case storm }

    func receive(_ message: Message) { popToRoot() }
}

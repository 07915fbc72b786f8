import Synchronization
import Usher

/// An app that sends others on errands, which come back when a test lets them.
enum ErrandApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator { ErrandCoordinator() }
    static func services() -> Courier { Courier.shared.withLock { $0 } }
}

/// Who runs the errands: held up by their names until a test lets them go.
final class Courier: Sendable {
    static let shared = Mutex(Courier())

    private struct State {
        var waiting: [(name: String, go: CheckedContinuation<String, Never>)] = []
        var ids: [String] = []
        var isFast = true
    }

    private let state = Mutex(State())

    /// The names under which errands ran, each once a run.
    var ids: [String] { state.withLock { $0.ids } }
    /// The names of those that are under way.
    var waiting: [String] { state.withLock { $0.waiting.map(\.name) } }

    /// From now on errands wait for `release`.
    func hold() {
        state.withLock { $0.isFast = false }
    }

    /// Lets all go that are under way.
    func release(_ answer: String = "done") {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for errand in waiting { errand.go.resume(returning: answer) }
    }

    func run(_ name: String, _ id: String) async throws -> String {
        let answer: String = await withCheckedContinuation { go in
            let isHeld = state.withLock { state in
                // Do both under one lock, because a test that sees the id may release the errand at once.
                state.ids.append(id)
                let isHeld = !state.isFast && name != "fail"
                if isHeld { state.waiting.append((name, go)) }
                return isHeld
            }
            if !isHeld { go.resume(returning: "\(name) done") }
        }
        if name == "fail" { throw EffectFailure(code: "closed", message: "the shop is closed") }
        return answer
    }
}

struct Errand: Effect {
    let name: String

    func run(_ context: EffectContext<Courier>) async throws -> String {
        try await context.services.run(name, context.id)
    }
}

struct ErrandScreen: Screen {
    enum Event: Codable {
        case run(String), chain, wait(Int), sheet, stray, look, refuse, finish
    }
    static let examples: [Event] = [.run("tea"), .chain, .wait(5), .sheet, .stray, .look, .refuse, .finish]

    var log: [String] = []
}

final class ErrandCoordinator: Coordinator<String> {
    private var screen: Handle<ErrandScreen>?

    override func start() {
        screen = push(ErrandScreen()) { me, event in
            switch event {
            case .run(let name): me.run(name)
            case .chain: me.perform(Errand(name: "first")) { me, _ in me.run("second") }
            case .wait(let time): me.after(.milliseconds(time)) { me in me.write("waited \(time)") }
            case .sheet: me.present(SheetErrandCoordinator(), as: .sheet) { _, _ in }
            case .stray:
                me.start(StrayErrandCoordinator()) { _, _ in throw Refusal("not that either") }
                me.popToRoot()
            case .look: break
            case .refuse: me.perform(Errand(name: "spoil")) { _, _ in throw Refusal("not this") }
            case .finish: me.perform(Errand(name: "last")) { me, result in me.finish((try? result.get()) ?? "") }
            }
        }
    }

    private func run(_ name: String) {
        perform(Errand(name: name)) { me, result in
            switch result {
            case .success(let answer): me.write(answer)
            case .failure(let failure): me.write("\(failure.code): \(failure.message)")
            }
        }
    }

    private func write(_ line: String) {
        screen?.update { $0.log.append(line) }
    }
}

final class SheetErrandCoordinator: Coordinator<Void> {
    override func start() {
        push(ErrandScreen()) { me, _ in
            me.perform(Errand(name: "sheet")) { me, _ in me.finish(()) }
        }
    }
}

/// It lives on its errand alone once its screen has gone.
final class StrayErrandCoordinator: Coordinator<Void> {
    override func start() {
        push(ErrandScreen()) { _, _ in }
        perform(Errand(name: "stray")) { _, _ in throw Refusal("not this") }
    }
}

extension ErrandCoordinator: MessageReceiver {
    struct Message: Codable, Sendable {
        var text: String
    }

    func receive(_ message: Message) {
        write(message.text)
    }
}

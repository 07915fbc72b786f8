import Usher

/// An app with a button for each way in which an effect or a timer can end.
enum LoadApp: App {
    static func services() throws -> LoadServices { LoadServices { "from the app's own services" } }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { LoadCoordinator() }
}

/// The services of the effects of `LoadApp`.
struct LoadServices: Sendable {
    var load: @Sendable () async throws -> String
}

struct Load: Effect {
    func run(_ context: EffectContext<LoadServices>) async throws -> String {
        try await context.services.load()
    }
}

struct LoadScreen: Screen {
    enum Event: Codable, CaseIterable { case load, both, chain, endless, careless, wait, tick }

    var note = ""
}

final class LoadCoordinator: Coordinator<Never>, MessageReceiver {
    struct Message: Codable { var text: String }

    private var screen: Handle<LoadScreen>?

    override func start() {
        screen = push(LoadScreen()) { me, event in
            switch event {
            case .load: me.load()
            case .both: me.loadTwice()
            case .chain: me.perform(Load()) { me, _ in me.load() }
            case .endless: me.loadForEver()
            case .careless: me.perform(Load()) { _, _ in throw Refusal("no more") }
            case .wait: me.wait()
            case .tick: me.tick()
            }
        }
    }

    func receive(_ message: Message) throws {
        if message.text.isEmpty { throw Refusal("nothing to tell") }
        show(message.text)
    }

    override func didResume(dropped: Dropped) throws {
        if dropped == Dropped() { throw Refusal("nothing was lost") }
        show("lost \(dropped.results.joined())")
    }

    private func load() {
        perform(Load()) { me, result in
            switch result {
            case .success(let text): me.show(text)
            case .failure(let failure): me.show(failure.code)
            }
        }
    }

    /// The first result cancels the other effect.
    private func loadTwice() {
        start(Loading()) { me, outcome in me.show("\(outcome)") }
    }

    private func loadForEver() {
        perform(Load()) { me, _ in me.loadForEver() }
    }

    private func wait() {
        after(.seconds(3)) { $0.add("three at \($0.now.milliseconds)") }
        after(.seconds(1)) { me in
            me.add("one at \(me.now.milliseconds)")
            me.after(.seconds(1)) { $0.add("two at \($0.now.milliseconds)") }
        }
        after(.seconds(1)) { $0.add("another") }
    }

    private func tick() {
        after(.zero) { $0.tick() }
    }

    private func add(_ text: String) {
        screen?.update { $0.note += "\(text);" }
    }

    private func show(_ text: String) {
        screen?.update { $0.note = text }
    }
}

private final class Loading: Coordinator<String> {
    override func start() {
        for _ in 1...2 { perform(Load()) { me, result in me.finish(try result.get()) } }
    }
}

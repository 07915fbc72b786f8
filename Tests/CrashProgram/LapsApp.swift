import Usher

/// Counts laps and steps; after any number of laps its root starts over, and carries the numbers along.
enum LapsApp: App {
    /// The numbers that remain.
    struct Options: Codable, Sendable {
        var beginnings = 0
        var laps = 0
        var steps = 0
    }

    static var options: Options { Options() }

    static func root(_ options: Options) -> sending AnyCoordinator { LapsCoordinator(options) }
}

/// The numbers so far.
struct LapsScreen: Screen {
    enum Event: Codable {
        case step(count: Int), lap, ask, over, askAndOver
    }

    static let examples: [Event] = [.step(count: 3), .lap, .ask, .over, .askAndOver]

    var beginnings: Int
    var laps: Int
    var steps: Int
}

/// A lap that is being run.
struct LapScreen: Screen {
    enum Event: String, Codable, CaseIterable { case done, another, doneAndOver }

    var number: Int
}

/// Asks for a step.
struct StepEffect: Effect {
    func run(_ context: EffectContext<NoServices>) async throws -> Int { 1 }
}

final class LapsCoordinator: Coordinator<Never> {
    private var options: LapsApp.Options
    private var screen: Handle<LapsScreen>?

    init(_ options: LapsApp.Options) {
        self.options = options
    }

    override func start() {
        screen = push(LapsScreen(beginnings: options.beginnings, laps: options.laps, steps: options.steps)) {
            me, event in
            switch event {
            case .step(let count): me.step(count)
            case .lap: me.run()
            case .ask: me.perform(StepEffect()) { me, count in try me.step(count.get()) }
            case .over: try me.over()
            case .askAndOver:
                me.perform(StepEffect()) { me, count in
                    try me.step(count.get())
                    try me.over()
                }
            }
        }
    }

    private func run() {
        start(LapCoordinator(number: options.laps + 1)) { me, outcome in
            guard case .finished(let isLast) = outcome else { return }
            me.options.laps += 1
            me.show()
            if isLast { try me.over() }
        }
    }

    private func over() throws {
        options.beginnings += 1
        try startOver(with: options)
    }

    private func step(_ count: Int) {
        options.steps += count
        show()
    }

    private func show() {
        screen?.update {
            ($0.beginnings, $0.laps, $0.steps) = (options.beginnings, options.laps, options.steps)
        }
    }
}

/// One lap, whose output tells whether it is the last before a new beginning.
final class LapCoordinator: Coordinator<Bool> {
    private let number: Int

    init(number: Int) {
        self.number = number
    }

    override func start() {
        push(LapScreen(number: number)) { me, event in
            switch event {
            case .done: me.finish(false)
            case .another: me.push(LapScreen(number: me.number)) { me, event in me.finish(event == .doneAndOver) }
            case .doneAndOver: me.finish(true)
            }
        }
    }
}

import Usher

/// The app of a simulation: a log, to which everything that happens adds its number, once.
enum LogApp: App {
    static let name = "log"

    static func services() -> Backend { Backend.current }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { LogCoordinator() }
}

/// The numbers so far.
struct LogScreen: Screen {
    var numbers: [Int] = []

    enum Event: Codable {
        case add(number: Int), ask(number: Int), wait(number: Int), open(number: Int), refuse(number: Int)
        /// At once, at the result of an effect, at a timer.
        case trap(number: Int), askAndTrap(number: Int), waitAndTrap(number: Int)
        case finish
    }

    static let examples: [Event] = [
        .add(number: 1), .ask(number: 1), .wait(number: 1), .open(number: 1), .refuse(number: 1), .trap(number: 1),
        .askAndTrap(number: 1), .waitAndTrap(number: 1), .finish,
    ]
}

/// A flow on top of the log.
struct NoteScreen: Screen {
    enum Event: Codable { case keep(number: Int), drop }

    static let examples: [Event] = [.keep(number: 1), .drop]
}

/// The numbers' offsets, by which it is known what has added one.
enum Offset {
    static let result = 1_000_000
    static let timer = 2_000_000
    static let flow = 3_000_000
}

final class LogCoordinator: Coordinator<Int> {
    private var log = Handle<LogScreen>()

    override func start() {
        log = push(LogScreen()) { me, event in
            switch event {
            case .add(let number): me.add(number)
            case .ask(let number): me.ask(number) { $0.add($1) }
            case .wait(let number): me.wait(number) { $0.add($1) }
            case .open(let number): me.open(number)
            case .refuse(let number):
                // What it does first must be undone.
                me.add(number)
                throw Refusal("no \(number)")
            case .trap(let number):
                me.add(number)
                try Backend.current.trap()
            case .askAndTrap(let number): me.ask(number) { _, _ in try Backend.current.trap() }
            case .waitAndTrap(let number): me.wait(number) { _, _ in try Backend.current.trap() }
            case .finish: me.finish(me.log.screen?.numbers.count ?? 0)
            }
        }
    }

    private func add(_ number: Int) {
        log.update { $0.numbers.append(number) }
    }

    private func ask(_ number: Int, then: @escaping (LogCoordinator, Int) throws -> Void) {
        add(number)
        perform(Ask(number: number)) { me, result in
            guard case .success(let answer) = result else { return me.add(-number) }
            try then(me, answer.number + Offset.result)
            if Backend.current.bug == .doubledEffect { me.add(answer.number + Offset.result) }
        }
    }

    private func wait(_ number: Int, then: @escaping (LogCoordinator, Int) throws -> Void) {
        add(number)
        after(.seconds(1)) { me in try then(me, number + Offset.timer) }
    }

    private func open(_ number: Int) {
        add(number)
        start(NoteCoordinator()) { me, outcome in
            if case .finished(let kept) = outcome { me.add(kept + Offset.flow) }
        }
    }
}

final class NoteCoordinator: Coordinator<Int> {
    override func start() {
        push(NoteScreen()) { me, event in
            switch event {
            case .keep(let number): me.finish(number)
            case .drop: me.cancel()
            }
        }
    }
}

/// Asks the backend for a number's answer, which takes time.
struct Ask: Effect {
    struct Answer: Codable, Sendable { let number: Int }

    let number: Int

    func run(_ context: EffectContext<Backend>) async throws -> Answer {
        try await context.services.answer(number)
    }
}

/// The world outside of the app: the backend that effects ask, and the process that a trap ends.
final class Backend: @unchecked Sendable {  // because all runs on the scheduler's one thread
    /// That of the simulation that runs.
    static let current = Backend()

    var clock: SimulatedClock?
    var bug: PlantedBug?
    /// Ends the process that runs this code.
    var endProcess: () -> Void = {}

    func answer(_ number: Int) async throws -> Ask.Answer {
        try await clock?.rest(upTo: 3_000)
        return Ask.Answer(number: number)
    }

    /// Traps, in a trial or in the server; what is left of either does nothing any more.
    func trap() throws {
        if let witness = TrapWitness.current { witness.hasTrapped = true } else { endProcess() }
        throw Refusal("the process is dead")
    }
}

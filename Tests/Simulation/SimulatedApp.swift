import Usher

/// The screen of the log, with the numbers so far.
struct LogScreen: Screen {
    var numbers: [Int] = []
    /// A color, which only one build has.
    var color: String?

    enum Event: Codable {
        case add(number: Int), ask(number: Int), wait(number: Int), open(number: Int), refuse(number: Int)
        /// Traps at once, when an effect ends, or when a timer fires.
        case trap(number: Int), askAndTrap(number: Int), waitAndTrap(number: Int)
        /// Starts over with another root, which keeps the numbers.
        case startOver(number: Int)
        case finish
    }

    static let examples: [Event] = [
        .add(number: 1), .ask(number: 1), .wait(number: 1), .open(number: 1), .refuse(number: 1), .trap(number: 1),
        .askAndTrap(number: 1), .waitAndTrap(number: 1), .startOver(number: 1), .finish,
    ]
}

/// A note on top of the log, opened by the event with a number.
struct NoteScreen: Screen {
    enum Event: Codable { case keep(number: Int), drop }

    static let examples: [Event] = [.keep(number: 1), .drop]
    static let formerNames = ["leaf"]
    let opened: Int
}

/// A note under another name.
struct LeafScreen: Screen {
    typealias Event = NoteScreen.Event

    static let examples = NoteScreen.examples
    static let formerNames = ["note"]
    let opened: Int
}

/// A note under a name that no other build knows.
struct MemoScreen: Screen {
    typealias Event = NoteScreen.Event

    static let examples = NoteScreen.examples
    let opened: Int
}

/// A note with another name for an event.
struct StrictNoteScreen: Screen {
    enum Event: Codable { case save(number: Int), drop }

    static let examples: [Event] = [.save(number: 1), .drop]
    static let name = "note"
    static let formerNames = ["leaf"]
    let opened: Int
}

/// A screen that comes before a note in one build.
struct ForewordScreen: Screen {
    enum Event: Codable { case keep(number: Int) }

    static let examples: [Event] = [.keep(number: 1)]
    let opened: Int
}

/// Tells the user that the build has gone back.
struct ApologyScreen: Screen {
    enum Event: Codable { case keep(number: Int) }

    static let examples: [Event] = [.keep(number: 1)]
}

/// The same in other builds.
struct NoticeScreen: Screen {
    typealias Event = ApologyScreen.Event

    static let examples = ApologyScreen.examples
}

/// The offsets of numbers, which show what has added a number.
enum Offset {
    static let result = 1_000_000
    static let timer = 2_000_000
    static let flow = 3_000_000

    /// Returns the number of the event whose effect has added a number; nil if no effect has.
    static func effect(of number: Int) -> Int? {
        if number < 0 { return -number }
        return number > result && number < timer ? number - result : nil
    }
}

class LogCoordinator: Coordinator<Int> {
    private let change: SimulatedChange
    private let options: LogOptions
    private var log = Handle<LogScreen>()

    init(_ change: SimulatedChange, _ options: LogOptions) { (self.change, self.options) = (change, options) }

    override func start() {
        if change == .effectAtStart {
            var random = random
            greet(Int.random(in: 0...Int.max, using: &random))
        }
        if change == .timerAtStart { after(.seconds(2)) { _ in } }
        if change == .hiddenChild { start(HiddenCoordinator()) }
        let screen = LogScreen(numbers: options.numbers, color: change == .stateGrows ? "red" : nil)
        log = push(screen) { me, event in
            switch event {
            case .add(let number): me.add(number)
            case .ask(let number): me.ask(number) { $0.add($1) }
            case .wait(let number): me.wait(number) { $0.add($1) }
            case .open(let number): me.open(number)
            case .refuse(let number):
                // The number must be removed again, because the event is rejected.
                me.add(number)
                throw Refusal("no \(number)")
            case .trap(let number):
                me.add(number)
                try Backend.current.trap()
            case .askAndTrap(let number): me.ask(number) { _, _ in try Backend.current.trap() }
            case .waitAndTrap(let number): me.wait(number) { _, _ in try Backend.current.trap() }
            case .startOver(let number):
                try me.startOver(with: LogOptions(numbers: (me.log.screen?.numbers ?? []) + [number]))
            case .finish: me.finish(me.log.screen?.numbers.count ?? 0)
            }
        }
    }

    override func didResume(dropped: Dropped) {
        switch change.rawValue % 3 {
        case 0: push(ApologyScreen()) { me, _ in me.pop() }
        case 1: push(NoticeScreen()) { me, _ in me.pop() }
        default: break
        }
    }

    /// Returns a Boolean value indicating whether this is a later build with a planted bug.
    private func has(_ bug: PlantedBug) -> Bool { change != .none && Backend.current.bug == bug }

    private func add(_ number: Int) {
        log.update { $0.numbers.append(number) }
    }

    private func greet(_ number: Int) { perform(Greet(number: number)) { _, _ in } }

    private func ask(_ number: Int, then: @escaping (LogCoordinator, Int) throws -> Void) {
        add(number)
        switch change {
        case .effectBeforeAnother:
            greet(number)
            perform(Ask(number: number), then: then)
        case .effectRenamed: perform(Query(number: number), then: then)
        case .effectRenamedSilently: perform(Question(number: number), then: then)
        case .outputChanged: perform(SignedAsk(number: number), then: then)
        default: perform(Ask(number: number), then: then)
        }
    }

    private func perform<E: Asking>(_ effect: E, then: @escaping (LogCoordinator, Int) throws -> Void) {
        let number = effect.number
        perform(effect) { me, result in
            guard case .success(let answer) = result else { return me.add(-number) }
            try then(me, answer.number + Offset.result)
            if Backend.current.bug == .doubledEffect { me.add(answer.number + Offset.result) }
            if me.has(.repeatedEffect) {
                Task.detached { _ = try await Backend.current.answer(number, under: "again") }
            }
        }
    }

    private func wait(_ number: Int, then: @escaping (LogCoordinator, Int) throws -> Void) {
        add(number)
        if change == .timerBeforeAnother { after(.seconds(2)) { _ in } }
        after(.seconds(change == .longerTimer ? 3 : 1)) { me in
            try then(me, number + Offset.timer)
            if me.has(.doubledTimer) { try then(me, number + Offset.timer) }
        }
    }

    private func open(_ number: Int) {
        add(number)
        if change == .passingScreen {
            push(ForewordScreen(opened: number)) { _, _ in }
            pop()
        }
        let shown = has(.otherScreen) ? number + 1 : number
        let note = change == .coordinatorSplit ? NotesCoordinator(change, shown) : NoteCoordinator(change, shown)
        start(note) { me, outcome in
            if case .finished(let kept) = outcome { me.add(kept + Offset.flow) }
        }
    }
}

final class JournalCoordinator: LogCoordinator {}

final class HiddenCoordinator: Coordinator<Never> {}

class NoteCoordinator: Coordinator<Int> {
    fileprivate let change: SimulatedChange
    fileprivate let number: Int

    init(_ change: SimulatedChange, _ number: Int) {
        self.change = change
        self.number = number
    }

    override func start() {
        guard change == .screenInMidway else { return showNote() }
        push(ForewordScreen(opened: number)) { me, _ in me.showNote() }
    }

    private func showNote() {
        func handle(_ me: NoteCoordinator, _ event: NoteScreen.Event) {
            switch event {
            case .keep(let number): me.finish(number)
            case .drop: me.cancel()
            }
        }
        switch change {
        case .screenRenamed: push(LeafScreen(opened: number), handle)
        case .screenRenamedSilently: push(MemoScreen(opened: number), handle)
        case .eventRenamed:
            push(StrictNoteScreen(opened: number)) { me, event in
                switch event {
                case .save(let number): me.finish(number)
                case .drop: me.cancel()
                }
            }
        default: push(NoteScreen(opened: number), handle)
        }
    }
}

/// Shows a note by another coordinator.
final class NotesCoordinator: NoteCoordinator {
    override func start() {
        start(NoteCoordinator(change, number)) { me, outcome in
            if case .finished(let number) = outcome { me.finish(number) } else { me.cancel() }
        }
    }
}

/// An effect, under any name, that asks the backend for a number's answer, which takes time.
protocol Asking: Effect, Codable where Services == Backend, Output: Answering {
    var number: Int { get }
}

protocol Answering { var number: Int { get } }

struct Answer: Codable, Sendable, Answering {
    let number: Int
    /// A signature, which only one build has, and requires.
    var signature: String?
}

struct Ask: Asking {
    static let formerNames = ["query"]
    let number: Int

    func run(_ context: EffectContext<Backend>) async throws -> Answer {
        Answer(number: try await context.services.answer(number, under: context.id))
    }
}

struct Query: Asking {
    static let formerNames = ["ask"]
    let number: Int

    func run(_ context: EffectContext<Backend>) async throws -> Answer {
        Answer(number: try await context.services.answer(number, under: context.id))
    }
}

/// A question under a name that no other build knows.
struct Question: Asking {
    let number: Int

    func run(_ context: EffectContext<Backend>) async throws -> Answer {
        Answer(number: try await context.services.answer(number, under: context.id))
    }
}

struct SignedAsk: Asking {
    struct SignedAnswer: Codable, Sendable, Answering {
        let number: Int
        let signature: String
    }

    static let name = "ask"
    static let formerNames = ["query"]
    let number: Int

    func run(_ context: EffectContext<Backend>) async throws -> SignedAnswer {
        let number = try await context.services.answer(number, under: context.id)
        return SignedAnswer(number: number, signature: "S")
    }

    static func migrate(_ former: any Decoder) throws -> SignedAnswer {
        SignedAnswer(number: try Answer(from: former).number, signature: "none")
    }
}

/// An effect that only some builds run, once for each number.
struct Greet: Effect, Codable {
    let number: Int

    func run(_ context: EffectContext<Backend>) async throws -> NoOutput {
        context.services.greet(number, under: context.id)
        return NoOutput()
    }
}

/// The world outside of the app: the backend that effects call, and the process that a trap ends.
final class Backend: @unchecked Sendable {  // because all runs on the scheduler's one thread
    /// The backend of the current simulation.
    static let current = Backend()

    var clock: SimulatedClock?
    var bug: PlantedBug?
    /// Ends the process that runs this code.
    var endProcess: () -> Void = {}
    /// The first effect that ran under two ids, or again after its result was recorded.
    private(set) var contradiction: Contradiction?
    /// The ids of the effects that ran, by what they did.
    private var ids: [String: String] = [:]
    /// The numbers of the effects whose result a client has seen.
    private var ended: Set<Int> = []

    /// Forgets the previous simulation.
    func reset(bug: PlantedBug?, endProcess: @escaping () -> Void) {
        (self.bug, self.endProcess) = (bug, endProcess)
        (contradiction, ids, ended) = (nil, [:], [])
    }

    func answer(_ number: Int, under id: String) async throws -> Int {
        note("the effect of \(number)", id)
        if ended.contains(number) {
            contradiction = contradiction ?? Contradiction("the effect of \(number) runs again after its result")
        }
        try await clock?.rest(upTo: 3_000)
        return number
    }

    func greet(_ number: Int, under id: String) { note("the greeting of \(number)", id) }

    /// Notes that a client has seen the result of an effect.
    func noteEnd(of number: Int) { ended.insert(number) }

    private func note(_ effect: String, _ id: String) {
        if let known = ids[effect], known != id {
            contradiction = contradiction ?? Contradiction("\(effect) was begun twice: as \(known) and as \(id)")
        }
        ids[effect] = id
    }

    /// Traps in an isolated run or in the server, where code that still runs has no effect any more.
    func trap() throws {
        if let witness = TrapWitness.current { witness.hasTrapped = true } else { endProcess() }
        throw Refusal("the process is dead")
    }
}

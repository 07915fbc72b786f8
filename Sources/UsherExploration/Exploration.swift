package import Usher

/// The map of an app: all states that its inputs were found to lead to, and what was found wrong on the way.
package struct Exploration: Sendable {
    /// A state, as the first way has found it.
    package struct State: Sendable {
        /// Its description.
        package let reached: ReachedState
        /// The index of the input that led here first; nil for the opening.
        package let arrival: Int?
        /// The number of inputs that lead here.
        package let depth: Int
        /// Set if the state was also reached with other contents of its screens, which were not explored.
        package fileprivate(set) var hasOtherContents = false
        /// The inputs that were not tried before a bound was met.
        package fileprivate(set) var untried: Int
    }

    /// An input that was tried on a state.
    package struct Passage: Sendable {
        /// The index of the state that it was tried on.
        package let source: Int
        /// The input.
        package let offer: OfferedInput
        /// The index of the state that it led to.
        package let target: Int?
        /// The stacks there, or those that stayed.
        package let stacks: String
        /// The outcome of the probe.
        package let finding: ProbeFinding

        /// True if the input led back to the same state, but changed the contents of its screens.
        ///
        /// Further states may be reachable from the new contents.
        package let changesContents: Bool

        /// The report of the process that tried it; nil where that died.
        package var report: ProbeReport? { finding.report }
        /// True where it led to a state that the bound of states left no room for, or would have, but for a limit.
        var leavesBounds: Bool { target == nil && report?.state != nil || report?.outcome == .limit }
    }

    /// The bounds that end an exploration before it is complete.
    package enum Bound: String, Sendable {
        case states, depth, time
    }

    /// The app.
    package let app: any App.Type
    /// The opening of all ways.
    package let opening: ExplorationOpening
    /// All states, in the order in which they were found.
    package private(set) var states: [State] = []
    /// All inputs that were tried, in order.
    package private(set) var passages: [Passage] = []
    /// The bound that was met; nil where nothing is left untried.
    package internal(set) var bound: Bound?
    /// The finding of the opening itself.
    package private(set) var opened = ProbeFinding.untried(reason: "the exploration has not begun")
    private var indices: [UInt64: Int] = [:]
    /// The passages of which nothing is known, because no process could try them.
    private var skipped = 0

    init(of app: any App.Type, from opening: ExplorationOpening) {
        self.app = app
        self.opening = opening
    }

    /// True where every input that any state offers was tried.
    package var isComplete: Bool { bound == nil && skipped == 0 && !states.isEmpty }

    /// True where no process could try the opening or an input: another exploration may find more.
    package var isPostponed: Bool {
        if case .untried = opened { true } else { skipped > 0 }
    }

    /// The inputs that were offered, and those that were tried.
    package var coverage: (offered: Int, tried: Int) {
        let tried = passages.count - skipped
        return (tried + states.reduce(0) { $0 + $1.untried }, tried)
    }

    /// The indices of the passages that lead to a state, the shortest way.
    package func way(to state: Int) -> [Int] {
        var way: [Int] = []
        var next = states[state].arrival
        while let passage = next {
            way.append(passage)
            next = states[passages[passage].source].arrival
        }
        return way.reversed()
    }

    /// The inputs that lead to a state, as they were handled.
    func steps(to state: Int) -> [InputProbe.Step] {
        way(to: state).compactMap { passages[$0].report?.step }
    }

    /// Notes what came of the opening.
    mutating func open(_ finding: ProbeFinding) {
        opened = finding
        guard let reached = finding.report?.state else { return }
        indices[reached.shape] = 0
        states.append(State(reached: reached, arrival: nil, depth: 0, untried: reached.offers.count))
    }

    /// Notes links that go on from one that was tried on a state.
    mutating func offer(_ count: Int, on state: Int) {
        states[state].untried += count
    }

    /// Notes what came of an input.
    ///
    /// - Parameter limit: The number of states at most.
    /// - Returns: The index of the state that it has led to first; nil for one that is known.
    mutating func add(_ finding: ProbeFinding, of offer: OfferedInput, on source: Int, limit: Int) -> Int? {
        if case .untried = finding { skipped += 1 } else { states[source].untried -= 1 }
        var target: Int?
        var stacks = states[source].reached.stacks
        var (isNew, changesContents) = (false, false)
        if let reached = finding.report?.state {
            stacks = reached.stacks
            target = indices[reached.shape]
            if let target, states[target].reached.contents != reached.contents {
                states[target].hasOtherContents = true
                changesContents = target == source
            }
            if target == nil, states.count < limit {
                (target, isNew) = (states.count, true)
                indices[reached.shape] = states.count
                states.append(
                    State(
                        reached: reached, arrival: passages.count, depth: states[source].depth + 1,
                        untried: reached.offers.count))
            } else if target == nil {
                bound = .states
            }
        }
        passages.append(
            Passage(
                source: source, offer: offer, target: target, stacks: stacks, finding: finding,
                changesContents: changesContents))
        return isNew ? target : nil
    }
}

extension Exploration {
    /// The names of the screens' types that were shown anywhere.
    package var shownTypes: Set<String> {
        Set(states.flatMap(\.reached.types))
    }

    /// The names of the screens that the app lists, but for those that stand in for one that an old client cannot draw:
    /// a client that draws everything, as here, never sees them.
    package var listedScreens: [String] {
        let names = app.screens.map { $0.name }
        let oldest = Client(screens: [:])
        let stands = Set(names.compactMap { app.fallback(for: $0, client: oldest).map { type(of: $0).name } })
        return names.filter { !stands.contains($0) || shownTypes.contains($0) }
    }

    /// A state's name for people: its visible screen's.
    package func name(of state: Int) -> String {
        let reached = states[state].reached
        return reached.screen ?? (reached.isEnded ? "the end" : "no screen")
    }
}

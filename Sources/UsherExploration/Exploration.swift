package import Usher

/// The result of exploring an app: the states that were found, the inputs that were tried, and the findings.
package struct Exploration: Sendable {
    /// A state, as the exploration first found it.
    package struct State: Sendable {
        /// The state's description.
        package let reached: ReachedState
        /// The index of the input that first led to the state; nil for the opening.
        package let arrival: Int?
        /// The number of inputs on the shortest way to the state.
        package let depth: Int
        /// A Boolean value indicating whether the state also occurred with other contents, which were not explored.
        package fileprivate(set) var hasOtherContents = false
        /// The number of the state's inputs that were not tried.
        package fileprivate(set) var untried: Int
    }

    /// An input that was tried in a state.
    package struct Passage: Sendable {
        /// The index of the state in which the input was tried.
        package let source: Int
        /// The input.
        package let offer: OfferedInput
        /// The index of the state that the input led to; nil if the input led to no state.
        package let target: Int?
        /// The stacks after the input.
        package let stacks: String
        /// The outcome of the probe.
        package let finding: ProbeFinding

        /// A Boolean value indicating whether the input led back to the same state, but changed the screens' contents.
        ///
        /// If so, the exploration may have missed states that only the new contents lead to.
        package let changesContents: Bool

        /// The report of the probe; nil if its process died, or if the input could not be tried.
        package var report: ProbeReport? { finding.report }
        /// Whether the input led to a new state beyond the maximum, or was refused because of a limit of the session.
        var leavesBounds: Bool { target == nil && report?.state != nil || report?.outcome == .limit }
    }

    /// The bounds that can end an exploration before it is complete.
    package enum Bound: String, Sendable {
        case states, depth, time
    }

    /// The app.
    package let app: any App.Type
    /// The opening with which all ways begin.
    package let opening: ExplorationOpening
    /// All states, in the order in which they were found.
    package private(set) var states: [State] = []
    /// All inputs that were tried, in order.
    package private(set) var passages: [Passage] = []
    /// The bound that ended the exploration; nil if no bound ended it.
    package internal(set) var bound: Bound?
    /// The finding of the opening itself.
    package private(set) var opened = ProbeFinding.untried(reason: "the exploration has not begun")
    private var indices: [UInt64: Int] = [:]
    /// The number of passages without a result, because no process could try the input.
    private var skipped = 0

    init(of app: any App.Type, from opening: ExplorationOpening) {
        self.app = app
        self.opening = opening
    }

    /// A Boolean value indicating whether the exploration has tried every input of every state.
    package var isComplete: Bool { bound == nil && skipped == 0 && !states.isEmpty }

    /// A Boolean value indicating whether the opening or an input was not tried, so that a second exploration may find
    /// more.
    package var isPostponed: Bool {
        if case .untried = opened { true } else { skipped > 0 }
    }

    /// The number of inputs that the states offer, and the number of inputs that were tried.
    package var coverage: (offered: Int, tried: Int) {
        let tried = passages.count - skipped
        return (tried + states.reduce(0) { $0 + $1.untried }, tried)
    }

    /// Returns the indices of the passages on the shortest way to a state.
    package func way(to state: Int) -> [Int] {
        var way: [Int] = []
        var next = states[state].arrival
        while let passage = next {
            way.append(passage)
            next = states[passages[passage].source].arrival
        }
        return way.reversed()
    }

    /// Returns the inputs on the way to a state, in the form in which they were handled.
    func steps(to state: Int) -> [InputProbe.Step] {
        way(to: state).compactMap { passages[$0].report?.step }
    }

    /// Adds the finding of the opening.
    mutating func open(_ finding: ProbeFinding) {
        opened = finding
        guard let reached = finding.report?.state else { return }
        indices[reached.shape] = 0
        states.append(State(reached: reached, arrival: nil, depth: 0, untried: reached.offers.count))
    }

    /// Increases the number of untried inputs of a state, because a link that was tried in the state can be continued.
    mutating func offer(_ count: Int, on state: Int) {
        states[state].untried += count
    }

    /// Adds the finding of an input; returns the index of the state that the input led to, if that state is new.
    ///
    /// The exploration has at most `limit` states.
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
    /// The type names of all screens that were shown.
    package var shownTypes: Set<String> {
        Set(states.flatMap(\.reached.types))
    }

    /// The names of the screens that the app lists, except replacements for screens that an old client cannot draw.
    ///
    /// The exploration's client can draw every screen, and therefore never sees the replacements.
    package var listedScreens: [String] {
        let names = app.screens.map { $0.name }
        let oldest = Client(screens: [:])
        let stands = Set(names.compactMap { app.fallback(for: $0, client: oldest).map { type(of: $0).name } })
        return names.filter { !stands.contains($0) || shownTypes.contains($0) }
    }

    /// Returns a state's name for people: the name of its visible screen.
    package func name(of state: Int) -> String {
        let reached = states[state].reached
        return reached.screen ?? (reached.isEnded ? "the end" : "no screen")
    }
}

import Usher

/// A finding of an exploration, with the shortest way to the finding.
package struct ExplorationFinding: Sendable {
    /// The kinds of findings, worst first.
    package enum Kind: String, CaseIterable, Sendable {
        /// The app does not open.
        case unopened
        /// An input ends the process or exceeds the time limit.
        case crash
        /// A handler fails: status 500.
        case failure
        /// The same inputs led to another state when they were handled a second time.
        case difference
        /// A coordinator or a view model stays in memory.
        case leak
        /// The window shows nothing.
        case emptyWindow
        /// No input leaves a screen.
        case deadEnd
        /// No input leaves a group of states, so the screens below this group are never visible again.
        case trap
        /// The app cannot decode one of its own examples.
        case badExample
        /// The engine has warned.
        case warning
        /// A screen of `App.screens` was never shown.
        case unreachable
        /// No link has opened a flow of `App.flowHosts`.
        case untakenFlow
        /// An input was not tried, because of a bound or because no process could try it.
        case incomplete
        /// An input was refused; the finding has the text of the refusal.
        case refusal
        /// An input would have exceeded a limit.
        case limit
        /// An input has no examples.
        case unexplored
        /// Screens also occurred with other contents, which were not explored.
        case contents

        /// A Boolean value indicating whether the finding is a mistake of the app.
        ///
        /// If there is such a finding, `usher explore` exits with status 1.
        package var isWrong: Bool {
            switch self {
            case .refusal, .limit, .unexplored, .contents: false
            default: true
            }
        }
    }

    /// The kind.
    package let kind: Kind
    /// The finding as one sentence.
    package let text: String
    /// The number of other inputs that led to the same refusal, limit or warning.
    package fileprivate(set) var otherPlaces = 0
    /// The index of the state in which the finding was made; nil if the finding belongs to no state.
    package let state: Int?
    /// The index of the input that led to the finding; nil if no input led to it.
    package let passage: Int?
}

struct FindingSearch {
    private let exploration: Exploration
    /// The passages by the state in which they were tried.
    private let passagesOf: [[Exploration.Passage]]
    private var findings: [ExplorationFinding] = []
    /// The indices of the findings by what makes them equal, so that equal findings are reported once.
    private var known: [String: Int] = [:]

    init(_ exploration: Exploration) {
        self.exploration = exploration
        passagesOf = exploration.passagesByState
    }

    /// Returns all findings, the worst kind first; within a kind, the finding with the shortest way is first.
    mutating func run() -> [ExplorationFinding] {
        addOpening()
        for index in exploration.passages.indices { add(passage: index) }
        addLeaksOfEnd()
        for index in exploration.states.indices { add(state: index) }
        addTraps()
        addUnreached()
        addContents()
        if let bound = exploration.bound { add(.incomplete, Self.text(of: bound, exploration), at: deepest) }
        let order = ExplorationFinding.Kind.allCases
        return order.flatMap { kind in findings.filter { $0.kind == kind } }
    }

    /// Adds a finding; if there is a finding with the same identity, by default the text, only counts the repetition.
    private mutating func add(
        _ kind: ExplorationFinding.Kind, _ text: String, as identity: String? = nil, at state: Int? = nil,
        passage: Int? = nil
    ) {
        let key = "\(kind.rawValue) \(identity ?? text)"
        if let index = known[key] {
            // A leak is repeated by every later input, and the other kinds have no place.
            if [.refusal, .limit, .warning].contains(kind) { findings[index].otherPlaces += 1 }
            return
        }
        known[key] = findings.count
        findings.append(ExplorationFinding(kind: kind, text: text, state: state, passage: passage))
    }

    private mutating func addOpening() {
        switch exploration.opened {
        case .crashes(let cause): add(.unopened, "opening the app ends the process: \(cause)")
        case .untried(let reason): add(.unopened, "the opening could not be tried: \(reason)")
        case .ended(let report):
            guard report.state == nil else { return add(report, "the opening", at: 0) }
            add(.unopened, "the app does not open: \(report.reason)\(Self.detail(report))")
        }
    }

    private mutating func add(passage index: Int) {
        let passage = exploration.passages[index]
        let place = exploration.place(of: passage)
        switch passage.finding {
        case .crashes(let cause):
            add(.crash, "\(place) ends the process: \(cause)", at: passage.source, passage: index)
        case .untried(let reason): add(.incomplete, "\(place) was not tried: \(reason)", at: passage.source)
        case .ended(let report): add(report, place, at: passage.source, passage: index)
        }
    }

    private mutating func add(_ report: ProbeReport, _ place: String, at state: Int, passage: Int? = nil) {
        if let kind = report.outcome.finding {
            let text = "\(report.reason)\(Self.detail(report))"
            let label = passage.map { exploration.passages[$0].offer.label } ?? place
            let identity: String? =
                switch kind {
                case .refusal: "\(label): \(text)"
                case .limit: text
                // One error may have several causes.
                default: nil
                }
            add(kind, "\(place): \(text)", as: identity, at: state, passage: passage)
        }
        // A difference that an earlier input on the way has caused occurs again after each later input.
        if let difference = report.difference, passage == nil || !hasDifference(before: state) {
            // Two walks may differ in something else each time.
            let text = "\(place): the same inputs led to two results: \(difference)"
            add(.difference, text, as: place, at: state, passage: passage)
        }
        addLeaks(in: report, place, isOfEnd: false, at: state, passage: passage)
        // A refused result is reported elsewhere as a refusal, and an empty window as a finding of the state.
        guard report.outcome == .accepted, report.state?.screen != nil || report.state?.isEnded == true else { return }
        for warning in report.warnings {
            add(.warning, "\(place): \(warning)", as: warning, at: state, passage: passage)
        }
    }

    private func hasDifference(before state: Int) -> Bool {
        exploration.opened.report?.difference != nil
            || exploration.way(to: state).contains { exploration.passages[$0].report?.difference != nil }
    }

    /// Adds the leaks at the session's end; called last, because every later passage repeats a leak at the end.
    private mutating func addLeaksOfEnd() {
        if let report = exploration.opened.report { addLeaks(in: report, "the opening", isOfEnd: true, at: 0) }
        for (index, passage) in exploration.passages.enumerated() {
            guard let report = passage.report else { continue }
            addLeaks(in: report, exploration.place(of: passage), isOfEnd: true, at: passage.source, passage: index)
        }
    }

    private mutating func addLeaks(
        in report: ProbeReport, _ place: String, isOfEnd: Bool, at state: Int, passage: Int? = nil
    ) {
        for leak in report.leaks where leak.isOfEnd == isOfEnd {
            let holder = leak.holder.map { "held by \($0)" } ?? "its holder was not found"
            let text = "\(leak.type) (\(leak.coordinator)) stays in memory, \(holder)"
            let time = isOfEnd ? "the end of the session after \(place)" : place
            add(.leak, "\(time): \(text)", as: text, at: state, passage: passage)
        }
    }

    private mutating func add(state index: Int) {
        let state = exploration.states[index]
        for gap in state.reached.gaps { add(.unexplored, gap, at: index) }
        guard !state.reached.isEnded else { return }
        guard state.reached.screen != nil else {
            return add(.emptyWindow, "the window shows no screen: \(state.reached.stacks)", at: index)
        }
        guard state.untried == 0, isDeadEnd(index) else { return }
        add(
            .deadEnd, "\(exploration.name(of: index)): no input leads from \(state.reached.stacks) to another state",
            at: index)
    }

    /// Returns whether no input leads to another state, and either no input is accepted at all, or the state covers
    /// another screen.
    private func isDeadEnd(_ index: Int) -> Bool {
        let within = passagesOf[index].filter { $0.offer.kind.isWithinApp }
        guard within.allSatisfy({ !$0.leavesBounds && !$0.changesContents && ($0.target == nil || $0.target == index) })
        else { return false }
        return exploration.states[index].reached.places.count > 1 || within.allSatisfy { $0.target == nil }
    }

    private mutating func addTraps() {
        let targets = passagesOf.map { passages in
            passages.filter { $0.offer.kind.isWithinApp }.compactMap(\.target)
        }
        for group in ClosedGroups(targets).groups where group.count > 1 {
            let states = group.map { exploration.states[$0] }
            guard states.allSatisfy({ $0.untried == 0 && !$0.reached.isEnded }),
                !group.contains(where: { passagesOf[$0].contains(where: \.leavesBounds) })
            else { continue }
            let seen = Set(states.compactMap { $0.reached.screen == nil ? nil : $0.reached.places.last })
            let buried = states.map { Set($0.reached.places.dropLast()) }.reduce(nil) { common, places in
                common.map { $0.intersection(places) } ?? places
            }
            guard let lost = (buried ?? []).subtracting(seen).sorted().first, let first = group.first else { continue }
            let name = lost.split(separator: " ").last.map(String.init) ?? lost
            let screens = Set(states.compactMap(\.reached.screen)).sorted().joined(separator: ", ")
            add(.trap, "\(screens): no input leads out, so the screen \(name) below is never visible again", at: first)
        }
    }

    private mutating func addUnreached() {
        // If an input was not followed because of a limit, the missing screens may be reachable by this input.
        guard exploration.isComplete, !exploration.passages.contains(where: \.leavesBounds) else { return }
        let shown = exploration.shownTypes
        for screen in exploration.listedScreens where !shown.contains(screen) {
            add(
                .unreachable,
                "no input leads to the screen \"\(screen)\", which the app lists; if the way depends on a text or number in "
                    + "a screen's state, set --with-states")
        }
        let taken = Set(
            exploration.passages.compactMap { passage in
                passage.report?.outcome == .accepted && passage.report?.state?.isLinkPending == false
                    ? passage.offer.flow : nil
            })
        for flow in exploration.app.flowNames where !taken.contains(flow) {
            add(
                .untakenFlow,
                "no coordinator accepts a link to the flow \(flow), although the app has an example of this flow"
            )
        }
    }

    /// Adds one finding for all screens that also occurred with other contents.
    private mutating func addContents() {
        let indices = exploration.states.indices.filter { exploration.states[$0].hasOtherContents }
        guard let first = indices.first else { return }
        let names = Set(indices.map { exploration.name(of: $0) }).sorted().joined(separator: ", ")
        add(
            .contents,
            "\(names): these screens occurred with other contents, which the exploration did not try; to try them, set "
                + "--with-states", at: first)
    }

    /// The state with the longest way, which shows how the app grows if it can grow without end.
    private var deepest: Int? {
        exploration.states.indices.max { exploration.states[$0].depth < exploration.states[$1].depth }
    }

    private static func detail(_ report: ProbeReport) -> String {
        report.cause.map { " (\($0))" } ?? ""
    }

    private static func text(of bound: Exploration.Bound, _ exploration: Exploration) -> String {
        let (offered, tried) = exploration.coverage
        let remedy =
            switch bound {
            case .states: "raise --states, or lower --screens if the app repeats the same screens"
            case .depth: "raise --depth, or lower --screens if the app repeats the same screens"
            case .time: "raise --time"
            }
        return
            "the exploration reached its limit of \(bound.rawValue), with \(exploration.states.count) states found and "
            + "\(offered - tried) inputs untried; \(remedy)"
    }
}

extension Exploration {
    /// All findings, worst first.
    package var findings: [ExplorationFinding] {
        var search = FindingSearch(self)
        return search.run()
    }

    /// Returns a passage for people, such as `login: back`.
    fileprivate func place(of passage: Passage) -> String {
        "\(name(of: passage.source)): \(passage.offer.label)"
    }

    fileprivate var passagesByState: [[Passage]] {
        var grouped = [[Passage]](repeating: [], count: states.count)
        for passage in passages { grouped[passage.source].append(passage) }
        return grouped
    }
}

extension ProbeOutcome {
    /// The kind of finding that this outcome causes; nil if the outcome is not a finding.
    fileprivate var finding: ExplorationFinding.Kind? {
        switch self {
        case .accepted, .unchanged: nil
        case .refused: .refusal
        case .unknown: .badExample
        case .limit: .limit
        case .failed: .failure
        case .differs: .difference
        case .unopened: .unopened
        }
    }
}

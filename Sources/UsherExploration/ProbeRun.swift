package import Usher
import UsherJSON

/// Makes a probe in this process.
///
/// A rehearsal handles the inputs of the probe's way again, and then tries the probe's input. If the input is accepted,
/// two further rehearsals handle all inputs, and must lead to the same state.
package struct ProbeRun {
    private let probe: InputProbe
    private let app: any App.Type
    private let willTry: () -> Void

    /// Creates a probe; `willTry` is called after the inputs of the way were handled, and before the input is tried.
    package init(_ probe: InputProbe, of app: any App.Type, willTry: @escaping () -> Void = {}) {
        self.probe = probe
        self.app = app
        self.willTry = willTry
    }

    /// Makes the probe.
    package func report() -> ProbeReport {
        let source: Rehearsal
        do { source = try walk(probe.way) } catch { return Self.report(error, isOpening: probe.way.isEmpty) }
        do {
            if let shape = probe.shape, try shape != self.shape(of: source.tree) {
                return ProbeReport(.differs, "the same inputs led to other screens when they were repeated")
            }
            willTry()
            if let input = probe.input { return try report(trying: try input.handled(), on: source) }
            var report = ProbeReport(.accepted)
            try visit(probe.way, in: &report)
            return report
        } catch {
            return Self.report(error, isOpening: false)
        }
    }

    private func report(trying input: Input, on source: Rehearsal) throws -> ProbeReport {
        let known = source.tree.leaks.count
        let hasDueTimer = source.tree.work.compactMap(\.due).contains { $0 <= input.time }
        var walk = source
        var result = ProbeReport(.accepted)
        do throws(Rejection) {
            guard try walk.handle(input) else { return ProbeReport(.unchanged, "the session already knew the input") }
        } catch {
            result = Self.report(error, of: input.content)
            guard try refuse(input, for: error.reason, on: &walk) else { return result }
        }
        guard let step = walk.steps.last?.input.map({ InputProbe.Step($0) }) else { return result }
        (result.step, result.hasDueTimer) = (step, hasDueTimer)
        try visit(probe.way + [step], knowing: known, in: &result)
        return result
    }

    /// Refuses the end of work, as a session does; returns whether the session accepted the refusal as an input.
    private func refuse(
        _ input: Input, for reason: String, on walk: inout Rehearsal
    ) throws(Rejection) -> Bool {
        var (content, reason) = (input.content, reason)
        while let refused = content.refused(reason) {
            do throws(Rejection) {
                return try walk.handle(Input(refused, at: input.time))
            } catch {
                if case .refused = refused { throw error }
                (content, reason) = (refused, error.reason)
            }
        }
        return false
    }

    /// Handles the inputs of a way twice, and reports the state that the inputs lead to.
    private func visit(_ way: [InputProbe.Step], knowing known: Int = 0, in report: inout ProbeReport) throws {
        let (first, second) = (try walk(way), try walk(way))
        report.difference = Self.difference(Self.text(of: first.tree), Self.text(of: second.tree))
        report.leaks = try leaks(of: first.tree.leaks.dropFirst(known), way, isOfEnd: false)
        report.leaks += try leaks(of: second.tree.end()[...], way, isOfEnd: true)
        let time = Timestamp(milliseconds: way.last?.time ?? probe.opening.time)
        try look(at: first.tree, after: first.steps.last, at: time, in: &report)
    }

    /// Finds the holders of leaks, by handling the inputs once more on a tree that the search may take apart.
    private func leaks(
        of leaks: ArraySlice<Leak>, _ way: [InputProbe.Step], isOfEnd: Bool
    ) throws -> [ProbeReport.Leftover] {
        guard !leaks.isEmpty else { return [] }
        let tree = try walk(way).tree
        if isOfEnd { tree.end() }
        let holders = tree.findHolders()
        return leaks.enumerated().map { index, leak in
            ProbeReport.Leftover(
                type: leak.type, coordinator: leak.coordinator,
                holder: index < holders.count ? holders[index] : nil, isOfEnd: isOfEnd)
        }
    }

    private func walk(_ way: [InputProbe.Step]) throws -> Rehearsal {
        let (opening, app) = (probe.opening, self.app)
        var walk = try Rehearsal { handling in
            try Tree(
                opening: app, options: Array(opening.options.utf8), seed: opening.seed,
                time: Timestamp(milliseconds: opening.time), handling: handling, limits: opening.limits(of: app))
        }
        for step in way {
            let input = try step.handled()
            guard try walk.handle(input) else {
                throw Rejection(.stale, "\(input.summary) had no effect when it was repeated")
            }
        }
        return walk
    }

    /// Returns the parts of two texts around the place where the texts begin to differ; nil if the texts are equal.
    private static func difference(_ first: String, _ second: String) -> String? {
        guard first != second else { return nil }
        let equal = zip(first, second).prefix { $0 == $1 }.count
        let parts = [first, second].map { $0.dropFirst(max(0, equal - 30)).prefix(60) }
        return "…\(parts[0])… and …\(parts[1])…"
    }

    private func shape(of tree: Tree) throws(JSONError) -> UInt64 {
        try tree.shape(includingStates: probe.includesStates)
    }
}

extension ProbeRun {
    private static func report(_ rejection: Rejection, of content: InputContent) -> ProbeReport {
        let outcome: ProbeOutcome =
            switch rejection.kind {
            case .refused, .undrawable: .refused
            case .limit: .limit
            case .failed: .failed
            case .invalid, .stale: content.isGesture ? .refused : .unknown
            }
        return ProbeReport(outcome, rejection.reason, cause: rejection.cause)
    }

    private static func report(_ error: any Error, isOpening: Bool) -> ProbeReport {
        let rejection = error as? Rejection
        let reason = rejection?.reason ?? (error as? Refusal)?.reason ?? "\(error)"
        guard !isOpening else { return ProbeReport(.unopened, reason, cause: rejection?.cause) }
        return ProbeReport(.differs, "the inputs that led here cannot be repeated: \(reason)", cause: rejection?.cause)
    }
}

extension ProbeRun {
    private func look(
        at tree: Tree, after step: Rehearsal.Step?, at time: Timestamp, in report: inout ProbeReport
    ) throws(JSONError) {
        let (list, places) = (OfferList(of: tree), tree.screenPlaces)
        let whole = try JSONDocument(written: JSONWriter.object { tree.writeReport(into: &$0) }).root
        report.state = try ReachedState(
            shape: shape(of: tree), contents: tree.shape(includingStates: true),
            mark: StateMark(tree, from: step?.identifiers ?? NextIdentifiers()),
            stacks: whole.stackNotation, screen: tree.visibleName, places: places.map(\.place),
            types: places.map(\.type), isEnded: tree.ending != nil, isLinkPending: tree.isLinkPending,
            offers: list.offers.map { OfferedInput($0, at: time) }, gaps: list.gaps)
        let shown = try JSONDocument(written: Array(Self.text(of: tree).utf8)).root
        report.warnings = shown[member: "warnings"].map { $0.elements.compactMap(\.string) } ?? []
        let links = step?.input.map { OfferList(after: $0.content, in: tree).offers } ?? []
        report.longerLinks = links.map { OfferedInput($0, at: time) }
        report.leaks += Self.ownLeftovers(whole)
    }

    /// Returns the leaks and zombies among the coordinators that the app itself stores.
    private static func ownLeftovers(_ report: JSONValue) -> [ProbeReport.Leftover] {
        ["zombies", "leaks"].flatMap { kind in
            (report[member: "own"]?[member: kind].map { Array($0.elements) } ?? []).map { member in
                ProbeReport.Leftover(
                    type: member[member: "type"]?.string ?? "", coordinator: "of the app's own \(kind)",
                    holder: member[member: "holder"]?.string, isOfEnd: false)
            }
        }
    }

    private static func text(of tree: Tree) -> String {
        String(decoding: JSONWriter.object { tree.writeState(into: &$0) }, as: UTF8.self)
    }
}

extension InputContent {
    /// Whether the input is a gesture on the window; a rejected gesture does not mean that an example is wrong.
    fileprivate var isGesture: Bool {
        switch self {
        case .action(.back), .action(.popped), .action(.dismissed), .action(.select): true
        case .action(.event), .action(.open), .result, .timer, .refused, .message: false
        }
    }
}

package import Usher

/// Explores an app breadth first: tries every input that a state offers, and distinguishes states by their shape.
///
/// An explorer itself does not run the app's code; the place that makes the probes runs the app's code.
package struct Explorer: Sendable {
    /// The bounds of an exploration.
    package struct Bounds: Sendable {
        /// The maximum number of states.
        package var states = 10_000
        /// The maximum number of inputs from the opening to a state.
        package var depth = 1_000
        /// The maximum duration.
        package var time: Duration = .seconds(600)

        /// Creates the default bounds.
        package init() {}
    }

    private let app: any App.Type
    private let opening: ExplorationOpening
    private let bounds: Bounds
    private let includesStates: Bool
    private let place: any ProbePlace

    /// The number of probes in a batch.
    private static let batch = 16
    /// The number of probes between two checks of the clock; constant, so that every machine finds the same states.
    private static let part = 128

    /// Creates an explorer; if `includesStates` is true, the contents of the screens also distinguish states.
    package init(
        _ app: any App.Type, from opening: ExplorationOpening, within bounds: Bounds = Bounds(),
        includingStates includesStates: Bool = false, in place: any ProbePlace
    ) {
        self.app = app
        self.opening = opening
        self.bounds = bounds
        self.includesStates = includesStates
        self.place = place
    }

    /// Explores until nothing is left to try or a bound is reached; calls `report` from time to time with the progress.
    package func explore(_ report: (ExplorationProgress) -> Void = { _ in }) async -> Exploration {
        let end = ContinuousClock.now + bounds.time
        var exploration = Exploration(of: app, from: opening)
        let probe = InputProbe(opening: opening, includesStates: includesStates, way: [], shape: nil, input: nil)
        let opened = await findings(of: [probe], until: end).first
        exploration.open(opened ?? .untried(reason: "there was no probe"))
        var level = exploration.states.isEmpty ? [] : [0]
        var depth = 0
        while !level.isEmpty {
            guard depth < bounds.depth || level.allSatisfy({ exploration.states[$0].untried == 0 }) else {
                exploration.bound = .depth
                break
            }
            var queue = level.flatMap { state in
                exploration.states[state].reached.offers.map { (state: state, offer: $0) }
            }[...]
            level = []
            while !queue.isEmpty, exploration.bound == nil {
                let part = queue.prefix(Self.part)
                queue = queue.dropFirst(part.count)
                let probes = part.map { exploration.probe($0.offer, on: $0.state, includingStates: includesStates) }
                let made = await findings(of: probes, until: end)
                if made.count < part.count { exploration.bound = .time }
                for (tried, finding) in zip(part, made) {
                    let links = finding.report?.longerLinks ?? []
                    exploration.offer(links.count, on: tried.state)
                    queue += links.map { (tried.state, $0) }
                    let new = exploration.add(finding, of: tried.offer, on: tried.state, limit: bounds.states)
                    if let new { level.append(new) }
                }
                report(exploration.progress(at: depth))
                if ContinuousClock.now >= end, !queue.isEmpty || !level.isEmpty { exploration.bound = .time }
            }
            guard exploration.bound == nil else { break }
            depth += 1
        }
        return exploration
    }

    /// Makes probes, several batches at the same time; returns a finding for each probe that was made, in order.
    ///
    /// After the time limit, begins no further batches, and waits for the batches that have begun.
    private func findings(of probes: [InputProbe], until end: ContinuousClock.Instant) async -> [ProbeFinding] {
        let batches = stride(from: 0, to: probes.count, by: Self.batch).map {
            Array(probes[$0..<min($0 + Self.batch, probes.count)])
        }
        return await withTaskGroup(of: (index: Int, findings: [ProbeFinding]).self) { group in
            var found = [[ProbeFinding]](repeating: [], count: batches.count)
            for (index, batch) in batches.enumerated() {
                if index >= place.width, let done = await group.next() { found[done.index] = done.findings }
                guard index < place.width || ContinuousClock.now < end else { break }
                group.addTask { (index, await place.findings(of: batch)) }
            }
            for await done in group { found[done.index] = done.findings }
            return found.flatMap(\.self)
        }
    }
}

extension Exploration {
    fileprivate func probe(_ offer: OfferedInput, on state: Int, includingStates: Bool) -> InputProbe {
        InputProbe(
            opening: opening, includesStates: includingStates, way: steps(to: state),
            shape: states[state].reached.shape, input: offer.step)
    }

    fileprivate func progress(at depth: Int) -> ExplorationProgress {
        let (offered, tried) = coverage
        return ExplorationProgress(states: states.count, tried: tried, waiting: offered - tried, depth: depth)
    }
}

/// The progress of an exploration.
package struct ExplorationProgress: Equatable, Sendable {
    /// The number of states that were found.
    package let states: Int
    /// The number of inputs that were tried.
    package let tried: Int
    /// The number of known inputs that were not tried yet.
    package let waiting: Int
    /// The number of inputs from the opening to the states that are being explored.
    package let depth: Int
}

/// The result of a probe.
package enum ProbeFinding: Sendable {
    /// The probe ended with a report.
    case ended(ProbeReport)
    /// The probe's process died, from a cause such as `timeout` or `SIGILL in Shop.pay()`.
    case crashes(String)
    /// The probe could not be made; the reason is one sentence.
    case untried(reason: String)

    /// The report; nil if the process died, or if the probe could not be made.
    package var report: ProbeReport? {
        if case .ended(let report) = self { report } else { nil }
    }
}

/// A place that makes probes: this process, or child processes.
package protocol ProbePlace: Sendable {
    /// The number of batches that the place makes at the same time.
    var width: Int { get }

    /// Makes probes one after the other, and returns a finding for each.
    func findings(of probes: [InputProbe]) async -> [ProbeFinding]
}

/// A place that makes probes in this process, which ends if a probe crashes.
package struct ProbesInProcess: ProbePlace {
    private let app: any App.Type
    /// The number of batches that the place makes at the same time.
    package let width: Int

    /// Creates a place that makes `width` batches at the same time.
    package init(_ app: any App.Type, width: Int = 1) {
        self.app = app
        self.width = width
    }

    /// Makes all probes in this process.
    package func findings(of probes: [InputProbe]) async -> [ProbeFinding] {
        probes.map { .ended(ProbeRun($0, of: app).report()) }
    }
}

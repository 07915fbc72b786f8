import Synchronization
package import UsherJournal

/// The settings of a registry that have to do with inputs that end the process.
package struct CrashSettings: Sendable {
    /// The identity of this build, asked for only if something is guilty.
    package let build: @Sendable () -> UInt64
    /// Makes isolated runs; without one suspects are handled like all others.
    package var runner: (any IsolatedRunner)?
    /// The journal's guilty inputs, the oldest first, those of other builds too.
    package var guilty: [GuiltyInput] = []

    /// The settings of a registry to which nothing is guilty.
    package init(build: @escaping @Sendable () -> UInt64 = { 0 }) {
        self.build = build
    }

    /// The settings of a registry that knows what its journal knows.
    ///
    /// - Throws: `JournalError`.
    package init(reading journal: any Journal, build: @escaping @Sendable () -> UInt64) async throws(JournalError) {
        self.build = build
        guilty = try await journal.guiltyInputs()
    }
}

/// What a server knows of inputs that end the process: the guilty inputs of this build; the suspicious sites, of which three
/// inputs were guilty within an hour; and the suspects, which were in flight when a process died of nobody knows what.
///
/// It is asked before author's code runs, and most of the time is empty: to know that is one atomic load.
final class GuiltyInputs: Sendable {
    /// The judgement on an input.
    enum Judgement {
        /// Nothing is known against it.
        case free
        /// It ends the process.
        case guilty(GuiltyInput)
        /// It is to run isolated before it is handled.
        case suspect
    }

    private struct Contents {
        /// Those of this build in the order in which they came.
        private(set) var inputs: [GuiltyInput] = []
        private(set) var byIdentity: [GuiltyInput.Identity: GuiltyInput] = [:]
        /// The sessions of these; nil for creations.
        private(set) var sessions: Set<JournalKey?> = []
        /// The sessions that cannot be replayed.
        private(set) var replays: [JournalKey: GuiltyInput] = [:]
        /// The crashes at which each effect was at work.
        private(set) var effects: [GuiltyInput.Identity: Int] = [:]
        /// The times of the newest cases at each site, milliseconds since 1970.
        private var cases: [GuiltyInput.Site: [Int64]] = [:]
        private(set) var suspiciousSites: Set<GuiltyInput.Site> = []
        /// The suspects, at any revision, by their sessions.
        var suspects: [JournalKey?: [GuiltyInput.Identity: GuiltyInput]] = [:]
        /// The time of the oldest input of another build; nil if there is none.
        var oldestForeign: Int64?
        /// The number of changes that this server has made.
        var edition = 0

        /// Replaces the inputs; suspects and suspicious sites stay.
        mutating func replace(with inputs: some Sequence<GuiltyInput>) {
            (self.inputs, byIdentity, sessions, replays, effects, cases) = ([], [:], [], [:], [:], [:])
            for input in inputs { add(input) }
        }

        mutating func add(_ input: GuiltyInput) {
            let identity = input.identity
            suspects[identity.session]?[identity.atAnyRevision] = nil
            guard identity.kind == .effect || byIdentity[identity] == nil else { return }
            inputs.append(input)
            if identity.kind == .effect { return effects[identity, default: 0] += 1 }
            byIdentity[identity] = input
            sessions.insert(identity.session)
            if identity.kind == .replay, let session = identity.session { replays[session] = input }
            noteCase(at: input.site, input.time)
            // The oldest make room; each may cost one more crash.
            if inputs.count > GuiltyInput.limit { replace(with: inputs.suffix(GuiltyInput.limit / 8 * 7)) }
        }

        private mutating func noteCase(at site: GuiltyInput.Site, _ time: Int64) {
            // Those of other servers may come later than they were.
            let times = (cases[site, default: []] + [time]).sorted().suffix(GuiltyInputs.suspicion.cases)
            cases[site] = Array(times)
            guard times.count == GuiltyInputs.suspicion.cases, let first = times.first, let last = times.last,
                last - first <= GuiltyInputs.suspicion.within
            else { return }
            suspiciousSites.insert(site)
        }
    }

    /// The identity of this build.
    let build: @Sendable () -> UInt64
    /// Makes isolated runs.
    let runner: (any IsolatedRunner)?
    private let isOccupied = Atomic(false)
    private let contents = Mutex(Contents())

    /// As many cases at one site make every further input there suspect, if they lie within an hour.
    private static let suspicion = (cases: 3, within: Int64(3_600_000))
    /// The number of crashes after which an effect is not begun any more.
    static let effectLimit = 2
    /// The time for which guilty inputs of other builds are kept: a build may be taken back.
    private static let foreignTime: Int64 = 7 * 24 * 3_600_000

    init(_ settings: CrashSettings) {
        build = settings.build
        runner = settings.runner
        _ = replace(with: settings.guilty, since: 0)
    }

    /// A Boolean value indicating whether nothing is known against any input.
    var isEmpty: Bool { !isOccupied.load(ordering: .acquiring) }

    private func change(_ body: (inout Contents) -> Void) {
        contents.withLock { contents in
            contents.edition += 1
            body(&contents)
        }
        isOccupied.store(true, ordering: .releasing)
    }

    /// Adds an input that is in the journal.
    func add(_ input: GuiltyInput) { change { $0.add(input) } }

    /// Forgets an input that has left the journal.
    func forget(_ identity: GuiltyInput.Identity) {
        change { contents in contents.replace(with: contents.inputs.filter { $0.identity != identity }) }
    }

    /// Adds a suspect: it runs isolated before it is handled again.
    func suspect(_ input: GuiltyInput) {
        guard runner != nil else { return }
        change { $0.suspects[input.identity.session, default: [:]][input.identity.atAnyRevision] = input }
    }

    /// Clears a suspect that has survived an isolated run.
    func clear(_ identity: GuiltyInput.Identity) {
        contents.withLock { contents in
            contents.suspects[identity.session]?[identity.atAnyRevision] = nil
            if contents.suspects[identity.session]?.isEmpty ?? false { contents.suspects[identity.session] = nil }
        }
    }

    /// The suspects, in no order.
    var suspects: [GuiltyInput] { contents.withLock { $0.suspects.values.flatMap(\.values) } }

    /// The number of changes that this server has made.
    var edition: Int { contents.withLock(\.edition) }

    /// Takes over what the journal knows, because other servers may have added inputs or forgotten some.
    ///
    /// - Parameters:
    ///   - inputs: The journal's guilty inputs, those of other builds too.
    ///   - edition: The edition before they were read.
    /// - Returns: False if this server has made a change since.
    func replace(with inputs: [GuiltyInput], since edition: Int) -> Bool {
        guard !inputs.isEmpty || !isEmpty else { return true }
        let build = build()
        let own = inputs.filter { $0.build == build }
        let isReplaced = contents.withLock { contents in
            guard contents.edition == edition else { return false }
            contents.replace(with: own)
            contents.oldestForeign = inputs.filter { $0.build != build }.map(\.time).min()
            return true
        }
        if !own.isEmpty { isOccupied.store(true, ordering: .releasing) }
        return isReplaced
    }

    /// Judges an input that is to be handled.
    ///
    /// - Parameters:
    ///   - identity: The features by which it is known again; made only if something is known of its session.
    ///   - session: Its session; nil for a creation.
    ///   - site: Its site in the app; made only if there are suspicious sites.
    func judgement(
        on identity: @autoclosure () -> GuiltyInput.Identity, in session: JournalKey?,
        at site: @autoclosure () -> GuiltyInput.Site
    ) -> Judgement {
        let (isKnown, areSitesSuspicious) = contents.withLock { contents in
            let isKnown = contents.sessions.contains(session) || contents.suspects[session] != nil
            return (isKnown, !contents.suspiciousSites.isEmpty)
        }
        if isKnown {
            let identity = identity()
            let (input, isSuspect) = contents.withLock { contents in
                (contents.byIdentity[identity], contents.suspects[session]?[identity.atAnyRevision] != nil)
            }
            if let input { return .guilty(input) }
            if isSuspect { return .suspect }
        }
        guard areSitesSuspicious, runner != nil else { return .free }
        let site = site()
        return contents.withLock { $0.suspiciousSites.contains(site) } ? .suspect : .free
    }

    /// A Boolean value indicating whether a session's replay is to run isolated first.
    func isReplaySuspect(of session: JournalKey, app: String) -> Bool {
        guard !isEmpty, runner != nil else { return false }
        return contents.withLock { contents in
            contents.suspiciousSites.contains(.replay(of: app))
                || contents.suspects[session]?[.replay(of: session, at: 0)] != nil
        }
    }

    /// The entry at which a session cannot be replayed; nil if nothing is known against it.
    func replay(of session: JournalKey) -> GuiltyInput? {
        isEmpty ? nil : contents.withLock { $0.replays[session] }
    }

    /// The number of crashes that an effect's own work has caused.
    func crashes(of effect: @autoclosure () -> GuiltyInput.Identity) -> Int {
        isEmpty ? 0 : contents.withLock { $0.effects.isEmpty ? 0 : $0.effects[effect()] ?? 0 }
    }

    /// A Boolean value indicating whether an input of the journal is refused by this build.
    func refuses(_ input: GuiltyInput) -> Bool {
        input.build == build()
            && (input.identity.kind != .effect || crashes(of: input.identity) >= Self.effectLimit)
    }

    /// The inputs of other builds that are to leave the journal by now; nil if there are none, or once they have.
    func foreign(by time: Int64) -> GuiltyInput.Selection? {
        contents.withLock { contents in
            guard let oldest = contents.oldestForeign, oldest < time &- Self.foreignTime else { return nil }
            return .ofBuilds(otherThan: build(), before: time &- Self.foreignTime)
        }
    }

    /// Notes that the inputs of other builds have left the journal; those that are younger wait for the next start.
    func noteForeignGone() {
        contents.withLock { $0.oldestForeign = nil }
    }
}

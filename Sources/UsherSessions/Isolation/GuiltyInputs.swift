import Synchronization
import Usher
package import UsherJournal

/// A registry's settings for inputs that crash the process.
package struct CrashSettings: Sendable {
    /// Returns the identity of this build; called only if there is a guilty input.
    package let build: @Sendable () -> UInt64
    /// The runner of isolated runs; without a runner, the server handles suspects like other inputs.
    package var runner: (any IsolatedRunner)?
    /// The journal's guilty inputs of all builds, oldest first.
    package var guilty: [GuiltyInput] = []

    /// Creates settings without guilty inputs.
    package init(build: @escaping @Sendable () -> UInt64 = { 0 }) {
        self.build = build
    }

    /// Creates settings with the journal's guilty inputs.
    ///
    /// - Throws: `JournalError`.
    package init(reading journal: any Journal, build: @escaping @Sendable () -> UInt64) async throws(JournalError) {
        self.build = build
        guilty = try await journal.guiltyInputs()
    }
}

/// The inputs that are known or suspected to crash the process.
///
/// The object stores the guilty inputs of this build, and the sites (`GuiltyInput.Site`) at which three inputs crashed
/// within an hour. The object also stores the suspects: inputs that were running when a process died for an unknown
/// reason. The server checks each input before it runs the app's code. Usually nothing is stored, so the check is only
/// one atomic load.
final class GuiltyInputs: Sendable {
    enum Judgement {
        /// The input is neither guilty nor suspect.
        case free
        case guilty(GuiltyInput)
        /// The input must run isolated before the server handles it.
        case suspect
    }

    private struct Contents {
        /// The guilty inputs of this build, in the order in which they were added.
        private(set) var inputs: [GuiltyInput] = []
        /// The guilty inputs except effects, by session; the session of a creation is `nil`.
        private(set) var guilty: [JournalKey?: [GuiltyInput.Identity: GuiltyInput]] = [:]
        /// For each session that cannot be replayed, the guilty input at which its replay crashes.
        private(set) var replays: [JournalKey: GuiltyInput] = [:]
        /// The number of crashes during which each effect was running.
        private(set) var effects: [GuiltyInput.Identity: Int] = [:]
        /// The times of the newest crashes at each site, in milliseconds since 1970.
        private var cases: [GuiltyInput.Site: [Int64]] = [:]
        private(set) var suspiciousSites: Set<GuiltyInput.Site> = []
        /// The suspects by session; their identities have no revision.
        var suspects: [JournalKey?: [GuiltyInput.Identity: GuiltyInput]] = [:]
        /// The number of changes that this server has made to these contents.
        var edition = 0

        /// Replaces the guilty inputs; suspects and the sites of crashes stay.
        mutating func replace(with inputs: some Sequence<GuiltyInput>) {
            (self.inputs, guilty, replays, effects, cases) = ([], [:], [:], [:], [:])
            for input in inputs { add(input) }
        }

        mutating func add(_ input: GuiltyInput) {
            let identity = input.identity
            suspects[identity.session]?[identity.atAnyRevision] = nil
            guard identity.kind == .effect || guilty[identity.session]?[identity] == nil else { return }
            inputs.append(input)
            if identity.kind == .effect { return effects[identity, default: 0] += 1 }
            guilty[identity.session, default: [:]][identity] = input
            if identity.kind == .replay, let session = identity.session { replays[session] = input }
            noteCase(at: input.site, input.time)
            // Drops the oldest inputs; each dropped input may cause one more crash.
            if inputs.count > GuiltyInput.limit { replace(with: inputs.suffix(GuiltyInput.limit / 8 * 7)) }
        }

        private mutating func noteCase(at site: GuiltyInput.Site, _ time: Int64) {
            // Sorts the times, because crashes that other servers recorded may arrive out of order.
            let times = (cases[site, default: []] + [time]).sorted().suffix(GuiltyInputs.suspicion.cases)
            cases[site] = Array(times)
            guard times.count == GuiltyInputs.suspicion.cases, let first = times.first, let last = times.last,
                last - first <= GuiltyInputs.suspicion.within
            else { return }
            suspiciousSites.insert(site)
        }
    }

    let build: @Sendable () -> UInt64
    let runner: (any IsolatedRunner)?
    private let isOccupied = Atomic(false)
    private let contents = Mutex(Contents())

    /// After this number of crashes at one site within this number of milliseconds, all further inputs at the site are
    /// suspect.
    private static let suspicion = (cases: 3, within: Int64(3_600_000))
    /// The number of crashes after which the server does not start an effect again.
    static let effectLimit = 2
    /// The milliseconds after which other builds' guilty inputs are deleted; until then, an operator may return to an
    /// earlier build.
    private static let foreignTime: Int64 = 7 * 24 * 3_600_000

    init(_ settings: CrashSettings) {
        build = settings.build
        runner = settings.runner
        _ = replace(with: settings.guilty, since: 0)
    }

    /// A Boolean value that indicates whether there has been no guilty or suspect input; if so, no input needs a check.
    var isEmpty: Bool { !isOccupied.load(ordering: .acquiring) }

    private func change(_ body: (inout Contents) -> Void) {
        contents.withLock { contents in
            contents.edition += 1
            body(&contents)
        }
        isOccupied.store(true, ordering: .releasing)
    }

    /// Adds a guilty input that is in the journal.
    func add(_ input: GuiltyInput) { change { $0.add(input) } }

    /// Removes a guilty input that was deleted from the journal.
    func forget(_ identity: GuiltyInput.Identity) {
        change { contents in contents.replace(with: contents.inputs.filter { $0.identity != identity }) }
    }

    /// Adds a suspect, which the server then runs isolated before handling it again.
    func suspect(_ input: GuiltyInput) {
        guard runner != nil else { return }
        change { $0.suspects[input.identity.session, default: [:]][input.identity.atAnyRevision] = input }
    }

    /// Removes a suspect that did not crash in an isolated run.
    func clear(_ identity: GuiltyInput.Identity) {
        contents.withLock { contents in
            contents.suspects[identity.session]?[identity.atAnyRevision] = nil
            if contents.suspects[identity.session]?.isEmpty ?? false { contents.suspects[identity.session] = nil }
        }
    }

    var suspects: [GuiltyInput] { contents.withLock { $0.suspects.values.flatMap(\.values) } }

    var edition: Int { contents.withLock(\.edition) }

    /// Replaces the guilty inputs by those in the journal, which other servers may have changed.
    ///
    /// - Returns: `false` if this server has made a change since `edition` was read; nothing is then replaced.
    func replace(with inputs: [GuiltyInput], since edition: Int) -> Bool {
        guard !inputs.isEmpty || !isEmpty else { return true }
        let build = build()
        let own = inputs.filter { $0.build == build }
        let isReplaced = contents.withLock { contents in
            guard contents.edition == edition else { return false }
            contents.replace(with: own)
            return true
        }
        if !own.isEmpty { isOccupied.store(true, ordering: .releasing) }
        return isReplaced
    }

    /// Returns the judgment on an input before it is handled; `session` is `nil` for a creation.
    ///
    /// `identity` is evaluated only if the session has a guilty or suspect input, and `site` only if there is a
    /// suspicious site.
    func judgement(
        on identity: @autoclosure () -> GuiltyInput.Identity, in session: JournalKey?,
        at site: @autoclosure () -> GuiltyInput.Site
    ) -> Judgement {
        contents.withLock { contents in
            if contents.guilty[session] != nil || contents.suspects[session] != nil {
                let identity = identity()
                if let input = contents.guilty[session]?[identity] { return .guilty(input) }
                if contents.suspects[session]?[identity.atAnyRevision] != nil { return .suspect }
            }
            guard runner != nil, !contents.suspiciousSites.isEmpty else { return .free }
            return contents.suspiciousSites.contains(site()) ? .suspect : .free
        }
    }

    /// Returns `true` if a session's replay must first run isolated.
    func isReplaySuspect(of session: JournalKey, app: String) -> Bool {
        guard !isEmpty, runner != nil else { return false }
        return contents.withLock { contents in
            contents.suspiciousSites.contains(.replay(of: app))
                || contents.suspects[session]?[.replay(of: session, at: 0)] != nil
        }
    }

    /// Returns the entry at which a session's replay crashes, or `nil`.
    func replay(of session: JournalKey) -> GuiltyInput? {
        isEmpty ? nil : contents.withLock { $0.replays[session] }
    }

    /// Returns the number of crashes during which an effect was running.
    func crashes(of effect: @autoclosure () -> GuiltyInput.Identity) -> Int {
        isEmpty ? 0 : contents.withLock { $0.effects.isEmpty ? 0 : $0.effects[effect()] ?? 0 }
    }

    /// Returns a Boolean value that indicates whether this build refuses one of the journal's guilty inputs.
    func refuses(_ input: GuiltyInput) -> Bool {
        input.build == build()
            && (input.identity.kind != .effect || crashes(of: input.identity) >= Self.effectLimit)
    }

    /// Returns the selection of other builds' guilty inputs that are old enough to delete.
    func foreign(by time: Timestamp) -> GuiltyInput.Selection {
        .ofBuilds(otherThan: build(), before: time.milliseconds &- Self.foreignTime)
    }
}

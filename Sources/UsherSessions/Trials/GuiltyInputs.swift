import Synchronization
package import UsherJournal

/// The settings of a registry that have to do with inputs that end the process: those that it knows, and its trials.
package struct TrialSettings: Sendable {
    /// The identity of this build, asked for only where something is guilty.
    package let build: @Sendable () -> UInt64
    /// Makes the trials of suspected inputs; without one they are handled untried.
    package var runner: (any TrialRunner)?
    /// The journal's guilty inputs, the oldest first, those of other builds too.
    package var guilty: [GuiltyInput] = []

    /// The settings of a registry to which nothing is guilty.
    ///
    /// - Parameter build: The identity of this build.
    package init(build: @escaping @Sendable () -> UInt64 = { 0 }) {
        self.build = build
    }

    /// The settings of a registry that knows what its journal knows.
    ///
    /// - Parameters:
    ///   - journal: The journal.
    ///   - build: The identity of this build.
    /// - Throws: `JournalError`.
    package init(
        reading journal: any Journal, build: @escaping @Sendable () -> UInt64
    ) async throws(JournalError) {
        self.build = build
        guilty = try await journal.guiltyInputs()
    }
}

/// The ledger of guilty inputs: those that end the process of this build, the sites in apps at which so many did that every
/// further input is tried in a child before it is handled, and the inputs that were in flight at a crash and could not be
/// tried.
///
/// It is asked before author's code runs, and most of the time is empty: to know that is one atomic load.
final class GuiltyInputs: Sendable {
    /// The judgement on an input.
    enum Judgement {
        /// Nothing is known against it.
        case free
        /// It ends the process.
        case guilty(GuiltyInput)
        /// Others at the same site did, or it was in flight when the process did: it must be tried.
        case suspected
    }

    fileprivate struct Contents {
        var inputs = GuiltyInputList()
        var byIdentity: [GuiltyInput.Identity: GuiltyInput] = [:]
        /// The number of them in each session; without one are creations.
        var counts: [JournalKey?: Int] = [:]
        /// The sessions that cannot be replayed.
        var replays: [JournalKey: GuiltyInput] = [:]
        /// The times of the newest cases at each site, milliseconds since 1970.
        var cases: [GuiltyInput.Site: [Int64]] = [:]
        var suspected: Set<GuiltyInput.Site> = []
        /// The inputs of each session, at any revision, and its replay, that were in flight at the crash before and could not
        /// be tried.
        var untried: [JournalKey?: Set<GuiltyInput.Identity>] = [:]
        /// The time of the oldest input of another build; nil where there is none.
        var oldestForeign: Int64?
        /// The number of changes that this server has made.
        var edition = 0
    }

    /// The identity of this build.
    let build: @Sendable () -> UInt64
    /// Makes the trials.
    let runner: (any TrialRunner)?
    private let isOccupied = Atomic(false)
    private let contents = Mutex(Contents())

    /// As many cases at one site make every further input there suspect, where they lie within an hour.
    private static let suspicion = (cases: 3, within: Int64(3_600_000))
    /// The time for which guilty inputs of other builds are kept: a build may be taken back.
    private static let foreignTime: Int64 = 7 * 24 * 3_600_000

    /// Makes the ledger of what a journal knows.
    init(_ settings: TrialSettings) {
        build = settings.build
        runner = settings.runner
        _ = replace(with: settings.guilty, since: 0)
    }

    /// True while nothing is guilty.
    var isEmpty: Bool { !isOccupied.load(ordering: .acquiring) }

    /// Adds an input that is in the journal.
    func add(_ input: GuiltyInput) {
        contents.withLock { contents in
            contents.edition += 1
            contents.add(input, suspicion: Self.suspicion)
        }
        isOccupied.store(true, ordering: .releasing)
    }

    /// The number of changes that this server has made to it.
    var edition: Int { contents.withLock(\.edition) }

    /// Takes over what the journal knows, for other servers may have added inputs or forgotten some.
    ///
    /// Cases of all servers count. A site that is suspected stays so.
    ///
    /// - Parameters:
    ///   - inputs: The journal's guilty inputs, those of other builds too.
    ///   - edition: The edition before they were read.
    /// - Returns: False where this server has made a change since.
    func replace(with inputs: [GuiltyInput], since edition: Int) -> Bool {
        guard !inputs.isEmpty || !isEmpty else { return true }
        let build = build()
        let known = inputs.filter { $0.build == build }
        let isReplaced = contents.withLock { contents in
            guard contents.edition == edition else { return false }
            var next = Contents(suspected: contents.suspected, untried: contents.untried, edition: edition)
            for input in known { next.add(input, suspicion: Self.suspicion) }
            next.oldestForeign = inputs.filter { $0.build != build }.map(\.time).min()
            contents = next
            return true
        }
        if !known.isEmpty { isOccupied.store(true, ordering: .releasing) }
        return isReplaced
    }

    /// Adds an input, or a replay, that was in flight at a crash and could not be tried: until it is, it may do so again.
    func suspect(_ identity: GuiltyInput.Identity) {
        guard runner != nil else { return }
        _ = contents.withLock { $0.untried[identity.session, default: []].insert(identity.atAnyRevision) }
        isOccupied.store(true, ordering: .releasing)
    }

    /// Clears an input, or a replay, that a trial has survived.
    func acquit(_ identity: GuiltyInput.Identity) {
        contents.withLock { $0.acquit(identity) }
    }

    /// Judges an input that is to be handled.
    ///
    /// - Parameters:
    ///   - identity: The features by which it would be known again; made only where its session has guilty inputs, or such as
    ///     could not be tried.
    ///   - session: Its session; nil for a creation.
    ///   - site: Its site in the app; looked for only where any is suspected.
    func judgement(
        on identity: @autoclosure () -> GuiltyInput.Identity, in session: JournalKey?,
        at site: @autoclosure () -> GuiltyInput.Site
    ) -> Judgement {
        let (isKnown, isAnySuspected) = contents.withLock { contents in
            (contents.counts[session] != nil || contents.untried[session] != nil, !contents.suspected.isEmpty)
        }
        if isKnown {
            let identity = identity()
            let (input, isUntried) = contents.withLock { contents in
                (contents.byIdentity[identity], contents.isUntried(identity))
            }
            if let input { return .guilty(input) }
            if isUntried { return .suspected }
        }
        guard isAnySuspected, runner != nil else { return .free }
        let site = site()
        return contents.withLock { $0.suspected.contains(site) } ? .suspected : .free
    }

    /// True where a session's replay must be tried: others of its app ended the process, or it was in flight then.
    func isReplaySuspected(of session: JournalKey, app: String) -> Bool {
        guard !isEmpty, runner != nil else { return false }
        return contents.withLock { contents in
            contents.suspected.contains(.replay(of: app)) || contents.isUntried(.replay(of: session, at: 0))
        }
    }

    /// The entry at which a session cannot be replayed; nil where nothing is known against it.
    func replay(of session: JournalKey) -> GuiltyInput? {
        isEmpty ? nil : contents.withLock { $0.replays[session] }
    }

    /// Forgets that a session cannot be replayed.
    func forgetReplay(of session: JournalKey) {
        contents.withLock { contents in
            contents.edition += 1
            contents.replays[session] = nil
        }
    }

    /// The inputs of other builds that are to leave the journal by now; nil where there are none, or once they have.
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

extension GuiltyInputs.Contents {
    /// Adds an input once; beyond the limit the oldest makes room.
    fileprivate mutating func add(_ input: GuiltyInput, suspicion: (cases: Int, within: Int64)) {
        acquit(input.identity)
        if input.identity.kind == .replay, let session = input.identity.session {
            guard replays.updateValue(input, forKey: session)?.identity != input.identity else { return }
            return note(input.time, at: input.site, suspicion)
        }
        guard byIdentity[input.identity] == nil else { return }
        if inputs.inputs.count == GuiltyInput.limit, let oldest = inputs.inputs.first {
            byIdentity[oldest.identity] = nil
            let rest = counts[oldest.identity.session, default: 1] - 1
            counts[oldest.identity.session] = rest > 0 ? rest : nil
        }
        inputs.add(input)
        byIdentity[input.identity] = input
        counts[input.identity.session, default: 0] += 1
        note(input.time, at: input.site, suspicion)
    }

    /// True of an input, or a replay, that was in flight at the crash before and could not be tried.
    fileprivate func isUntried(_ identity: GuiltyInput.Identity) -> Bool {
        untried[identity.session]?.contains(identity.atAnyRevision) ?? false
    }

    fileprivate mutating func acquit(_ identity: GuiltyInput.Identity) {
        guard var rest = untried.removeValue(forKey: identity.session) else { return }
        rest.remove(identity.atAnyRevision)
        if !rest.isEmpty { untried[identity.session] = rest }
    }

    private mutating func note(
        _ time: Int64, at site: GuiltyInput.Site, _ suspicion: (cases: Int, within: Int64)
    ) {
        guard !suspected.contains(site) else { return }
        // An app that fails everywhere must not fill the memory with sites.
        if cases.count == GuiltyInput.limit { cases = [:] }
        // Those of other servers may come later than they were.
        let times = (cases[site, default: []] + [time]).sorted().suffix(suspicion.cases)
        cases[site] = Array(times)
        guard times.count == suspicion.cases, let first = times.first, let last = times.last,
            last - first <= suspicion.within
        else { return }
        suspected.insert(site)
        cases[site] = nil
    }
}

import Synchronization
import Usher
import UsherJournal
import UsherProcess

/// The outcome of an input: the answer, and what follows once its commit is durable.
struct InputOutcome: Sendable {
    let snapshot: Snapshot
    /// The lineage of the tree that has handled the input.
    let lineage: Lineage
    /// The work that the input has begun, where several servers may run it.
    var begun: [BegunWork] = []
    /// The token under which the answer waits; nil where there is nothing to wait for.
    var token: Int?
    /// Set where there is work to begin or to end, or a state to be shown.
    var isBusy = false
    /// The outcome to be counted; nil where no user and no backend sent the input.
    var count: EventOutcome?

    /// The first answer to a key again.
    static func replayed(_ first: Snapshot) -> InputOutcome {
        InputOutcome(snapshot: first, lineage: .none, count: .replayed)
    }
}

extension PendingAnswer<InputOutcome> {
    /// True where it is the answer once it is durable: nothing more has to be waited for or looked up.
    var isFinal: Bool {
        switch result {
        case .success(let outcome): outcome.token == nil
        case .failure(.retired), .failure(.ended), .failure(.unknown): false
        case .failure: true
        }
    }

    /// True where nothing follows the commit but a count: it can be handed over on the journal's thread.
    var isPlain: Bool {
        guard case .success(let outcome) = result else { return true }
        return !outcome.isBusy && outcome.snapshot.ending == nil && outcome.snapshot.newLeaks.isEmpty
    }
}

/// The outcome of an end from outside.
struct EndOutcome: Sendable {
    /// The session's app.
    let app: String
    /// The coordinators that did not leave memory.
    let leaks: [Leak]
}

extension Session {
    /// Does all that follows an input once it is durable, whoever sent it: work begins and ends, watchers are shown the
    /// state, leaks are looked into, it is counted, and a session that it has ended leaves memory.
    ///
    /// - Returns: The answer.
    @discardableResult
    func publish(_ outcome: InputOutcome) -> Snapshot {
        let snapshot = outcome.snapshot
        if outcome.isBusy {
            commit(snapshot.revision, of: outcome.lineage, beginning: outcome.begun, rebuilding: true)
        }
        if !snapshot.newLeaks.isEmpty { lookInto(snapshot.newLeaks) }
        if let count = outcome.count {
            metrics.count(count)
            // No entry says that the session was used.
            if count != .accepted { coverUse() }
        }
        if let ending = snapshot.ending {
            metrics.count(LifeStep(.init(ending.reason)))
            // An answer that waits is what its twins find in this session; its request lets the session leave.
            whenFree(\.work.hasWaits) { [self] hasWaits in if !hasWaits { settings.leave(self) } }
        }
        return snapshot
    }

    /// Does all that follows an input's answer: its outcome once that is durable, or why it did nothing.
    func publish(_ result: Result<InputOutcome, SessionError>) -> Result<Snapshot, SessionError> {
        switch result {
        case .success(let outcome): return .success(publish(outcome))
        case .failure(let error):
            publishFailure(error)
            return .failure(error)
        }
    }

    /// Does all that follows an end from outside once it is durable.
    ///
    /// - Returns: The coordinators that did not leave memory.
    func publish(_ outcome: EndOutcome, _ reason: Tombstone.Reason) -> [Leak] {
        whenFree { [self] in stop($0) }
        settings.metrics.app(outcome.app).count(LifeStep(reason))
        settings.leave(self)
        return outcome.leaks
    }

    /// Begins the work of all that is durable, ends what is not waited for any more, and shows the state to those that watch;
    /// nothing of a later revision begins.
    ///
    /// - Parameters:
    ///   - revision: The revision that has become durable; 0 for none.
    ///   - lineage: The lineage of the tree that came to the revision.
    ///   - begun: The work that it has begun here, where several servers may run it.
    ///   - rebuilds: Set to build the tree anew where it has to be, so that its work begins.
    func commit(
        _ revision: Int = 0, of lineage: Lineage = .none, beginning begun: [BegunWork] = [],
        rebuilding rebuilds: Bool = false
    ) {
        if !begun.isEmpty { settings.owned?.add(begun, of: id.journalKey) }
        whenFree { [self] guarded in
            settings.watches.show(guarded.noteDurable(revision, of: lineage), of: id)
            switch guarded.state.consequence {
            case .work(let awake): awake.runWork(begin)
            case .rebuild: if rebuilds { settings.background { [self] in _ = try? await version() } }
            case .stop: stop(guarded)
            case .none: break
            }
        }
    }

    /// Ends what goes on, for the session is over.
    func stop(_ guarded: borrowing GuardedSession) {
        guarded.work.stop()
        settings.owned?.forget(id.journalKey)
        settings.watches.end(id, guarded.tombstone)
    }

    /// Does all that follows an input that did nothing: it is counted, unless it is tried again, and was a use of the session
    /// where its answer tells how that stands.
    func publishFailure(_ error: SessionError) {
        if let outcome = EventOutcome(error) { metrics.count(outcome) }
        if error.current != nil { coverUse() }
    }

    /// Its app's metrics; nobody's until it has been awake.
    var metrics: AppMetrics { settings.metrics.apps[app.load(ordering: .relaxed)] }

    /// Finds out, off the request, who holds leaks: replays the session into a scratch tree and takes that apart.
    private func lookInto(_ leaks: [Leak]) {
        guard let revision = leaks.first?.revision else { return }
        whenFree {
            $0.look { $0.inquire { $0.begin(leaks, of: $1) } } ?? false
        } then: { [self] isNew in
            if isNew { lookInto(leaks, at: revision) }
        }
    }

    private func lookInto(_ leaks: [Leak], at revision: Int) {
        settings.background { [settings, id, weak self] in
            guard let record = try? await settings.journal.record(of: id.journalKey) else { return }
            let flight = SessionFlight(settings.flight, of: id.journalKey, app: record.head.app)
            let replay = Replay(
                record.entries.through(revision), apps: settings.apps, stateLimit: settings.bounds.stateLimit,
                by: settings.guilty.build(), marking: flight)
            let holders = await withTaskExecutorPreference(settings.threads.replays) { () -> [String?]? in
                guard let scratch = try? await replay.tree() else { return nil }
                flight.begin(.look, at: revision)
                defer { flight.end() }
                return scratch.findHolders()
            }
            guard let holders else { return }
            await self?.locked { guarded in
                _ = guarded.look { $0.inquire { $0.end(leaks, holders: holders, of: $1) } }
            }
        }
    }
}

/// The leaks of a session that have been looked into: each type once for each kind of input.
struct LeakInquiry {
    private struct Key: Hashable {
        let type: String
        let input: String
    }

    /// The retainers that were found; nil while they are searched.
    private var holders: [Key: String?] = [:]
    /// Looking into a leak replays the session; one that always leaks something new is not looked into for ever.
    private static let limit = 32

    /// The retainer of a leak, where an inquiry has found it already.
    private func holder(of leak: Leak) -> String? {
        holders[Key(type: leak.type, input: leak.input)] ?? nil
    }

    /// Leaks are to be looked into: what is known of them already is noted in their tree.
    ///
    /// - Returns: True where there is anything to find out.
    mutating func begin(_ leaks: [Leak], of tree: Tree) -> Bool {
        for leak in leaks {
            if let holder = holder(of: leak) { tree.note(holder: holder, ofLeaksLike: leak) }
        }
        let keys = Set(leaks.map { Key(type: $0.type, input: $0.input) }).subtracting(holders.keys)
        guard !keys.isEmpty, holders.count < Self.limit else { return false }
        for key in keys { holders[key] = .some(nil) }
        return true
    }

    /// An inquiry has come to its end; what it has found holds also for leaks that have come meanwhile.
    mutating func end(_ leaks: [Leak], holders found: [String?], of tree: Tree) {
        for case (let leak, let holder?) in zip(leaks, found) {
            holders[Key(type: leak.type, input: leak.input)] = holder
            tree.note(holder: holder, ofLeaksLike: leak)
        }
    }
}

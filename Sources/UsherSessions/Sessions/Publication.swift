import Synchronization
import Usher
import UsherJournal
import UsherProcess

/// The outcome of an input: the answer, and what must be done when its commit is durable.
struct InputOutcome: Sendable {
    let snapshot: Snapshot
    let lineage: Lineage
    /// The work that the input started; empty if only one server uses the journal.
    var begun: [BegunWork] = []
    /// The token of the answer that waits for effects; `nil` if the answer does not wait.
    var token: Int?
    /// A Boolean value that indicates whether there is work to start or cancel, or a state to show.
    var isBusy = false
    /// The outcome for the metrics; `nil` if neither a user nor a backend sent the input.
    var count: EventOutcome?

    static func replayed(_ first: Snapshot) -> InputOutcome {
        InputOutcome(snapshot: first, lineage: .none, count: .replayed)
    }
}

extension PendingAnswer<InputOutcome> {
    /// A Boolean value that indicates whether the answer is complete and only needs to become durable.
    var isFinal: Bool {
        switch result {
        case .success(let outcome): outcome.token == nil
        case .failure(.retired), .failure(.ended), .failure(.unknown): false
        case .failure: true
        }
    }

    /// A Boolean value indicating whether a durable input needs only to be counted, which the journal's thread can do.
    var isPlain: Bool {
        guard case .success(let outcome) = result else { return true }
        return !outcome.isBusy && outcome.snapshot.ending == nil && outcome.snapshot.newLeaks.isEmpty
    }
}

/// The outcome of an end that a request or the server has caused.
struct EndOutcome: Sendable {
    let app: String
    /// The coordinators that stayed in memory.
    let leaks: [Leak]
}

extension Session {
    /// Performs everything that follows a durable input.
    @discardableResult
    func publish(_ outcome: InputOutcome) -> Snapshot {
        let snapshot = outcome.snapshot
        if outcome.isBusy {
            commit(snapshot.revision, of: outcome.lineage, beginning: outcome.begun, rebuilding: true)
        }
        if !snapshot.newLeaks.isEmpty { lookInto(snapshot.newLeaks) }
        if let count = outcome.count {
            metrics.count(count)
            // Records the use of the session, because no new entry shows this use.
            if count != .accepted { coverUse() }
        }
        if let ending = snapshot.ending {
            metrics.count(LifeStep(.init(ending.reason)))
            // While an answer waits for effects, the session stays in memory, so that requests with the same key find
            // the answer. The waiting request later removes the session.
            whenFree(\.work.hasWaits) { [self] hasWaits in if !hasWaits { settings.leave(self) } }
        }
        return snapshot
    }

    /// Performs everything that follows the outcome of an input, whether or not the input had an effect.
    func publish(_ result: Result<InputOutcome, SessionError>) -> Result<Snapshot, SessionError> {
        switch result {
        case .success(let outcome): return .success(publish(outcome))
        case .failure(let error):
            publishFailure(error)
            return .failure(error)
        }
    }

    /// Performs everything that follows a durable end, and returns the coordinators that stayed in memory.
    func publish(_ outcome: EndOutcome, _ reason: Tombstone.Reason) -> [Leak] {
        whenFree { [self] in stop($0) }
        settings.metrics.app(outcome.app).count(LifeStep(reason))
        settings.leave(self)
        return outcome.leaks
    }

    /// Starts durable work, cancels obsolete work, and shows durable states to watchers.
    ///
    /// - Parameters:
    ///   - revision: The revision that became durable; 0 for none.
    ///   - lineage: The lineage of the tree that produced the revision.
    ///   - begun: The work that the revision started on this server; empty if only one server uses the journal.
    ///   - rebuilds: Pass `true` to rebuild the tree if a later write failed, because durable work needs a tree.
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

    /// Stops all work and watchers, because the session has ended.
    func stop(_ guarded: borrowing GuardedSession) {
        guarded.work.stop()
        settings.owned?.forget(id.journalKey)
        settings.watches.end(id, .over(guarded.tombstone))
    }

    /// Counts the error of an input without effect; an answer that shows the session's state counts as a use.
    func publishFailure(_ error: SessionError) {
        if let outcome = EventOutcome(error) { metrics.count(outcome) }
        if error.current != nil { coverUse() }
    }

    /// The metrics of the session's app; until the session is awake, the metrics for unknown apps.
    var metrics: AppMetrics { settings.metrics.apps[app.load(ordering: .relaxed)] }

    /// Searches for the holders of leaks in the background, with a second tree that is built by replay.
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
            let replay = settings.replay(record.entries.through(revision), of: id, record.head.app)
            let holders = await withTaskExecutorPreference(settings.threads.replays) { () -> [String?]? in
                guard let scratch = try? await replay.tree() else { return nil }
                replay.flight?.begin(.look, at: revision)
                defer { replay.flight?.end() }
                return scratch.findHolders()
            }
            guard let holders else { return }
            await self?.locked { guarded in
                _ = guarded.look { $0.inquire { $0.end(leaks, holders: holders, of: $1) } }
            }
        }
    }
}

/// The searches for the holders of a session's leaks, one per type and kind of input.
struct LeakInquiry {
    private struct Key: Hashable {
        let type: String
        let input: String
    }

    /// The holders that were found; `nil` while the search is running.
    private var holders: [Key: String?] = [:]
    /// The largest number of searches per session, because each one replays the session.
    private static let limit = 32

    private func holder(of leak: Leak) -> String? {
        holders[Key(type: leak.type, input: leak.input)] ?? nil
    }

    /// Writes known holders into the tree's leaks, and returns `true` if a search for other holders must run.
    mutating func begin(_ leaks: [Leak], of tree: Tree) -> Bool {
        for leak in leaks {
            if let holder = holder(of: leak) { tree.note(holder: holder, ofLeaksLike: leak) }
        }
        let keys = Set(leaks.map { Key(type: $0.type, input: $0.input) }).subtracting(holders.keys)
        guard !keys.isEmpty, holders.count < Self.limit else { return false }
        for key in keys { holders[key] = .some(nil) }
        return true
    }

    /// Ends a search, whose results also apply to similar leaks that have appeared in the meantime.
    mutating func end(_ leaks: [Leak], holders found: [String?], of tree: Tree) {
        for case (let leak, let holder?) in zip(leaks, found) {
            holders[Key(type: leak.type, input: leak.input)] = holder
            tree.note(holder: holder, ofLeaksLike: leak)
        }
    }
}

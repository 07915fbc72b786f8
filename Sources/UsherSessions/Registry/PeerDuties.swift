import Synchronization
import Usher
import UsherJournal

/// The duties of a server on a shared journal.
///
/// The server claims work that no living server owns, confirms sessions with watchers on this server by reading their
/// newest state, and reads which inputs other servers refuse. Other servers also announce their writes. A lost
/// announcement does no harm, because watched sessions are confirmed every second anyway.
final class PeerDuties: JournalListener {
    private let peers: any JournalPeers
    private let settings: SessionSettings
    private let store: SessionStore
    /// The version of the journal's list of guilty inputs that this server has read; `nil` before the first reading.
    private let ledgerVersion = Mutex<GuiltyInput.ListVersion?>(nil)
    private let pendingRings = Mutex(PendingRings())
    /// The uptime at which the server next reads the number of sessions; `Int64.max` during the reading.
    private let countDue = Atomic(Int64.min)
    var isCounting: Bool { countDue.load(ordering: .relaxed) == .max }

    /// The uptimes of the first claim since the last long gap, and of the latest claim.
    private let claiming = Mutex<(since: Int64, last: Int64)?>(nil)

    /// A Boolean value that indicates whether another server was found to use this server's name.
    private let isDisplaced = Atomic(false)
    private let isClockWrong = Atomic(false)

    /// Work is claimed this many milliseconds before it is due.
    private static let foresight: Int64 = 5_000
    /// The number of pieces of work that are claimed at once.
    private static let stretch = 256
    /// The largest number of sessions that a claim can exclude; work of further sessions is claimed and given back.
    private static let exclusions = 4_096
    /// The time between two updates of the number of sessions, in milliseconds.
    private static let countInterval: Int64 = 10_000

    init(_ peers: any JournalPeers, _ settings: SessionSettings, _ store: SessionStore) {
        self.peers = peers
        self.settings = settings
        self.store = store
        peers.add(self)
    }

    /// Performs all duties; call it every second.
    func run() async {
        observeDisplacement()
        observeClock()
        // Each duty runs separately, so that a failure of one does not affect the others. The guilty inputs are read
        // first, because the work to be claimed may have crashed another server.
        await attempt { () throws(JournalError) in try await readLedger() }
        await attempt { () throws(JournalError) in try await store.settle(settings.releases) }
        await attempt { () throws(JournalError) in try await settings.held.refresh() }
        await attempt { () throws(JournalError) in try await claim() }
        learnCount()
        await beginOwned()
        await confirm(Set(settings.watches.sessions))
    }

    private func attempt(_ duty: () async throws(JournalError) -> Void) async {
        do throws(JournalError) {
            try await duty()
        } catch {
            settings.observe(.postponed(cause: "\(error)"))
        }
    }

    private func observeDisplacement() {
        guard begins(peers.displacement != nil, isDisplaced), let displacement = peers.displacement else { return }
        settings.observe(.displaced(cause: displacement))
    }

    private func observeClock() {
        if begins(peers.isClockWrong, isClockWrong) { settings.observe(.clockWrong(milliseconds: peers.clockError)) }
    }

    /// Stores whether a condition is met; returns `true` if the condition is met now and was not met before.
    private func begins(_ isNow: Bool, _ was: borrowing Atomic<Bool>) -> Bool {
        !was.exchange(isNow, ordering: .relaxed) && isNow
    }

    // MARK: Work

    /// Claims work that is due and that no living server owns.
    func claim() async throws(JournalError) {
        let time = settings.clock.now().milliseconds &+ Self.foresight
        // If memory is scarce, the work is left to other servers.
        while peers.mayBeginWork, !settings.gate.refuses(.waking) {
            noteClaim(at: settings.clock.uptime)
            let lease = peers.lease
            let excluded = Array(settings.releases.leftToOthers.prefix(Self.exclusions))
            let claimed = try await peers.claim(
                under: lease, dueBy: time, limit: Self.stretch, except: excluded, for: settings.guilty.build())
            for work in claimed {
                // Adds the work at once, because other threads may start only owned work.
                settings.owned?.add(work.pieces, of: work.key, under: lease)
            }
            guard claimed.reduce(0, { $0 + $1.pieces.count }) >= Self.stretch else { return }
        }
    }

    private func noteClaim(at uptime: Int64) {
        claiming.withLock { claiming in
            let known = claiming ?? (uptime, uptime)
            claiming = (uptime &- known.last <= Self.longestGap ? known.since : uptime, uptime)
        }
    }

    /// A Boolean value that indicates whether the journal shows all sessions that are in use because their work is
    /// running.
    ///
    /// After a time without any running server, the value is `false` for some minutes: servers have just claimed the
    /// overdue work, but have not recorded yet that the sessions of this work are in use.
    var areUsesKnown: Bool {
        let uptime = settings.clock.uptime
        return claiming.withLock { claiming in
            guard let claiming else { return false }
            return uptime &- claiming.since >= startTime && uptime &- claiming.last <= Self.longestGap
        }
    }

    /// The longest gap between two claims, in milliseconds; after a longer gap, no server may have been running.
    private static let longestGap: Int64 = 60_000
    /// The time, in milliseconds, within which servers start all work that became due while there was no server.
    private var startTime: Int64 { min(600_000, settings.bounds.expiryTime.milliseconds / 8) }

    /// Starts owned work that does not run yet, because it was just claimed or could not start earlier.
    private func beginOwned() async {
        let ids = (settings.owned?.sessions ?? []).map { SessionID($0) }
        settings.held.forgetStalled(settings.held.stalled.subtracting(ids))
        await withTaskGroup { group in
            // Runs in parallel, so that the journal combines the confirmations of the sessions.
            for id in ids { group.addTask { [self] in await begin(id) } }
        }
    }

    private func begin(_ id: SessionID) async {
        guard !settings.held.isStalled(id), !settings.gate.refuses(.waking) else { return }
        // A server of the former build may come back, so the work is left to other servers for a while.
        if settings.releases.isUnwritten(id) { settings.owned?.relinquish(id.journalKey) } else { await goOn(with: id) }
    }

    /// Starts the work of a session, or gives up the work if another server has ended the session.
    private func goOn(with id: SessionID) async {
        let session = session(id)
        defer { store.makeRoom(for: session) }
        do throws(SessionError) {
            let pieces = settings.owned?.pieces(of: id.journalKey) ?? []
            let (newest, lineage, time, isUnwritten) = try await session.peek {
                ($0.newest, $0.lineage, $0.time, $0.unwritten != nil)
            }
            if isUnwritten { settings.owned?.relinquish(id.journalKey) }
            guard !isUnwritten, let version = newest.version else { return }
            // Removes pieces whose inputs were lost. Uses the pieces that were read before `peek`, because the session
            // may have started newer pieces since.
            settings.owned?.forget(pieces.filter { $0.revision > version.revision }, of: id.journalKey)
            session.commit(version.revision, of: lineage)
            coverWork(of: session, since: time)
        } catch {
            switch error {
            case _ where error.isUnrestorable: await relinquish(session)
            case .ended, .unknown:
                settings.owned?.release(id.journalKey)
                _ = session.retire()
                store.remove(session)
            default: break
            }
        }
    }

    /// Records that a session with long-running work is in use, unless a recent input already shows the use.
    private func coverWork(of session: Session, since time: Int64) {
        guard let owned = settings.owned, !owned.pieces(of: session.id.journalKey).isEmpty,
            !settings.held.isStalled(session.id)
        else { return }
        let now = settings.clock.now().milliseconds
        if now &- time > settings.bounds.expiryTime.milliseconds / 2 { session.coverUse(at: now) }
    }

    /// Gives up the work of a session that this build cannot restore, so that another server can try.
    private func relinquish(_ session: Session) async {
        settings.owned?.relinquish(session.id.journalKey)
        // Stops running work, because its results could not be recorded here.
        await session.locked { $0.work.stop() }
        _ = session.retire()
    }

    // MARK: Watched sessions

    private func confirm(_ watched: Set<SessionID>) async {
        guard !watched.isEmpty else { return }
        let now = settings.clock.now().milliseconds
        await withTaskGroup { group in
            for id in watched { group.addTask { [self] in await follow(id, usedAt: now) } }
        }
    }

    /// Shows a session's newest state to its watchers, after rebuilding the tree if another server has written it.
    private func follow(_ id: SessionID, usedAt time: Int64) async {
        let session = session(id)
        defer { store.makeRoom(for: session) }
        do throws(SessionError) {
            _ = try await session.version()
            session.coverUse(at: time)
        } catch {
            switch error {
            case .retired: store.remove(session)
            case .ended(let tombstone): forget(session, tombstone)
            case .unknown: forget(session, nil)
            default: break
            }
        }
    }

    private func forget(_ session: Session, _ tombstone: Tombstone?) {
        _ = session.retire()
        store.remove(session)
        settings.watches.end(session.id, .over(tombstone))
    }

    /// Returns the session, and adds it to memory if necessary; this does not count as a use of the session.
    private func session(_ id: SessionID) -> Session {
        store.session(id) { Session(id, settings: settings, lastUsed: settings.clock.now().milliseconds) }
    }

    // MARK: Announcements of other servers

    func hear(_ rings: [JournalRing]) {
        // Starts a task, because the journal's thread must also call the other listeners.
        Task.detached { [self] in follow(rings) }
    }

    /// Confirms the announced sessions that have watchers; other sessions are confirmed by their next requests.
    private func follow(_ rings: [JournalRing]) {
        let watched = Set(settings.watches.sessions)
        let written = Dictionary(rings.map { (SessionID($0.key), $0.revision) }, uniquingKeysWith: max)
        // A stalled session has work that this server could not start. After the other server's write, this work may
        // have ended, or may be able to start. If an announcement is lost, the next use of the session finds this out.
        for id in settings.held.stalled.intersection(written.keys) {
            Task.detached { [self] in await goOn(with: id) }
        }
        // An empty list means that announcements were lost, so all sessions are confirmed.
        for id in rings.isEmpty ? watched : watched.intersection(written.keys) {
            guard pendingRings.withLock({ $0.begin(id) }) else { continue }
            Task.detached { [self] in
                repeat {
                    await follow(id, usedAt: settings.clock.now().milliseconds)
                } while pendingRings.withLock({ $0.goesOn(id) })
            }
        }
    }

    /// Reads the journal's list of guilty inputs, if another server has changed the list.
    private func readLedger() async throws(JournalError) {
        let version = try await peers.guiltyVersion()
        guard version != ledgerVersion.withLock(\.self) else { return }
        let edition = settings.guilty.edition
        let inputs = try await settings.journal.guiltyInputs()
        // If this server has changed its own list in the meantime, the list from the journal may be older; the next
        // call reads the journal again.
        guard settings.guilty.replace(with: inputs, since: edition) else { return }
        ledgerVersion.withLock { $0 = version }
    }

    /// Reads the number of sessions from the journal every ten seconds, without waiting.
    private func learnCount() {
        let (now, due) = (settings.clock.uptime, countDue.load(ordering: .relaxed))
        guard now >= due, countDue.compareExchange(expected: due, desired: .max, ordering: .relaxed).exchanged else {
            return
        }
        Task.detached { [self] in
            do throws(JournalError) { try await peers.learnCount() } catch {
                settings.observe(.postponed(cause: "\(error)"))
            }
            countDue.store(settings.clock.uptime &+ Self.countInterval, ordering: .relaxed)
        }
    }
}

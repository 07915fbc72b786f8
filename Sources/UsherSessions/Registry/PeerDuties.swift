import Synchronization
import Usher
import UsherJournal

/// The duties of a server among those that share a journal: it claims work that no living server owns, confirms what is
/// watched here, and learns what others refuse.
///
/// It hears which sessions others have written; that is a hint, for what is watched is confirmed each second anyway.
final class PeerDuties: JournalListener {
    private let peers: any JournalPeers
    private let settings: SessionSettings
    private let store: SessionStore
    /// The version of the journal's guilty inputs that the ledger has; nil until they were read.
    private let ledgerVersion = Mutex<GuiltyInput.ListVersion?>(nil)
    /// The watched sessions that are confirmed because they rang.
    private let pendingRings = Mutex(PendingRings())
    /// The time at which the sessions' number is learned again, by the clock's uptime; the last of all while it is learned.
    private let countDue = Atomic(Int64.min)
    /// True while the sessions' number is learned.
    var isCounting: Bool { countDue.load(ordering: .relaxed) == .max }

    /// Since when this server has claimed what is due, without a gap, and when it did last: by the clock's uptime.
    private let claiming = Mutex<(since: Int64, last: Int64)?>(nil)

    /// True once it was observed that another server has this one's name.
    private let isDisplaced = Atomic(false)
    /// True once it was observed that this server's clock is wrong.
    private let isClockWrong = Atomic(false)

    /// In milliseconds, how long before it is due work is claimed.
    private static let foresight: Int64 = 5_000
    /// Pieces of work that are claimed in one go.
    private static let stretch = 256
    /// In milliseconds, the time between two looks for a new count of the sessions.
    private static let countInterval: Int64 = 10_000

    /// Makes the duties of a server, which hears from now on what others write.
    init(_ peers: any JournalPeers, _ settings: SessionSettings, _ store: SessionStore) {
        self.peers = peers
        self.settings = settings
        self.store = store
        peers.add(self)
    }

    /// Does what is due; to be called each second.
    func run() async {
        observeDisplacement()
        observeClock()
        // Each by itself: what one of them may not read keeps nobody from another.
        // What others have learned first, for work that is claimed may have ended their processes.
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

    /// Notes how something is now; true if it has just begun.
    private func begins(_ isNow: Bool, _ was: borrowing Atomic<Bool>) -> Bool {
        !was.exchange(isNow, ordering: .relaxed) && isNow
    }

    // MARK: Work

    /// Claims the work that is due and that no living server owns.
    ///
    /// - Throws: `JournalError`.
    func claim() async throws(JournalError) {
        let time = settings.clock.now().milliseconds &+ Self.foresight
        // Work that this server has no memory for is left to others.
        while peers.mayBeginWork, !settings.gate.refuses(.waking) {
            noteClaim(at: settings.clock.uptime)
            let lease = peers.lease
            let excluded = settings.owned?.backoff.sessions(at: settings.clock.uptime) ?? []
            let claimed = try await peers.claim(
                under: lease, dueBy: time, limit: Self.stretch, except: excluded, for: settings.guilty.build())
            for work in claimed {
                // First: it may begin as soon as it is owned.
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

    /// True where servers have had the time to tell the journal which sessions they work for, since one could claim their work
    /// again: after a time without any, others may just have claimed what was due meanwhile.
    var areUsesKnown: Bool {
        let uptime = settings.clock.uptime
        return claiming.withLock { claiming in
            guard let claiming else { return false }
            return uptime &- claiming.since >= startTime && uptime &- claiming.last <= Self.longestGap
        }
    }

    /// In milliseconds, the time between two claims at most, beyond which there may have been none anywhere.
    private static let longestGap: Int64 = 60_000
    /// In milliseconds, the time that servers may take to begin all that was due while there was none.
    private var startTime: Int64 { min(600_000, settings.bounds.expiryTime.milliseconds / 8) }

    /// Begins work that is this server's and does not run: what it has claimed, and what could not begin before.
    private func beginOwned() async {
        let ids = (settings.owned?.sessions ?? []).map { SessionID($0) }
        settings.held.forgetStalled(settings.held.stalled.subtracting(ids))
        await withTaskGroup { group in
            // All at once, so that they share their confirmations.
            for id in ids { group.addTask { [self] in await begin(id) } }
        }
    }

    /// Begins the work of a session that is this server's, as far as the tree has come to it.
    private func begin(_ id: SessionID) async {
        // Without memory it waits.
        guard !settings.held.isStalled(id), !settings.gate.refuses(.waking) else { return }
        guard !settings.releases.isUnwritten(id) else { return leaveWork(of: id) }
        await goOn(with: id)
    }

    /// Begins the work of a session, or forgets it where others have ended the session.
    private func goOn(with id: SessionID) async {
        let session = session(id)
        defer { store.makeRoom(for: session) }
        do throws(SessionError) {
            let pieces = settings.owned?.pieces(of: id.journalKey) ?? []
            let (newest, lineage, time, isUnwritten) = try await session.peek {
                ($0.newest, $0.lineage, $0.time, $0.unwritten != nil)
            }
            guard !isUnwritten else { return leaveWork(of: id) }
            guard let version = newest.version else { return }
            // Of those that were there before, for the session goes on meanwhile.
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

    /// Lets the other servers know that a session is in use, where its work has gone on for long: else it is its newest
    /// input that tells them, and nothing has to be written.
    private func coverWork(of session: Session, since time: Int64) {
        guard let owned = settings.owned, !owned.pieces(of: session.id.journalKey).isEmpty,
            !settings.held.isStalled(session.id)
        else { return }
        let now = settings.clock.now().milliseconds
        if now &- time > settings.bounds.expiryTime.milliseconds / 2 { session.coverUse(at: now) }
    }

    /// Leaves the work of a session to other servers for a while.
    ///
    /// No work of a session begins here before its resumption is written, because its former build may come back for it.
    private func leaveWork(of id: SessionID) {
        settings.owned?.relinquish(id.journalKey, at: settings.clock.uptime)
    }

    /// Gives the work of a session back that this build cannot restore: another server may.
    private func relinquish(_ session: Session) async {
        leaveWork(of: session.id)
        // Their results could not be recorded here.
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

    /// Shows those who watch a session here its newest state: if others have written it, its tree is built again.
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

    /// Lets a session leave memory that others have ended, and those who watch it know.
    private func forget(_ session: Session, _ tombstone: Tombstone?) {
        _ = session.retire()
        store.remove(session)
        settings.watches.end(session.id, tombstone)
    }

    /// The session with an id, put into memory where it is not there; that is no use of it.
    private func session(_ id: SessionID) -> Session {
        store.session(id) { Session(id, settings: settings, lastUsed: settings.clock.now().milliseconds) }
    }

    // MARK: What others do

    func hear(_ rings: [JournalRing]) {
        // Not on the journal's thread, which has others to tell.
        Task.detached { [self] in follow(rings) }
    }

    /// Follows watched sessions at once, each in one task; of the others, the next request asks the journal anyway.
    private func follow(_ rings: [JournalRing]) {
        let watched = Set(settings.watches.sessions)
        let written = Dictionary(rings.map { (SessionID($0.key), $0.revision) }, uniquingKeysWith: max)
        // Whoever uses one begins its work again, and it may have ended. Of one whose ring was lost its next use tells.
        for id in settings.held.stalled.intersection(written.keys) {
            Task.detached { [self] in await goOn(with: id) }
        }
        // None stands for all: rings were lost.
        for id in rings.isEmpty ? watched : watched.intersection(written.keys) {
            guard pendingRings.withLock({ $0.begin(id) }) else { continue }
            Task.detached { [self] in
                repeat {
                    await follow(id, usedAt: settings.clock.now().milliseconds)
                } while pendingRings.withLock({ $0.goesOn(id) })
            }
        }
    }

    /// Learns which inputs other servers have found guilty, and which they have forgotten.
    private func readLedger() async throws(JournalError) {
        let version = try await peers.guiltyVersion()
        guard version != ledgerVersion.withLock(\.self) else { return }
        let edition = settings.guilty.edition
        let inputs = try await settings.journal.guiltyInputs()
        // Inputs that this server has added meanwhile may not be among them: then they are read once more.
        guard settings.guilty.replace(with: inputs, since: edition) else { return }
        ledgerVersion.withLock { $0 = version }
    }

    /// Learns the number of sessions now and then; nothing waits for it, for it may be this server that counts.
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

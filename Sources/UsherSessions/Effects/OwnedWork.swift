import Synchronization
import Usher
import UsherJournal

/// The work that this server owns, of all its sessions: what it has begun, and what it has claimed.
///
/// Only that starts here, where several servers share a journal. Apart from the sessions: one may leave memory, or lose
/// its tree, before its work has come to its end. With another lease the server owns nothing of what it did: others may
/// have claimed that, and what they have not is claimed like any.
final class OwnedWork: Sendable {
    private struct Holdings {
        var lease: Int64
        var pieces: [JournalKey: Set<WorkPiece>] = [:]
    }

    /// The sessions whose work this server leaves to others.
    let backoff = ClaimBackoff()
    private let holdings: Mutex<Holdings>
    private let peers: any JournalPeers

    /// Makes the work of a server that has none yet.
    ///
    /// - Parameter peers: The other servers.
    init(_ peers: any JournalPeers) {
        self.peers = peers
        holdings = Mutex(Holdings(lease: peers.lease))
    }

    /// Uses the pieces that the lease owns.
    private func withPieces<Value>(
        _ body: (inout [JournalKey: Set<WorkPiece>], _ lease: Int64) -> Value
    ) -> Value {
        holdings.withLock { holdings in
            let lease = peers.lease
            if holdings.lease != lease { holdings = Holdings(lease: lease) }
            return body(&holdings.pieces, lease)
        }
    }

    /// The work that an input begins, as the journal has to know it.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - time: Now.
    func begin(_ work: some Sequence<Work>, at time: Timestamp) -> [BegunWork] {
        let lease = peers.lease
        return work.map {
            BegunWork(WorkPiece($0.id), due: $0.due?.milliseconds, under: lease, at: time.milliseconds)
        }
    }

    /// Work has begun here, durably.
    ///
    /// - Parameters:
    ///   - begun: The work.
    ///   - key: The session.
    func add(_ begun: [BegunWork], of key: JournalKey) {
        guard let lease = begun.lazy.compactMap(\.owner).first else { return }
        add(begun.filter { $0.owner != nil }.map(\.piece), of: key, under: lease)
    }

    /// Work has been claimed.
    ///
    /// - Parameters:
    ///   - claimed: The work.
    ///   - key: The session.
    ///   - owner: The lease that owns it; nothing is this server's of one that it has no longer.
    func add(_ claimed: [WorkPiece], of key: JournalKey, under owner: Int64) {
        guard !claimed.isEmpty else { return }
        withPieces { pieces, lease in
            if lease == owner { pieces[key, default: []].formUnion(claimed) }
        }
    }

    /// True of work that is this server's.
    func has(_ id: EffectID, of key: JournalKey) -> Bool {
        withPieces { pieces, _ in pieces[key]?.contains(WorkPiece(id)) ?? false }
    }

    /// True of work that may begin here now: others may have claimed it once this server has missed its beat.
    func mayBegin(_ id: EffectID, of key: JournalKey) -> Bool {
        has(id, of: key) && peers.mayBeginWork
    }

    /// Lets the journal forget work that has come to its end.
    ///
    /// - Parameters:
    ///   - pending: The work that the session's tree waits for.
    ///   - revision: The tree's revision, which is durable: of later work it knows nothing.
    ///   - key: The session.
    func settle(pending: Set<EffectID>, through revision: Int, of key: JournalKey) {
        release(key) { $0.revision <= revision && !pending.contains(EffectID($0)) }
    }

    /// Forgets the work of a session that is over; its record has none any more.
    func forget(_ key: JournalKey) {
        withPieces { pieces, _ in pieces[key] = nil }
    }

    /// Lets the journal forget the work of a session that is not there any more: it would be claimed for ever.
    func release(_ key: JournalKey) {
        release(key) { _ in true }
    }

    private func release(_ key: JournalKey, where isOver: (WorkPiece) -> Bool) {
        let (over, lease) = take(key, where: isOver)
        if !over.isEmpty { peers.release(over, of: key, under: lease) }
    }

    /// Gives the work of a session back that this server cannot restore, and claims none of it for a while.
    ///
    /// - Parameters:
    ///   - key: The session.
    ///   - uptime: Now, by the clock's uptime.
    func relinquish(_ key: JournalKey, at uptime: Int64) {
        // First: else the next claim would have it again.
        backoff.begin(for: key, at: uptime)
        let (pieces, lease) = take(key) { _ in true }
        if !pieces.isEmpty { peers.relinquish(pieces, of: key, under: lease) }
    }

    /// Takes pieces of a session from those that are this server's, and says under which lease they were.
    @discardableResult
    private func take(_ key: JournalKey, where isTaken: (WorkPiece) -> Bool) -> ([WorkPiece], lease: Int64) {
        withPieces { pieces, lease in
            let taken = (pieces[key] ?? []).filter(isTaken)
            pieces[key]?.subtract(taken)
            if pieces[key]?.isEmpty ?? false { pieces[key] = nil }
            return (Array(taken), lease)
        }
    }

    /// The pieces of a session.
    func pieces(of key: JournalKey) -> Set<WorkPiece> { withPieces { pieces, _ in pieces[key] ?? [] } }

    /// Forgets pieces of a session: their inputs have not happened.
    func forget(_ gone: Set<WorkPiece>, of key: JournalKey) { take(key) { gone.contains($0) } }

    /// The sessions that have any.
    var sessions: [JournalKey] { withPieces { pieces, _ in Array(pieces.keys) } }
}

/// The backoff of claims: sessions that this server could not restore, so that for a while it leaves their work to others,
/// whose build may be another.
///
/// Not for ever: nobody else may be there, or able to.
final class ClaimBackoff: Sendable {
    /// In milliseconds, the time for which a session's work is left to others.
    private static let pause: Int64 = 60_000
    /// The number of sessions that are remembered.
    private static let limit = 4_096

    /// The ends of these times, by the clock's uptime.
    private let ends = Mutex<[JournalKey: Int64]>([:])

    /// The sessions whose work is left to others now.
    func sessions(at uptime: Int64) -> [JournalKey] {
        ends.withLock { ends in
            if ends.values.contains(where: { $0 <= uptime }) { ends = ends.filter { $0.value > uptime } }
            return Array(ends.keys)
        }
    }

    /// A session could not be restored; where there are too many, the one that was tried longest ago is forgotten.
    func begin(for key: JournalKey, at uptime: Int64) {
        ends.withLock { ends in
            ends[key] = uptime &+ Self.pause
            guard ends.count > Self.limit, let oldest = ends.min(by: { $0.value < $1.value }) else { return }
            ends[oldest.key] = nil
        }
    }

    /// A session was restored.
    func end(for key: JournalKey) {
        ends.withLock { ends in
            if !ends.isEmpty { ends[key] = nil }
        }
    }
}

extension EffectID {
    /// The effect or timer of a piece of work.
    init(_ piece: WorkPiece) {
        self.init(revision: piece.revision, index: piece.place)
    }
}

extension WorkPiece {
    /// The name of an effect or a timer in a journal that several servers share.
    init(_ id: EffectID) {
        self.init(revision: id.revision, place: id.index)
    }
}

import Synchronization
import Usher
import UsherJournal

/// The effects and timers of all sessions that this server owns, because it started or claimed them.
///
/// If several servers share a journal, a server runs only its own work. This object is separate from the sessions,
/// because a session may leave memory or lose its tree before its work ends. When the server's lease changes, the
/// server no longer owns any work: other servers may have claimed some of the work, and this server must claim the rest
/// again.
final class OwnedWork: Sendable {
    private struct Holdings {
        var lease: Int64
        var pieces: [JournalKey: Set<WorkPiece>] = [:]
    }

    private let holdings: Mutex<Holdings>
    private let peers: any JournalPeers

    init(_ peers: any JournalPeers) {
        self.peers = peers
        holdings = Mutex(Holdings(lease: peers.lease))
    }

    /// Calls a closure with the pieces of work that the current lease owns.
    private func withPieces<Value>(
        _ body: (inout [JournalKey: Set<WorkPiece>], _ lease: Int64) -> Value
    ) -> Value {
        holdings.withLock { holdings in
            let lease = peers.lease
            if holdings.lease != lease { holdings = Holdings(lease: lease) }
            return body(&holdings.pieces, lease)
        }
    }

    /// Returns the work that an input starts, in the journal's form.
    func begin(_ work: some Sequence<Work>, at time: Timestamp) -> [BegunWork] {
        let lease = peers.lease
        return work.map {
            BegunWork(WorkPiece($0.id), due: $0.due?.milliseconds, under: lease, at: time.milliseconds)
        }
    }

    /// Adds work that this server started with an input that is now durable.
    func add(_ begun: [BegunWork], of key: JournalKey) {
        guard let lease = begun.lazy.compactMap(\.owner).first else { return }
        add(begun.filter { $0.owner != nil }.map(\.piece), of: key, under: lease)
    }

    /// Adds claimed work, unless the lease that owns the work is no longer the current one.
    func add(_ claimed: [WorkPiece], of key: JournalKey, under owner: Int64) {
        guard !claimed.isEmpty else { return }
        withPieces { pieces, lease in
            if lease == owner { pieces[key, default: []].formUnion(claimed) }
        }
    }

    func has(_ id: EffectID, of key: JournalKey) -> Bool {
        withPieces { pieces, _ in pieces[key]?.contains(WorkPiece(id)) ?? false }
    }

    /// Returns a Boolean value that indicates whether a piece of work may start here now.
    ///
    /// If this server has missed its heartbeat, no work may start, because other servers may have claimed the work.
    func mayBegin(_ id: EffectID, of key: JournalKey) -> Bool {
        has(id, of: key) && peers.mayBeginWork
    }

    /// Deletes work that has ended from the journal.
    ///
    /// Work of revisions after the newest durable one is not deleted, because the tree does not contain this work.
    func settle(pending: Set<EffectID>, through revision: Int, of key: JournalKey) {
        release(key) { $0.revision <= revision && !pending.contains(EffectID($0)) }
    }

    /// Removes the work of an ended session from memory; the journal deleted the work when the session ended.
    func forget(_ key: JournalKey) {
        withPieces { pieces, _ in pieces[key] = nil }
    }

    /// Deletes the work of a session that no longer exists, so that no server claims the work again.
    func release(_ key: JournalKey) {
        release(key) { _ in true }
    }

    private func release(_ key: JournalKey, where isOver: (WorkPiece) -> Bool) {
        let (over, lease) = take(key, where: isOver)
        if !over.isEmpty { peers.release(over, of: key, under: lease) }
    }

    /// Gives up the work of a session that this server cannot or must not restore, so that other servers can claim it.
    func relinquish(_ key: JournalKey) {
        let (pieces, lease) = take(key) { _ in true }
        if !pieces.isEmpty { peers.relinquish(pieces, of: key, under: lease) }
    }

    /// Removes pieces of a session's work from memory, and returns these pieces with the lease that owned them.
    @discardableResult
    private func take(_ key: JournalKey, where isTaken: (WorkPiece) -> Bool) -> ([WorkPiece], lease: Int64) {
        withPieces { pieces, lease in
            let taken = (pieces[key] ?? []).filter(isTaken)
            pieces[key]?.subtract(taken)
            if pieces[key]?.isEmpty ?? false { pieces[key] = nil }
            return (Array(taken), lease)
        }
    }

    func pieces(of key: JournalKey) -> Set<WorkPiece> { withPieces { pieces, _ in pieces[key] ?? [] } }

    /// Removes pieces of a session's work from memory, because the inputs that started the pieces were lost.
    func forget(_ gone: Set<WorkPiece>, of key: JournalKey) { take(key) { gone.contains($0) } }

    var sessions: [JournalKey] { withPieces { pieces, _ in Array(pieces.keys) } }
}

extension EffectID {
    init(_ piece: WorkPiece) {
        self.init(revision: piece.revision, index: piece.place)
    }
}

extension WorkPiece {
    init(_ id: EffectID) {
        self.init(revision: id.revision, place: id.index)
    }
}

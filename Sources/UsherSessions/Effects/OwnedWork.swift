import Synchronization
import Usher
import UsherJournal

/// The work that this server owns, of all its sessions: what it has begun, and what it has claimed.
///
/// Only that starts here, where several servers share a journal. Apart from the sessions: one may leave memory, or lose
/// its tree, before its work has come to its end.
final class OwnedWork: Sendable {
    private let pieces = Mutex<[JournalKey: Set<WorkPiece>]>([:])
    private let peers: any JournalPeers

    /// In milliseconds, how soon a timer is due that belongs to the server which has begun it; others are claimed.
    private static let foresight: Int64 = 10_000

    /// Makes the work of a server that has none yet.
    ///
    /// - Parameter peers: The other servers.
    init(_ peers: any JournalPeers) {
        self.peers = peers
    }

    /// Work has begun here, durably.
    ///
    /// - Parameters:
    ///   - begun: The work.
    ///   - key: The session.
    ///   - time: Now.
    func add(_ begun: [BegunWork], of key: JournalKey, at time: Timestamp) {
        let soon = time.milliseconds &+ Self.foresight
        add(begun.filter { $0.due ?? 0 <= soon }.map(\.piece), of: key)
    }

    /// Work has been claimed.
    func add(_ claimed: [WorkPiece], of key: JournalKey) {
        guard !claimed.isEmpty else { return }
        pieces.withLock { $0[key, default: []].formUnion(claimed) }
    }

    /// True of work that is this server's.
    func has(_ id: EffectID, of key: JournalKey) -> Bool {
        pieces.withLock { $0[key]?.contains(WorkPiece(id)) ?? false }
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
        let ended = pieces.withLock { pieces -> Set<WorkPiece> in
            guard let owned = pieces[key] else { return [] }
            let ended = owned.filter { $0.revision <= revision && !pending.contains(EffectID($0)) }
            let rest = owned.subtracting(ended)
            pieces[key] = rest.isEmpty ? nil : rest
            return ended
        }
        if !ended.isEmpty { peers.release(Array(ended), of: key) }
    }

    /// Forgets the work of a session that is over; its record has none any more.
    func forget(_ key: JournalKey) {
        pieces.withLock { $0[key] = nil }
    }

    /// The pieces of a session.
    func pieces(of key: JournalKey) -> Set<WorkPiece> { pieces.withLock { $0[key] ?? [] } }

    /// Forgets pieces of a session: their inputs have not happened.
    func forget(_ gone: Set<WorkPiece>, of key: JournalKey) {
        pieces.withLock { pieces in
            guard let owned = pieces[key], !gone.isEmpty else { return }
            let rest = owned.subtracting(gone)
            pieces[key] = rest.isEmpty ? nil : rest
        }
    }

    /// The sessions that have any.
    var sessions: [JournalKey] { pieces.withLock { Array($0.keys) } }
}

extension EffectID {
    /// The effect or timer of a piece of work.
    fileprivate init(_ piece: WorkPiece) {
        self.init(revision: piece.revision, index: piece.place)
    }
}

extension WorkPiece {
    /// The name of an effect or a timer in a journal that several servers share.
    init(_ id: EffectID) {
        self.init(revision: id.revision, place: id.index)
    }
}

import Synchronization
import UsherJournal

/// An observer that receives each state of a session when the state is durable, in the order of the revisions.
///
/// The session calls the methods while it holds its lock, so they must not wait and must not use the session.
package protocol SessionWatcher: AnyObject, Sendable {
    /// Called when the session has a new state.
    func see(_ state: SharedSnapshot)

    /// Called when the session has refused an input.
    func see(_ refused: RefusedInput)

    /// Called when the client must not receive further states.
    func end(_ reason: WatchEnd)
}

/// The reason why a watcher must not receive further states.
package enum WatchEnd: Sendable {
    /// The client must connect again: the session's tokens have changed, or another server may serve the session.
    case restart
    /// The session has ended. The value is `nil` if the journal has already deleted the record of the end.
    case over(Tombstone?)
    /// This build must no longer serve the session.
    case held(HoldReason)
}

extension SessionWatcher {
    /// By default, does nothing, because most watchers need only states.
    package func see(_ refused: RefusedInput) {}
}

/// The watchers of each session, stored separately because a watched session may leave memory.
final class Watches: Sendable {
    private struct Audience {
        var watchers: [any SessionWatcher] = []
        /// The operators' watchers, which do not count as a use of the session.
        var operators: Set<ObjectIdentifier> = []
        /// The newest state that the watchers have received; `nil` when no watcher retains it any more.
        weak var newest: SharedSnapshot?
        /// The session's tokens; the outer `nil` means that the tokens are unknown.
        var access: SessionAccess??
    }

    private let total = Atomic(0)
    private let audiences = Mutex<[SessionID: Audience]>([:])
    private let limits: (session: Int, all: Int)
    private let waiting: WaitingBytes

    init(perSession: Int, all: Int, waiting: WaitingBytes) {
        limits = (perSession, all)
        self.waiting = waiting
    }

    var count: Int { total.load(ordering: .relaxed) }

    var sessions: [SessionID] { count > 0 ? audiences.withLock { Array($0.keys) } : [] }

    func isWatched(_ id: SessionID) -> Bool {
        // The first condition costs almost nothing if there are no watchers.
        count > 0 && audiences.withLock { $0[id] != nil }
    }

    /// Returns a Boolean value that indicates whether a session has a watcher that is not an operator's.
    func isFollowed(_ id: SessionID) -> Bool {
        count > 0 && audiences.withLock { $0[id].map { $0.watchers.count > $0.operators.count } ?? false }
    }

    /// Adds a watcher (`isUse` is `false` for an operator's); returns `false` if there is no room for another watcher.
    func add(_ watcher: any SessionWatcher, of id: SessionID, isUse: Bool) -> Bool {
        audiences.withLock { audiences in
            guard audiences[id]?.watchers.count ?? 0 < limits.session, count < limits.all else { return false }
            audiences[id, default: Audience()].watchers.append(watcher)
            if !isUse { audiences[id]?.operators.insert(ObjectIdentifier(watcher)) }
            total.add(1, ordering: .relaxed)
            return true
        }
    }

    func remove(_ watcher: any SessionWatcher, of id: SessionID) {
        audiences.withLock { audiences in
            guard let index = audiences[id]?.watchers.firstIndex(where: { $0 === watcher }) else { return }
            audiences[id]?.watchers.remove(at: index)
            audiences[id]?.operators.remove(ObjectIdentifier(watcher))
            if audiences[id]?.watchers.isEmpty ?? false { audiences[id] = nil }
            total.subtract(1, ordering: .relaxed)
        }
    }

    func show(_ snapshots: [Snapshot], of id: SessionID) {
        guard !snapshots.isEmpty else { return }
        let states = snapshots.map { SharedSnapshot($0, in: waiting) }
        let watchers = audiences.withLock { audiences in
            audiences[id]?.newest = states.last
            return audiences[id]?.watchers ?? []
        }
        for watcher in watchers {
            for state in states { watcher.see(state) }
        }
    }

    func tell(_ refused: RefusedInput, of id: SessionID) {
        for watcher in watchers(of: id) { watcher.see(refused) }
    }

    /// Returns a snapshot in shared form: the watchers' newest shared snapshot, if it has the same content.
    func share(_ snapshot: Snapshot, of id: SessionID) -> SharedSnapshot {
        let newest = audiences.withLock { $0[id]?.newest }
        if let newest, newest.snapshot.saysTheSame(as: snapshot) { return newest }
        let state = SharedSnapshot(snapshot, in: waiting)
        audiences.withLock { audiences in
            guard audiences[id]?.newest?.snapshot.revision ?? 0 <= snapshot.revision else { return }
            audiences[id]?.newest = state
        }
        return state
    }

    /// Records a session's tokens; if the tokens have changed, makes the session's watchers connect again.
    func note(_ access: SessionAccess?, of id: SessionID) {
        guard count > 0 else { return }
        let watchers = audiences.withLock { audiences -> [any SessionWatcher] in
            guard let known = audiences[id]?.access else {
                audiences[id]?.access = .some(access)
                return []
            }
            audiences[id]?.access = .some(access)
            return known == access ? [] : audiences[id]?.watchers ?? []
        }
        for watcher in watchers { watcher.end(.restart) }
    }

    func end(_ id: SessionID, _ reason: WatchEnd) {
        for watcher in watchers(of: id) { watcher.end(reason) }
    }

    /// Returns a session's watchers, so that the caller can call them without holding the lock.
    private func watchers(of id: SessionID) -> [any SessionWatcher] {
        count > 0 ? audiences.withLock { $0[id]?.watchers ?? [] } : []
    }
}

extension Snapshot {
    fileprivate func saysTheSame(as other: Snapshot) -> Bool {
        isSameRevision(as: other) && (ending == nil) == (other.ending == nil)
            && state == other.state
    }
}

/// A watcher that waits until a session has a later revision, or ends.
final class RevisionWatcher: SessionWatcher {
    private let known: Int
    private let epoch: String?
    private let latch = Latch<Void>()

    /// Creates a watcher that waits for a revision after `known`, which is the revision that the client has.
    ///
    /// The wait also ends at an epoch other than `epoch`, because a crash may have undone the known revision.
    init(beyond known: Int, in epoch: String?) {
        self.known = known
        self.epoch = epoch
    }

    func see(_ state: SharedSnapshot) {
        if state.snapshot.revision > known || state.snapshot.epoch != epoch { end() }
    }

    func end(_ reason: WatchEnd = .restart) {
        latch.open(with: ())
    }

    func wait() async {
        await latch.wait()
    }
}

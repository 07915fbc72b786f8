import Synchronization
import UsherJournal

/// An observer that is shown a session's states as they become durable, in the order of their revisions.
///
/// All methods are called under the session's lock: they must not wait, and not use the session.
package protocol SessionWatcher: AnyObject, Sendable {
    /// The session has a new state.
    func see(_ state: SharedSnapshot)

    /// The session has refused an input.
    func see(_ refused: RefusedInput)

    /// The session's tokens have changed: its client has to show its own anew.
    func restart()

    /// The session is over; nothing more comes.
    ///
    /// - Parameter tombstone: Its remains; nil where the journal has forgotten them.
    func seeEnd(_ tombstone: Tombstone?)

    /// This build must not serve the session any more; nothing more comes.
    func seeHold(_ reason: HoldReason)
}

extension SessionWatcher {
    /// Most watch states alone.
    package func see(_ refused: RefusedInput) {}
}

/// The watchers of each session.
///
/// Apart from the sessions: one that is watched may leave memory.
final class Watches: Sendable {
    /// Those who watch one session.
    private struct Audience {
        var watchers: [any SessionWatcher] = []
        /// Those of them that are an operator's, whose look is no use of the session.
        var operators: Set<ObjectIdentifier> = []
        /// The newest state that was shown, for as long as one of them holds it.
        weak var newest: SharedSnapshot?
        /// The tokens that open the session, as far as they are known.
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

    /// The number of watchers.
    var count: Int { total.load(ordering: .relaxed) }

    /// The sessions that are watched.
    var sessions: [SessionID] { count > 0 ? audiences.withLock { Array($0.keys) } : [] }

    func isWatched(_ id: SessionID) -> Bool {
        // It costs nothing where nobody watches anything.
        count > 0 && audiences.withLock { $0[id] != nil }
    }

    /// Returns a Boolean value indicating whether others than operators watch a session.
    func isFollowed(_ id: SessionID) -> Bool {
        count > 0 && audiences.withLock { $0[id].map { $0.watchers.count > $0.operators.count } ?? false }
    }

    /// Adds a watcher.
    ///
    /// - Parameters:
    ///   - watcher: The watcher.
    ///   - id: The key to the session.
    ///   - isUse: Pass false for an operator's.
    /// - Returns: False where there is no room.
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
        guard count > 0 else { return }
        for watcher in audiences.withLock({ $0[id]?.watchers ?? [] }) { watcher.see(refused) }
    }

    /// A snapshot of a session as it is shared: the one that its watchers hold already, where that says the same.
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

    /// Notes the tokens that open a session; where they are others, those who watch it have to show theirs anew.
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
        for watcher in watchers { watcher.restart() }
    }

    /// Ends the streams of a session in such a way that their clients connect again: another server may show it.
    func restart(_ id: SessionID) {
        guard count > 0 else { return }
        for watcher in audiences.withLock({ $0[id]?.watchers ?? [] }) { watcher.restart() }
    }

    func end(_ id: SessionID, _ tombstone: Tombstone?) {
        guard count > 0 else { return }
        for watcher in audiences.withLock({ $0[id]?.watchers ?? [] }) { watcher.seeEnd(tombstone) }
    }

    func hold(_ id: SessionID, for reason: HoldReason) {
        guard count > 0 else { return }
        for watcher in audiences.withLock({ $0[id]?.watchers ?? [] }) { watcher.seeHold(reason) }
    }
}

extension Snapshot {
    fileprivate func saysTheSame(as other: Snapshot) -> Bool {
        isSameRevision(as: other) && (ending == nil) == (other.ending == nil)
            && state == other.state
    }
}

/// Waits for a session to come beyond a revision, or to end.
final class RevisionWatcher: SessionWatcher {
    private let known: Int
    private let epoch: String?
    private let latch = Latch<Void>()

    /// Makes one that waits.
    ///
    /// - Parameters:
    ///   - known: The revision beyond which it waits.
    ///   - epoch: The mark that tells it from one of the same number: another may have taken it back.
    init(beyond known: Int, in epoch: String?) {
        self.known = known
        self.epoch = epoch
    }

    func see(_ state: SharedSnapshot) {
        if state.snapshot.revision > known || state.snapshot.epoch != epoch { end() }
    }

    func restart() {
        end()
    }

    func seeEnd(_ tombstone: Tombstone?) {
        end()
    }

    func seeHold(_ reason: HoldReason) {
        end()
    }

    /// Lets the one go that waits.
    func end() {
        latch.open(with: ())
    }

    func wait() async {
        await latch.wait()
    }
}

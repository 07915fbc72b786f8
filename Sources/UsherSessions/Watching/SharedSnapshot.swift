import Synchronization

/// A snapshot that all watchers of a session share, so that its bytes are in memory only once.
///
/// While the object exists, its bytes count as waiting.
package final class SharedSnapshot: Sendable {
    package let snapshot: Snapshot
    private let waiting: WaitingBytes
    /// The reduced forms of the snapshot that watchers have requested.
    private let parts = Mutex<[Snapshot.Extent: SharedSnapshot]>([:])

    /// Creates a shared snapshot, and adds its bytes to the sum of the waiting bytes.
    package init(_ snapshot: Snapshot, in waiting: WaitingBytes) {
        self.snapshot = snapshot
        self.waiting = waiting
        waiting.add(snapshot.state.count)
    }

    /// Returns the same state in the profile `changes`; all watchers share the reduced state, which is computed once.
    package func reduced(to extent: Snapshot.Extent) -> SharedSnapshot {
        parts.withLock { parts in
            if let part = parts[extent] { return part }
            let part = SharedSnapshot(snapshot.reduced(to: extent), in: waiting)
            parts[extent] = part
            return part
        }
    }

    deinit {
        waiting.subtract(snapshot.state.count)
    }
}

/// The number of bytes of all states that wait for slow readers, and the limit of this number.
///
/// If more than half of the limit is used, a stream accepts a state only after sending all earlier states, so slow
/// readers miss states. Beyond the limit, the server closes the streams that have waited longest.
package final class WaitingBytes: Sendable {
    private let bytes = Atomic(0)
    private let bound: Int

    /// Creates an empty sum with a limit in bytes.
    package init(bound: Int = .max) {
        self.bound = bound
    }

    /// The number of bytes that wait.
    package var count: Int { bytes.load(ordering: .relaxed) }

    /// The number of bytes by which the limit is exceeded.
    package var excess: Int { max(0, count - bound) }

    /// A Boolean value that indicates whether more than half of the limit is used, so that slow readers miss states.
    package var isScarce: Bool { count > bound / 2 }

    fileprivate func add(_ count: Int) { bytes.add(count, ordering: .relaxed) }

    fileprivate func subtract(_ count: Int) { bytes.subtract(count, ordering: .relaxed) }
}

import Synchronization

/// A snapshot that is shared by all who watch a session: its bytes are in memory once, and count as waiting for as long as
/// anyone holds it.
package final class SharedSnapshot: Sendable {
    /// The snapshot.
    package let snapshot: Snapshot
    private let waiting: WaitingBytes
    /// The same with less in it, as far as anyone has asked for that.
    private let parts = Mutex<[Snapshot.Extent: SharedSnapshot]>([:])

    /// Makes one that counts.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot.
    ///   - waiting: The sum in which its bytes count.
    package init(_ snapshot: Snapshot, in waiting: WaitingBytes) {
        self.snapshot = snapshot
        self.waiting = waiting
        waiting.add(snapshot.state.count)
    }

    /// The same state in the profile `changes`: made once for all who watch, and kept for as long as this.
    ///
    /// - Parameter extent: The part of it that is told.
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

/// The bytes of all states that wait for slow readers, and the bound of their sum.
///
/// Beyond the bound a stream takes a state only once it has sent all before, so that the slow ones miss some; and those
/// that have waited longest are closed.
package final class WaitingBytes: Sendable {
    private let bytes = Atomic(0)
    private let bound: Int

    /// Makes the sum of nothing.
    ///
    /// - Parameter bound: The bytes that may wait.
    package init(bound: Int = .max) {
        self.bound = bound
    }

    /// The bytes that wait.
    package var count: Int { bytes.load(ordering: .relaxed) }

    /// The bytes by which the bound is exceeded.
    package var excess: Int { max(0, count - bound) }

    /// True while slow readers must miss states: half of the bound is used.
    package var isScarce: Bool { count > bound / 2 }

    fileprivate func add(_ count: Int) { bytes.add(count, ordering: .relaxed) }

    fileprivate func subtract(_ count: Int) { bytes.subtract(count, ordering: .relaxed) }
}

import Dispatch
import Synchronization

/// Blocks a journal's thread after its first commit.
package final class Gate: Sendable {
    private let counts = Mutex<[Int]>([])
    private let arrived = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    package init() {}

    /// The number of changes in each commit.
    package var commits: [Int] { counts.withLock { $0 } }

    /// Called on the journal's thread after each commit.
    package func didCommit(_ count: Int) {
        let isFirst = counts.withLock { counts in
            counts.append(count)
            return counts.count == 1
        }
        guard isFirst else { return }
        arrived.signal()
        opened.wait()
    }

    package func waitForCommit() { arrived.wait() }

    package func open() { opened.signal() }
}

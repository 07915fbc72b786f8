import Dispatch
import Synchronization

@testable import UsherSQLite

/// Holds a journal's thread after its first commit.
final class Gate: Sendable {
    private let counts = Mutex<[Int]>([])
    private let arrived = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    var commits: [Int] { counts.withLock { $0 } }

    var hooks: Hooks {
        var hooks = Hooks()
        hooks.didCommit = { [self] count in
            let isFirst = counts.withLock { counts in
                counts.append(count)
                return counts.count == 1
            }
            guard isFirst else { return }
            arrived.signal()
            opened.wait()
        }
        return hooks
    }

    func waitForCommit() { arrived.wait() }

    func open() { opened.signal() }
}

import Glibc
import ServerCluster
import Synchronization

/// The progress of a load, which those who cause faults wait for and end.
final class LoadProgress: Sendable {
    private let steps = Atomic(0)
    private let flag = Atomic(false)
    private let holding = Atomic(false)
    /// The number of pending requests to each port.
    private let requests = Mutex<[Int: Int]>([:])

    /// A Boolean value that indicates whether the clients must end.
    var isOver: Bool { flag.load(ordering: .acquiring) }

    /// The number of requests with a response so far.
    var count: Int { steps.load(ordering: .relaxed) }

    func note() { steps.add(1, ordering: .relaxed) }

    /// Counts a request when its response has arrived.
    func noting<Answer>(_ body: () -> Answer) -> Answer {
        defer { note() }
        return body()
    }

    func finish() { flag.store(true, ordering: .releasing) }

    /// Whether a server may handle requests very late, long after their clients got a response elsewhere.
    var isHeldUp: Bool {
        get { holding.load(ordering: .acquiring) }
        set { holding.store(newValue, ordering: .releasing) }
    }

    /// Waits until a server that continues has handled its old requests.
    func release(_ server: ClusterServer) {
        _ = server.becomes(ready: true)
        rest(.milliseconds(500))
        isHeldUp = false
    }

    /// Counts a request as pending while it is made.
    func request<Answer>(to port: Int, _ body: () -> Answer) -> Answer {
        requests.withLock { $0[port, default: 0] += 1 }
        defer { requests.withLock { $0[port, default: 1] -= 1 } }
        return body()
    }

    /// Returns `true` while a client waits for a response that it has requested from a server without HAProxy.
    func isWaited(for server: ClusterServer) -> Bool {
        requests.withLock { $0[server.port, default: 0] > 0 }
    }

    /// Waits until a server has a pending request, so that a fault meets this request.
    ///
    /// - Returns: `false` if no client sends a request within a time limit.
    func waitForRequest(to server: ClusterServer) -> Bool {
        let end = LoadClient.now + 20_000_000_000
        while !isWaited(for: server), LoadClient.now < end { usleep(100) }
        return isWaited(for: server)
    }

    /// Waits until a number of further requests have got responses, or until a time limit.
    func wait(for more: Int, atMost seconds: Int64 = 20) {
        let (goal, end) = (count + more, LoadClient.now + seconds * 1_000_000_000)
        while count < goal, LoadClient.now < end { Self.pause() }
    }

    /// Waits for a duration.
    func rest(_ time: Duration) {
        usleep(UInt32(clamping: Int64(time / .microseconds(1))))
    }

    /// Pauses briefly between two checks of another process's work.
    static func pause() { usleep(5_000) }
}

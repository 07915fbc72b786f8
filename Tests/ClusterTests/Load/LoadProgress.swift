import Glibc
import ServerCluster
import Synchronization

/// How far a load has come: those who make faults wait for it, and end it.
final class LoadProgress: Sendable {
    private let steps = Atomic(0)
    private let flag = Atomic(false)
    private let holding = Atomic(false)
    /// The number of requests under way to each port.
    private let requests = Mutex<[Int: Int]>([:])

    /// True once the clients have to come to their end.
    var isOver: Bool { flag.load(ordering: .acquiring) }

    /// The requests that were answered so far.
    var count: Int { steps.load(ordering: .relaxed) }

    func note() { steps.add(1, ordering: .relaxed) }

    /// Notes a request that a body makes, once it is answered.
    func noting<Answer>(_ body: () -> Answer) -> Answer {
        defer { note() }
        return body()
    }

    func finish() { flag.store(true, ordering: .releasing) }

    /// True while a server may have requests that it handles only later, long after their clients were answered elsewhere.
    var isHeldUp: Bool {
        get { holding.load(ordering: .acquiring) }
        set { holding.store(newValue, ordering: .releasing) }
    }

    /// Waits until a server that goes on has handled what it has had all the time.
    func release(_ server: ClusterServer) {
        _ = server.becomes(ready: true)
        rest(.milliseconds(500))
        isHeldUp = false
    }

    /// Has a request be under way while it is made.
    func request<Answer>(to port: Int, _ body: () -> Answer) -> Answer {
        requests.withLock { $0[port, default: 0] += 1 }
        defer { requests.withLock { $0[port, default: 1] -= 1 } }
        return body()
    }

    /// True while a client waits for an answer of a server, which he has asked without HAProxy between them.
    func isWaited(for server: ClusterServer) -> Bool {
        requests.withLock { $0[server.port, default: 0] > 0 }
    }

    /// Waits until a server is asked something, for what strikes it then strikes a request.
    ///
    /// - Returns: False where nobody has asked for some time.
    func waitForRequest(to server: ClusterServer) -> Bool {
        let end = LoadClient.now + 20_000_000_000
        while !isWaited(for: server), LoadClient.now < end { usleep(100) }
        return isWaited(for: server)
    }

    /// Waits until so many more requests have been answered, or a time is over.
    func wait(for more: Int, atMost seconds: Int64 = 20) {
        let (goal, end) = (count + more, LoadClient.now + seconds * 1_000_000_000)
        while count < goal, LoadClient.now < end { Self.pause() }
    }

    /// Lets a time go by.
    func rest(_ time: Duration) {
        usleep(UInt32(clamping: Int64(time / .microseconds(1))))
    }

    /// A moment, between two looks at something that another process does.
    static func pause() { usleep(5_000) }
}

private import Glibc
internal import Synchronization

/// The socket of a connection and the time by which its client must have done its part.
final class ConnectionDeadline: Sendable {
    private let socket: Int32
    private let time = Atomic(MonotonicClock.never)
    private let idle = Atomic(true)

    init(socket: Int32) {
        self.socket = socket
    }

    /// Whether no request is under way.
    var isIdle: Bool {
        get { idle.load(ordering: .relaxed) }
        set { idle.store(newValue, ordering: .relaxed) }
    }

    /// Sets the time to so many nanoseconds from now.
    func set(in nanoseconds: Int64) {
        time.store(MonotonicClock.time(in: nanoseconds), ordering: .relaxed)
    }

    /// Sets the time to so many nanoseconds from now, unless it is sooner already.
    func shorten(to nanoseconds: Int64) {
        time.min(MonotonicClock.time(in: nanoseconds), ordering: .relaxed)
    }

    /// Gives the client no deadline: the server is at work.
    func clear() {
        time.store(MonotonicClock.never, ordering: .relaxed)
    }

    func isPast(_ now: Int64) -> Bool {
        time.load(ordering: .relaxed) <= now
    }

    /// Ends the connection; libmicrohttpd then sees it closed and cleans up.
    func shutDown() {
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Reads no more than has come already; an idle connection then closes.
    func stopReading() {
        _ = shutdown(socket, Int32(SHUT_RD))
    }
}

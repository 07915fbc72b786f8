private import Glibc
internal import Synchronization

/// A connection's deadline: the time by which its client must have done its part, and the socket to end it by.
final class ConnectionDeadline: Sendable {
    private let socket: Int32
    private let time = Atomic(CoarseClock.never)
    private let idle = Atomic(true)

    init(socket: Int32) {
        self.socket = socket
    }

    /// Set while no request is under way.
    var isIdle: Bool {
        get { idle.load(ordering: .relaxed) }
        set { idle.store(newValue, ordering: .relaxed) }
    }

    /// Sets the time to so many nanoseconds from now.
    func set(in nanoseconds: Int64) {
        time.store(CoarseClock.time(in: nanoseconds), ordering: .relaxed)
    }

    /// Sets the time to so many nanoseconds from now, unless it is sooner already.
    func shorten(to nanoseconds: Int64) {
        time.min(CoarseClock.time(in: nanoseconds), ordering: .relaxed)
    }

    /// Gives the client no deadline: the server is at work.
    func clear() {
        time.store(CoarseClock.never, ordering: .relaxed)
    }

    fileprivate func isPast(_ now: Int64) -> Bool {
        time.load(ordering: .relaxed) <= now
    }

    /// Ends the connection; libmicrohttpd then sees it closed and cleans up.
    fileprivate func shutDown() {
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Reads no more than has come already; an idle connection then closes.
    fileprivate func stopReading() {
        _ = shutdown(socket, Int32(SHUT_RD))
    }
}

/// The open connections: each leaves the register before its socket is closed, so that none touched here is another's.
extension Register<ConnectionDeadline> {
    /// Ends the connections whose clients are late.
    func shutDownLate(at now: Int64) {
        forEach { if $0.isPast(now) { $0.shutDown() } }
    }

    /// Lets the connections close that wait for a request.
    func closeIdle() {
        forEach { if $0.isIdle { $0.stopReading() } }
    }

    /// Ends all connections.
    func shutDownAll() {
        forEach { $0.shutDown() }
    }
}

/// A monotonic clock in nanoseconds that is coarse (some milliseconds), and so nearly free to read.
enum CoarseClock {
    /// Later than any time of the clock.
    static let never = Int64.max

    static var now: Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The time that lies a duration ahead.
    static func time(in nanoseconds: Int64) -> Int64 {
        let (time, overflow) = now.addingReportingOverflow(nanoseconds)
        return overflow ? never : time
    }
}

extension Duration {
    /// Whole nanoseconds, at most as many as fit.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds < 9_000_000_000 else { return .max }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}

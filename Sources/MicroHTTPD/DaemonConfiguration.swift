private import CMicroHTTPD
package import UsherHTTP
internal import UsherProcess

/// The address that a daemon listens on, and the limits for its clients.
package struct DaemonConfiguration: Sendable {
    /// An IPv4 or IPv6 address, or `localhost` for 127.0.0.1.
    package var host = "127.0.0.1"
    package var port = 0
    /// The path of a Unix socket to use instead of host and port.
    package var socketPath: String?
    /// The number of threads that serve connections, from 1 to 1024.
    package var threads = ProcessEnvironment.processorCount
    /// The size of a connection's memory for the head of a request, in bytes; larger heads get a 431.
    package var connectionMemory = 8192
    /// The largest number of open connections; further connections wait, or the standby daemon answers their requests.
    ///
    /// Above seven eighths of the limit, the connections that have waited longest for a request are closed.
    package var connectionLimit = 10_000
    /// The largest number of open connections from one address; 0 for no limit.
    ///
    /// IPv6 addresses count by their /64 network. Requests on further connections get a 429.
    package var connectionsPerAddress = 0
    /// Returns `true` if `connectionsPerAddress` limits an address; returns `false` for the address of a proxy, which
    /// many clients share.
    package var isLimited: @Sendable (NetworkAddress) -> Bool = { _ in true }
    /// The largest accepted body, in bytes; larger bodies get a 413.
    package var bodyLimit = 64 * 1024
    /// Body limits of individual paths, in bytes.
    package var bodyLimits: [Path: Int] = [:]
    /// The largest sum of all request and response bodies above 4 KiB, in bytes; further bodies get a 503.
    package var exchangeLimit = Int.max
    /// The largest accepted request target, in bytes; longer targets get a 414.
    package var targetLimit = 2048
    package var deadlines = Deadlines()

    /// Creates a configuration with default limits, by default on a free port of 127.0.0.1.
    package init(host: String = "127.0.0.1", port: Int = 0) {
        self.host = host
        self.port = port
    }

    /// Lowers the connection limit to leave a reserve of the process's file descriptors, if their limit is known.
    ///
    /// The reserve is for the threads (two descriptors each), the journal and other files, effects, and the connections
    /// of the standby daemon.
    package mutating func limitConnections(toDescriptors descriptors: Int?) {
        guard let descriptors else { return }
        let reserve = Self.fileReserve + 2 * threads + min(Self.largestReserve, descriptors / 4)
        connectionLimit = max(threads, min(connectionLimit, descriptors - reserve))
    }

    /// The size of a connection's memory in bytes: room for the head of a request and the head of its response.
    var wholeConnectionMemory: Int { max(1024, connectionMemory) + Int(usher_answer_room) }

    /// The largest number of the standby daemon's connections, and of sockets in `HalfClosedSockets`.
    var standbyLimit: Int { min(64, max(4, connectionLimit / 16)) }

    /// The number of descriptors for the standard streams, the journal, epoll sets and timers.
    private static let fileReserve = 32

    /// The largest number of descriptors that are reserved for other uses than connections.
    private static let largestReserve = 1024

    /// The deadlines of a client, each counted from a fixed moment, so that single bytes do not extend a deadline.
    package struct Deadlines: Sendable {
        /// The time for the head of a request, from the connection's start or the request line.
        package var head: Duration = .seconds(10)
        /// The time for the body, from the end of the head.
        package var body: Duration = .seconds(30)
        /// The time in which the client must read the response, from the response's start.
        package var response: Duration = .seconds(30)
        /// The time between two requests of a connection, counted from the end of the first request's response.
        ///
        /// This time must exceed the time for which proxies keep a connection, usually a minute. If the server closed
        /// first, a proxy could send a request on a connection that is closing.
        package var idle: Duration = .seconds(120)
        /// The time for current requests when the daemon stops; requests that take longer get a 503.
        package var grace: Duration = .seconds(10)
        /// The time for which the rest of a refused request is read, so that the refusal is not lost.
        package var halfClosed: Duration = .seconds(2)
        /// The time in which idle connections may send one more request when the daemon stops; the response closes
        /// them.
        package var linger: Duration = .milliseconds(250)

        package init() {}
    }
}

private import CMicroHTTPD
package import UsherHTTP
internal import UsherProcess

/// The address at which a daemon listens, and the limits that it sets its clients.
package struct DaemonConfiguration: Sendable {
    /// An IPv4 or IPv6 address, or `localhost`, which is 127.0.0.1.
    package var host = "127.0.0.1"
    /// The port; 0 takes a free one.
    package var port = 0
    /// The path of a Unix socket, which takes the place of host and port.
    package var socketPath: String?
    /// The number of threads that serve connections, from 1 to 1024.
    package var threads = ProcessEnvironment.processorCount
    /// The bytes of memory a connection has for a request's head; larger heads are refused with 431.
    package var connectionMemory = 8192
    /// The number of connections open at once; further ones wait, or are answered by the standby daemon.
    ///
    /// Beyond seven eighths those close that have waited longest for a request.
    package var connectionLimit = 10_000
    /// The number of connections open at once from one address; 0 is no limit.
    ///
    /// Of version 6 it is one network of 64 bits. Requests on further connections are answered with 429.
    package var connectionsPerAddress = 0
    /// True of an address that is held to it: not of a proxy's, which is the address of many.
    package var isLimited: @Sendable (NetworkAddress) -> Bool = { _ in true }
    /// The bytes of body that are taken; more are refused with 413.
    package var bodyLimit = 64 * 1024
    /// The bytes of body that are taken at these paths instead.
    package var bodyLimits: [Path: Int] = [:]
    /// The bytes that all bodies which come in, and answers which go out, may take together; small ones do not count.
    ///
    /// Further bodies are refused with 503.
    package var exchangeLimit = Int.max
    /// The bytes of request target that are taken; more are refused with 414.
    package var targetLimit = 2048
    /// The time that a client may take over each part.
    package var deadlines = Deadlines()

    /// The defaults, on a free port of 127.0.0.1.
    package init(host: String = "127.0.0.1", port: Int = 0) {
        self.host = host
        self.port = port
    }

    /// The number of connections that are left at most when the process may open so many files.
    ///
    /// The rest is a reserve: for the threads, which have two descriptors each, the journal and other files, effects, and
    /// connections that the standby daemon takes.
    ///
    /// - Parameter descriptors: The process's limit; nil if it is not known.
    package mutating func limitConnections(toDescriptors descriptors: Int?) {
        guard let descriptors else { return }
        let reserve = Self.fileReserve + 2 * threads + min(Self.largestReserve, descriptors / 4)
        connectionLimit = max(threads, min(connectionLimit, descriptors - reserve))
    }

    /// The bytes of a connection's memory: those for a request's head, and those for its answer's.
    var wholeConnectionMemory: Int { max(1024, connectionMemory) + Int(usher_answer_room) }

    /// The connections that the standby daemon takes, and those that are read on after their end.
    var standbyLimit: Int { min(64, max(4, connectionLimit / 16)) }

    /// Standard streams, the journal, epoll sets, timers.
    private static let fileReserve = 32

    /// More is not needed by what is not a connection.
    private static let largestReserve = 1024

    /// The deadlines of a client: each is counted from a fixed moment, so that a byte now and then wins no time.
    package struct Deadlines: Sendable {
        /// For a request's head, from the connection's start or the request line.
        package var head: Duration = .seconds(10)
        /// For its body, from the end of the head.
        package var body: Duration = .seconds(30)
        /// For reading the response, from its start.
        package var response: Duration = .seconds(30)
        /// Between two requests of a connection, from the end of the first one's response.
        ///
        /// Longer than the minute or so that most proxies keep a connection: the side that sends requests has to close first, or
        /// a request meets a connection that closes.
        package var idle: Duration = .seconds(120)
        /// For requests under way when the daemon stops; then they are answered with 503.
        package var grace: Duration = .seconds(10)
        /// For the rest of a refused request, which is read so that the refusal is not lost.
        package var halfClosed: Duration = .seconds(2)
        /// For idle connections when the daemon stops to send one more request, whose answer tells them to close.
        package var linger: Duration = .milliseconds(250)

        /// The defaults.
        package init() {}
    }
}

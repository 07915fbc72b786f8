internal import Synchronization
internal import UsherFuture
internal import UsherHTTP
internal import UsherProcess

final class DaemonContext: Sendable {
    /// The deadlines in nanoseconds, converted once because every request reads them.
    struct Times: Sendable {
        let head: Int64
        let body: Int64
        let response: Int64
        let idle: Int64

        fileprivate init(_ deadlines: DaemonConfiguration.Deadlines) {
            head = deadlines.head.nanoseconds
            body = deadlines.body.nanoseconds
            response = deadlines.response.nanoseconds
            idle = deadlines.idle.nanoseconds
        }

        var shortest: Int64 { min(head, body, response, idle) }
    }

    let reply: @Sendable (Request) -> Future<Response>
    /// Completes the response to a request that the daemon answers without `reply`, given the request's header fields.
    let refused: @Sendable (Response, HeaderFields) -> Response
    let connectionLimit: Int
    private let bodyLimit: Int
    // An array instead of a dictionary: there are few paths, and comparing their lengths is faster than hashing.
    private let bodyLimits: [(path: Path, limit: Int)]
    let targetLimit: Int
    /// A Boolean value that indicates whether requests are answered before their body arrives.
    let answersHeads: Bool
    let connectionMemory: Int
    let times: Times
    let threads = HandlerThreads()
    let hangUps = HangUpWatch()
    let halfClosed: HalfClosedSockets
    let connections = Register<ConnectionDeadline>()
    /// The suspended exchanges, which must end before the daemon stops, because libmicrohttpd would abort the process.
    let suspended = Register<SuspendedExchange>()
    /// Sets the pace of the sweeper; each connection and each request may wake it.
    let beat = Beat()
    /// The streams of responses, which the daemon finishes when it stops because they do not end by themselves.
    let streams = Register<BodyStream>()
    private let threadCount: Int
    let exchanged: ExchangedBytes
    let peers: PeerConnections
    private let requests = Atomic(0)
    private let accepted = Atomic(0)
    private let shortages = Atomic(0)
    private let relieved = Atomic(0)
    private let closing = Atomic(false)
    private let closingForGood = Atomic(false)

    init(
        _ configuration: DaemonConfiguration, answersHeads: Bool = false,
        refused: @escaping @Sendable (Response, HeaderFields) -> Response,
        _ reply: @escaping @Sendable (Request) -> Future<Response>
    ) {
        self.reply = reply
        self.answersHeads = answersHeads
        self.refused = refused
        connectionLimit = configuration.connectionLimit
        bodyLimit = configuration.bodyLimit
        bodyLimits = configuration.bodyLimits.map { ($0.key, $0.value) }
        targetLimit = configuration.targetLimit
        connectionMemory = configuration.wholeConnectionMemory
        threadCount = configuration.threads
        halfClosed = HalfClosedSockets(
            limit: configuration.standbyLimit, time: configuration.deadlines.halfClosed.nanoseconds)
        peers = PeerConnections(limit: configuration.connectionsPerAddress, isLimited: configuration.isLimited)
        exchanged = ExchangedBytes(limit: configuration.exchangeLimit)
        times = Times(configuration.deadlines)
    }

    func bodyLimit(at target: Result<RequestTarget, Problem>) -> Int {
        guard case .success(let target) = target else { return bodyLimit }
        return bodyLimits.first { $0.path == target.path }?.limit ?? bodyLimit
    }

    /// Whether each response closes its connection, because the daemon stops or is too full.
    var closesBehindAnswers: Bool { closing.load(ordering: .relaxed) }

    func closeBehindAnswers() {
        closingForGood.store(true, ordering: .relaxed)
        closing.store(true, ordering: .relaxed)
    }

    var requestCount: Int { requests.load(ordering: .relaxed) }

    /// Whether there is no current request; if so, the effects of all earlier requests are visible.
    var isQuiet: Bool { requests.load(ordering: .acquiring) == 0 }

    func requestBegan() {
        requests.add(1, ordering: .relaxed)
        beat.call()
    }

    func requestEnded() { requests.subtract(1, ordering: .releasing) }

    var shortageCount: Int { shortages.load(ordering: .relaxed) }

    var relievedCount: Int { relieved.load(ordering: .relaxed) }

    func descriptorsAreMissing() { shortages.add(1, ordering: .relaxed) }

    func connectionOpened(_ connection: ConnectionDeadline) {
        accepted.add(1, ordering: .relaxed)
        _ = connections.insert(connection, of: connection)
        hangUps.add(connection)
        beat.call()
    }

    /// Called when a connection is over, before its socket is closed.
    func connectionClosed(_ connection: ConnectionDeadline, isCutShort: Bool) {
        connections.remove(connection)
        hangUps.remove(connection)
        halfClosed.keep(connection.socket, isExpected: isCutShort)
    }

    func load(of connections: Int, isAwaited: Bool, isShort: Bool) -> ThreadLoad {
        ThreadLoad(
            isAwaited: isAwaited, isShort: isShort, accepted: accepted.load(ordering: .relaxed),
            connections: (connections, connectionLimit), turns: isAwaited ? threads.handlerTurns : [:],
            threads: threadCount)
    }

    /// Makes room for new connections if there are too many.
    ///
    /// Closes the connections that have waited longest for a request, and all others after their next response. If
    /// `isShort` is true, there is no descriptor for a waiting connection, and `count` counts as the limit.
    func relieve(of count: Int, isShort: Bool, at now: Int64) {
        let limit = isShort ? min(connectionLimit, count) : connectionLimit
        let excess = count - (limit - max(isShort ? 1 : 0, limit / 8))
        if !closingForGood.load(ordering: .relaxed), closing.load(ordering: .relaxed) != (excess > 0) {
            closing.store(excess > 0, ordering: .relaxed)
            // Another thread may have called `closeBehindAnswers` since `closing` was set.
            if closingForGood.load(ordering: .relaxed) { closing.store(true, ordering: .relaxed) }
        }
        guard excess > 0 else { return }
        relieved.add(connections.closeUnused(excess, since: now - Self.protection), ordering: .relaxed)
    }

    /// The time in nanoseconds for which a new connection is not closed.
    private static let protection: Int64 = 200_000_000
}

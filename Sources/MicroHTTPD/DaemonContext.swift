internal import Synchronization
internal import UsherFuture
internal import UsherHTTP
internal import UsherProcess

/// The state that the connections of one daemon share: its handler, its limits, and the registers of what is open.
final class DaemonContext: Sendable {
    /// The deadlines in nanoseconds, converted once: every request reads them.
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

    /// The daemon's handler.
    let reply: @Sendable (Request) -> Future<Response>
    /// Is given the answers to requests that the handler never sees, with their fields, and may add to them.
    let refused: @Sendable (Response, HeaderFields) -> Response
    let connectionLimit: Int
    private let bodyLimit: Int
    // Few, and not a dictionary: a path's length tells it from others sooner than its hash.
    private let bodyLimits: [(path: Path, limit: Int)]
    let targetLimit: Int
    /// Set where a request is answered without its body.
    let answersHeads: Bool
    /// The bytes of a connection's memory.
    let connectionMemory: Int
    let times: Times
    let threads = HandlerThreads()
    let hangUps = HangUpWatch()
    let halfClosed: HalfClosedSockets
    let connections = Register<ConnectionDeadline>()
    /// A daemon that is stopped with a suspended connection would abort the process: all are resumed first.
    let suspended = Register<SuspendedExchange>()
    /// The rests of the sweeper, which each connection and each request may end.
    let beat = Beat()
    /// A daemon ends streamed bodies when it stops, for none of them ends by itself.
    let streams = Register<BodyStream>()
    private let threadCount: Int
    /// The memory of bodies that come in and answers that go out.
    let exchanged: ExchangedBytes
    /// The connections of each peer.
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

    /// The bytes of body that are taken at a target.
    func bodyLimit(at target: Result<RequestTarget, Problem>) -> Int {
        guard case .success(let target) = target else { return bodyLimit }
        return bodyLimits.first { $0.path == target.path }?.limit ?? bodyLimit
    }

    /// Set while responses tell their clients to close: the daemon stops, or has too many connections.
    var closesBehindAnswers: Bool { closing.load(ordering: .relaxed) }

    /// From now on each connection closes behind its next answer, whatever their number.
    func closeBehindAnswers() {
        closingForGood.store(true, ordering: .relaxed)
        closing.store(true, ordering: .relaxed)
    }

    /// The number of requests under way, from their request line to the end of their response.
    var requestCount: Int { requests.load(ordering: .relaxed) }

    /// True if no request is under way, and all that those before have done is seen.
    var isQuiet: Bool { requests.load(ordering: .acquiring) == 0 }

    func requestBegan() {
        requests.add(1, ordering: .relaxed)
        beat.call()
    }

    func requestEnded() { requests.subtract(1, ordering: .releasing) }

    /// The number of times that libmicrohttpd had no descriptor for a connection.
    var shortageCount: Int { shortages.load(ordering: .relaxed) }

    /// The number of unused connections that were closed because there were too many.
    var relievedCount: Int { relieved.load(ordering: .relaxed) }

    func descriptorsAreMissing() { shortages.add(1, ordering: .relaxed) }

    func connectionOpened(_ connection: ConnectionDeadline) {
        accepted.add(1, ordering: .relaxed)
        _ = connections.insert(connection, of: connection)
        hangUps.add(connection)
        beat.call()
    }

    /// A connection is over; its socket is about to be closed.
    ///
    /// - Parameter isCutShort: True if its client may still be sending a request that was refused.
    func connectionClosed(_ connection: ConnectionDeadline, isCutShort: Bool) {
        connections.remove(connection)
        hangUps.remove(connection)
        halfClosed.keep(connection.socket, isExpected: isCutShort)
    }

    /// The load at this moment, for the standby daemon's watch.
    func load(of connections: Int, isAwaited: Bool, isShort: Bool) -> ThreadLoad {
        ThreadLoad(
            isAwaited: isAwaited, isShort: isShort, accepted: accepted.load(ordering: .relaxed),
            connections: (connections, connectionLimit), turns: isAwaited ? threads.handlerTurns : [:],
            threads: threadCount)
    }

    /// Leaves room for further connections where most of them are taken: those that have waited longest for a request
    /// close, and so do others behind their next answer.
    ///
    /// - Parameters:
    ///   - count: The connections that are open.
    ///   - isShort: True where one waits for which there is no descriptor: then there may be no more than there are.
    ///   - now: The time.
    func relieve(of count: Int, isShort: Bool, at now: Int64) {
        let limit = isShort ? min(connectionLimit, count) : connectionLimit
        let excess = count - (limit - max(isShort ? 1 : 0, limit / 8))
        if !closingForGood.load(ordering: .relaxed), closing.load(ordering: .relaxed) != (excess > 0) {
            closing.store(excess > 0, ordering: .relaxed)
            // The end may have begun meanwhile.
            if closingForGood.load(ordering: .relaxed) { closing.store(true, ordering: .relaxed) }
        }
        guard excess > 0 else { return }
        relieved.add(connections.closeUnused(excess, since: now - Self.protection), ordering: .relaxed)
    }

    /// The time in which a connection may begin to be used, however many there are.
    private static let protection: Int64 = 200_000_000
}

internal import Synchronization
internal import UsherFuture
internal import UsherHTTP

/// What the connections of one daemon share.
final class Service: Sendable {
    /// The deadlines in nanoseconds.
    struct Times: Sendable {
        let head: Int64
        let body: Int64
        let response: Int64
        let idle: Int64

        init(_ deadlines: Daemon.Deadlines) {
            head = deadlines.head.nanoseconds
            body = deadlines.body.nanoseconds
            response = deadlines.response.nanoseconds
            idle = deadlines.idle.nanoseconds
        }

        var shortest: Int64 { min(head, body, response, idle) }
    }

    let reply: @Sendable (Request) -> Future<Response>
    /// Is told of the answers to requests that nobody else sees.
    let refused: @Sendable (Response) -> Void
    let bodyLimit: Int
    let targetLimit: Int
    let times: Times
    let connections = OpenConnections()
    let suspended = SuspendedExchanges()
    let streams = OpenStreams()
    let requests = RequestCount()
    private let stopping = Atomic(false)

    init(
        _ configuration: Daemon.Configuration, refused: @escaping @Sendable (Response) -> Void,
        _ reply: @escaping @Sendable (Request) -> Future<Response>
    ) {
        self.reply = reply
        self.refused = refused
        bodyLimit = configuration.bodyLimit
        targetLimit = configuration.targetLimit
        times = Times(configuration.deadlines)
    }

    /// Whether responses tell their clients to close.
    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    func beginStopping() { stopping.store(true, ordering: .relaxed) }
}

internal import Synchronization
internal import UsherFuture
internal import UsherHTTP

/// The state that the connections of one daemon share: its handler, its limits, and the registers of what is open.
final class DaemonContext: Sendable {
    /// The deadlines in nanoseconds.
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
    /// Is told of the answers to requests that the handler never sees.
    let refused: @Sendable (Response) -> Void
    let bodyLimit: Int
    let targetLimit: Int
    let times: Times
    let connections = Register<ConnectionDeadline>()
    /// A daemon that is stopped with a suspended connection would abort the process: all are resumed first.
    let suspended = Register<SuspendedExchange>()
    /// A daemon ends streamed bodies when it stops, for none of them ends by itself.
    let streams = Register<BodyStream>()
    private let requests = Atomic(0)
    private let stopping = Atomic(false)

    init(
        _ configuration: DaemonConfiguration, refused: @escaping @Sendable (Response) -> Void,
        _ reply: @escaping @Sendable (Request) -> Future<Response>
    ) {
        self.reply = reply
        self.refused = refused
        bodyLimit = configuration.bodyLimit
        targetLimit = configuration.targetLimit
        times = Times(configuration.deadlines)
    }

    /// Set once responses tell their clients to close.
    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    func beginStopping() { stopping.store(true, ordering: .relaxed) }

    /// The number of requests under way, from their request line to the end of their response.
    var requestCount: Int { requests.load(ordering: .relaxed) }

    /// True if no request is under way, and all that those before have done is seen.
    var isQuiet: Bool { requests.load(ordering: .acquiring) == 0 }

    func requestBegan() { requests.add(1, ordering: .relaxed) }

    func requestEnded() { requests.subtract(1, ordering: .releasing) }
}

internal import Synchronization
internal import UsherHTTP

/// The register of suspended exchanges: a daemon that is stopped with one of them would abort the process.
final class SuspendedExchanges: Sendable {
    private struct Waiting {
        let exchange: Exchange
        /// What comes to the response; nil where that comes soon by itself.
        let task: Task<Void, Never>?
        let socket: Int32
    }

    private struct Contents {
        var isClosed = false
        var waiting: [ObjectIdentifier: Waiting] = [:]
    }

    private let contents = Mutex(Contents())

    /// The answer to a request that was not done when the daemon stopped.
    static let stopping = Problem(
        .serviceUnavailable, "The server is stopping; send the request again.", headers: ["Retry-After": "1"]
    ).response

    /// - Returns: false if no exchange may be suspended any more.
    func insert(_ exchange: Exchange, _ task: Task<Void, Never>?, socket: Int32) -> Bool {
        contents.withLock { contents in
            guard !contents.isClosed else { return false }
            contents.waiting[ObjectIdentifier(exchange)] = Waiting(
                exchange: exchange, task: task, socket: socket)
            return true
        }
    }

    func remove(_ exchange: Exchange) {
        _ = contents.withLock { $0.waiting.removeValue(forKey: ObjectIdentifier(exchange)) }
    }

    /// Cancels the handlers whose clients have gone: libmicrohttpd does not look at a suspended connection.
    ///
    /// By the time of the look a socket may be another's; then the handler is done, and cancelling it does nothing.
    func cancelAbandoned() {
        let waiting = contents.withLock { Array($0.waiting.values) }
        for index in HungUpSockets.indices(of: waiting.map(\.socket)) { waiting[index].task?.cancel() }
    }

    /// Answers all with 503, cancels their handlers, and takes no more.
    func close() {
        let late = contents.withLock { contents in
            contents.isClosed = true
            return Array(contents.waiting.values)
        }
        for waiting in late {
            waiting.exchange.finish(with: Self.stopping)
            waiting.task?.cancel()
        }
    }
}

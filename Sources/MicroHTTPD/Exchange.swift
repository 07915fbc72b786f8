internal import Synchronization
internal import UsherFuture
internal import UsherHTTP

/// A request whose response has to be waited for, answered exactly once.
///
/// The response begins to come on the connection's thread; only if it is not there at once is the connection suspended.
final class Exchange: Sendable {
    private let connection: ConnectionHandle
    private let deadline: ConnectionDeadline
    private let suspended: Register<SuspendedExchange>
    /// Set where the request changes nothing, so that it is known that nothing has happened.
    private let isSafe: Bool
    private let state = Mutex(ExchangeState.running)
    /// Held while the connection is resumed: whoever refuses it, for the daemon stops, does not come back before that.
    private let answering = Mutex(())

    /// Makes an exchange.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - connection: The connection that the response is for.
    ///   - deadline: That connection's deadline.
    ///   - suspended: All exchanges whose connections are suspended.
    init(
        _ method: Method, _ connection: ConnectionHandle, _ deadline: ConnectionDeadline,
        _ suspended: Register<SuspendedExchange>
    ) {
        self.connection = connection
        self.deadline = deadline
        self.suspended = suspended
        isSafe = method.isSafe
    }

    /// Waits for the response, which the connection takes when it is resumed.
    ///
    /// - Returns: the response if it came at once, or nil if the connection was suspended.
    func wait(for future: Future<Response>) -> Response? {
        let task = future.deliver { self.finish(with: $0) }
        return state.withLock { state in
            switch state.take() {
            case .send(let response): return response
            case .suspend: return suspend(task, &state)
            case .nothing: return nil
            }
        }
    }

    /// Takes the response, once the connection was resumed.
    func takeResponse() -> Response? {
        state.withLock { state in
            guard case .send(let response) = state.take() else { return nil }
            return response
        }
    }

    /// Drops the response that has come or is still to come: nobody waits for it.
    func abandon() {
        state.withLock { $0.abandon() }?.stream?.close()
    }

    // Answers, unless that was done. The state's lock is free when the connection is resumed, for its thread comes for the
    // response at once.
    private func finish(with response: Response) {
        let action = answering.withLock { _ in
            let action = state.withLock { $0.finish(with: response) }
            if action == .resume {
                connection.resume()
                suspended.remove(self)
            }
            return action
        }
        if action == .drop { response.stream?.close() }
    }

    // Under the state's lock: the handler cannot resume what is not suspended yet.
    private func suspend(_ task: Task<Void, Never>?, _ state: inout ExchangeState) -> Response? {
        let entry = SuspendedExchange(exchange: self, task: task, deadline: deadline)
        guard suspended.insert(entry, of: self) else {
            state = .done
            task?.cancel()
            return stopped
        }
        connection.suspend()
        return nil
    }

    /// Answers with 503, unless that was done, and cancels the handler: the daemon stops.
    fileprivate func refuse(_ task: Task<Void, Never>?) {
        finish(with: stopped)
        task?.cancel()
    }

    /// The answer where the daemon stops before there is one.
    private var stopped: Response { isSafe ? Self.stopping : Self.stoppedMidway }

    private static let stopping = Problem(
        .serviceUnavailable, "The server is stopping; send the request again.", headers: ["Retry-After": "1"]
    ).response

    // Its handler has begun: what that has done may become durable yet.
    private static let stoppedMidway = Problem(
        .outcomeUnknown,
        "The server stopped before it had the answer, so this may have happened; look first, or repeat the Idempotency-Key.",
        headers: ["Retry-After": "1"]
    ).response
}

/// An exchange whose connection is suspended.
struct SuspendedExchange: Sendable {
    fileprivate let exchange: Exchange
    /// The handler's task; nil where the response comes soon by itself.
    fileprivate let task: Task<Void, Never>?
    fileprivate let deadline: ConnectionDeadline
}

extension Register<SuspendedExchange> {
    /// Cancels the handlers whose clients have gone: libmicrohttpd does not look at a suspended connection.
    ///
    /// A client that only says that it sends no more looks the same; one that still waits for an answer leaves that open.
    func cancelAbandoned() {
        for waiting in elements where waiting.deadline.hasHungUp { waiting.task?.cancel() }
    }

    /// Answers all with 503, cancels their handlers, and takes no more.
    func refuseAll() {
        for waiting in close() { waiting.exchange.refuse(waiting.task) }
    }
}

internal import Synchronization
internal import UsherFuture
internal import UsherHTTP

/// A request whose response is not ready; the request is answered exactly once.
///
/// The handler starts on the connection's thread. The connection is suspended only if the handler suspends.
final class Exchange: Sendable {
    private let connection: ConnectionHandle
    private let deadline: ConnectionDeadline
    private let suspended: Register<SuspendedExchange>
    /// A Boolean value that indicates whether the request changes nothing, so that a client can repeat it safely.
    private let isSafe: Bool
    private let state = Mutex(ExchangeState.running)
    /// Locked while the connection is resumed, so that `refuse` cannot return before the connection is resumed.
    private let answering = Mutex(())

    init(
        _ method: Method, _ connection: ConnectionHandle, _ deadline: ConnectionDeadline,
        _ suspended: Register<SuspendedExchange>
    ) {
        self.connection = connection
        self.deadline = deadline
        self.suspended = suspended
        isSafe = method.isSafe
    }

    /// Returns the response if it is ready, or nil if the connection was suspended until `takeResponse` can return it.
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

    func takeResponse() -> Response? {
        state.withLock { state in
            guard case .send(let response) = state.take() else { return nil }
            return response
        }
    }

    /// Drops the current or future response, because the connection is gone.
    func abandon() {
        state.withLock { $0.abandon() }?.stream?.close()
    }

    // Stores the response, unless there already is one. The state's lock must be free when the connection is resumed,
    // because the connection's thread takes the response at once.
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

    // Runs under the state's lock, so that the handler cannot resume the connection before it is suspended.
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

    /// Answers with 503 unless there already is a response, and cancels the handler, because the daemon stops.
    fileprivate func refuse(_ task: Task<Void, Never>?) {
        finish(with: stopped)
        task?.cancel()
    }

    /// The response that is sent if the daemon stops before the handler has returned one.
    private var stopped: Response { isSafe ? Self.stopping : Self.stoppedMidway }

    private static let stopping = Problem(
        .serviceUnavailable, "The server is stopping; send the request again.", headers: ["Retry-After": "1"]
    ).response

    // Says that the outcome is unknown: the handler has started, and its changes may still become durable.
    private static let stoppedMidway = Problem(
        .outcomeUnknown,
        "The server stopped before the answer was ready. The request may have taken effect; check, or repeat the "
            + "request with the same Idempotency-Key.",
        headers: ["Retry-After": "1"]
    ).response
}

struct SuspendedExchange: Sendable {
    fileprivate let exchange: Exchange
    /// The handler's task; nil if the response comes soon and needs no task.
    fileprivate let task: Task<Void, Never>?
    fileprivate let deadline: ConnectionDeadline
}

extension Register<SuspendedExchange> {
    /// Cancels the handlers of clients that have gone, because libmicrohttpd does not watch suspended connections.
    ///
    /// The handler of a client that shuts down only its sending side is cancelled, too, because both cases look the
    /// same. Clients that wait for a response normally keep that side open.
    func cancelAbandoned() {
        for waiting in elements where waiting.deadline.hasHungUp { waiting.task?.cancel() }
    }

    /// Answers all exchanges with 503, cancels their handlers, and closes the register.
    func refuseAll() {
        for waiting in close() { waiting.exchange.refuse(waiting.task) }
    }
}

internal import Synchronization
internal import UsherHTTP

/// One request whose response may have to be waited for.
///
/// The work begins on the connection's thread; only if it has to wait is the connection suspended.
final class Exchange: Sendable {
    private let connection: ConnectionHandle
    private let suspended: SuspendedExchanges
    private let state = Mutex(ExchangeState.running)

    init(_ connection: ConnectionHandle, _ suspended: SuspendedExchanges) {
        self.connection = connection
        self.suspended = suspended
    }

    /// Begins the work.
    ///
    /// - Returns: its response, or nil if the connection was suspended and will be resumed with one.
    func run(_ work: @escaping @Sendable () async -> Response) -> Response? {
        let task = Task.immediate { self.finish(with: await work()) }
        return take(from: task)
    }

    /// Begins what the response comes of by itself.
    ///
    /// - Returns: the response, or nil if the connection was suspended and will be resumed with one.
    func expect(_ begin: (@escaping @Sendable (Response) -> Void) -> Void) -> Response? {
        begin { self.finish(with: $0) }
        return take(from: nil)
    }

    private func take(from task: Task<Void, Never>?) -> Response? {
        state.withLock { state in
            switch state.take() {
            case .send(let response): return response
            case .suspend: return suspend(task, &state)
            case .nothing: return nil
            }
        }
    }

    /// The response, once the connection was resumed.
    func response() -> Response? {
        state.withLock { state in
            guard case .send(let response) = state.take() else { return nil }
            return response
        }
    }

    /// Answers, unless that was done; under the lock, so that whoever sees it open after that sees it resumed.
    func finish(with response: Response) {
        let outcome = state.withLock { state in
            let outcome = state.finish(with: response)
            if outcome == .resume {
                connection.resume()
                suspended.remove(self)
            }
            return outcome
        }
        if outcome == .drop { response.stream?.close() }
    }

    /// Drops the response that has come or is still to come: nobody waits for it.
    func abandon() {
        state.withLock { $0.abandon() }?.stream?.close()
    }

    // Under the state's lock: the handler cannot resume what is not suspended yet.
    private func suspend(_ task: Task<Void, Never>?, _ state: inout ExchangeState) -> Response? {
        guard suspended.insert(self, task, socket: connection.socket) else {
            state = .done
            task?.cancel()
            return SuspendedExchanges.stopping
        }
        connection.suspend()
        return nil
    }
}

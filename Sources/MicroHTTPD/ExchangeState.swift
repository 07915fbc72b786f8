internal import UsherHTTP

/// The state of a request between its handler and the connection, so that it is answered exactly once.
///
///     running ── handler finishes ──► answered ── connection takes it ──► done
///        └── handler waits ──► suspended ── handler finishes, or time is up ──► answered
enum ExchangeState {
    case running
    case suspended
    case answered(Response)
    case done

    /// The connection's part once the handler's first run is over.
    enum Step {
        case send(Response)
        case suspend
        case nothing
    }

    /// The finisher's part once the response is given.
    enum FinishAction {
        case keep
        case resume
        case drop
    }

    /// The handler gave its response.
    mutating func finish(with response: Response) -> FinishAction {
        switch self {
        case .running:
            self = .answered(response)
            return .keep
        case .suspended:
            self = .answered(response)
            return .resume
        case .answered, .done: return .drop  // Time was up before.
        }
    }

    /// The connection is gone.
    ///
    /// - Returns: the response that it did not take any more.
    mutating func abandon() -> Response? {
        defer { self = .done }
        if case .answered(let response) = self { return response }
        return nil
    }

    /// The connection's thread comes for the response.
    mutating func take() -> Step {
        switch self {
        case .answered(let response):
            self = .done
            return .send(response)
        case .running:
            self = .suspended
            return .suspend
        case .suspended, .done: return .nothing
        }
    }
}

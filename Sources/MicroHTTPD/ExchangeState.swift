internal import UsherHTTP

/// The state machine between a request's handler and its connection, which ensures exactly one answer.
///
///     running ── handler finishes ──► answered ── connection takes it ──► done
///        └── handler waits ──► suspended ── handler finishes, or time is up ──► answered
enum ExchangeState {
    case running
    case suspended
    case answered(Response)
    case done

    /// What the connection does after the first run of the handler.
    enum Step {
        case send(Response)
        case suspend
        case nothing
    }

    /// What the handler's side does after the response was stored.
    enum FinishAction {
        case keep
        case resume
        case drop
    }

    mutating func finish(with response: Response) -> FinishAction {
        switch self {
        case .running:
            self = .answered(response)
            return .keep
        case .suspended:
            self = .answered(response)
            return .resume
        case .answered, .done: return .drop  // There already is an answer, or the client is gone.
        }
    }

    /// Called when the connection is gone; returns the response that the connection has not taken, if there is one.
    mutating func abandon() -> Response? {
        defer { self = .done }
        if case .answered(let response) = self { return response }
        return nil
    }

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

internal import UsherHTTP

/// Where a request stands between its handler and the connection, so that it is answered exactly once.
///
///     running ── handler finishes ──► answered ── connection takes it ──► done
///        └── handler waits ──► suspended ── handler finishes, or time is up ──► answered
enum ExchangeState {
    case running
    case suspended
    case answered(Response)
    case done

    /// What the connection's thread does once the handler's first run is over.
    enum Step {
        case send(Response)
        case suspend
        case nothing
    }

    /// The handler gave its response.
    ///
    /// - Returns: whether the connection must be resumed.
    mutating func finish(with response: Response) -> Bool {
        switch self {
        case .running:
            self = .answered(response)
            return false
        case .suspended:
            self = .answered(response)
            return true
        case .answered, .done: return false  // Time was up before.
        }
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

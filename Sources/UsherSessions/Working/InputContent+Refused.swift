import Usher

extension InputContent {
    /// The same result, as one at which the coordinator failed; nil for what is no result.
    func refused(_ reason: String) -> InputContent? {
        switch self {
        case .result(let id, _), .timer(let id), .refused(let id, _): .refused(id, reason: reason)
        case .action, .message: nil
        }
    }
}

import Usher

/// A recorded fact that a session would lose if it resumed at an earlier revision.
package enum LostFact: Hashable, Codable, Sendable {
    case result(of: String, id: String)
    /// The rejected result of an effect.
    case end(of: String, id: String)
    /// An effect that has no result yet.
    case underWay(String, id: String)
    /// A timer that this build cannot distinguish from other timers.
    case timer(id: String)
    /// A backend's message.
    case message(revision: Int)

    /// The fact without ids and revisions, such as `the result of the effect "charge"`.
    package var kind: String {
        switch self {
        case .result(let effect, _): "the result of the effect \"\(effect)\""
        case .end(let effect, _): "the end of the effect \"\(effect)\""
        case .underWay(let effect, _): "the effect \"\(effect)\" under way"
        case .timer: "a timer"
        case .message: "a backend's message"
        }
    }
}

extension LostFact: CustomStringConvertible {
    /// The fact, such as `the result of the effect "charge" (5.1)`.
    package var description: String {
        switch self {
        case .result(_, let id), .end(_, let id): "\(kind) (\(id))"
        case .underWay(let effect, let id): "the effect \"\(effect)\" (\(id)) under way"
        case .timer(let id): "the timer \(id)"
        case .message(let revision): "\(kind) at revision \(revision)"
        }
    }
}

extension LostFact {
    static func result(of work: RecordedWork) -> LostFact { .result(of: work.name, id: "\(work.id)") }
    static func underWay(_ work: RecordedWork) -> LostFact { .underWay(work.name, id: "\(work.id)") }
}

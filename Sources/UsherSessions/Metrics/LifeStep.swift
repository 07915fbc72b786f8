/// What happens to a session but for its inputs.
enum LifeStep: Int, CaseIterable {
    /// It was opened.
    case opened
    /// Its tree was built again from the journal.
    case woken
    /// It gave its tree back.
    case hibernated
    /// Its root coordinator finished.
    case finished
    /// Its root coordinator gave up.
    case cancelled
    /// A client deleted it.
    case deleted
    /// Nobody used it for too long.
    case expired

    /// How a session ends.
    static let endings: [LifeStep] = [.finished, .cancelled, .deleted, .expired]

    /// The end for a reason.
    init(_ reason: Tombstone.Reason) {
        switch reason {
        case .finished: self = .finished
        case .cancelled: self = .cancelled
        case .deleted: self = .deleted
        case .expired: self = .expired
        }
    }
}

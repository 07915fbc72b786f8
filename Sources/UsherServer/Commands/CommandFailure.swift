import Usher
import UsherProcess
import UsherSessions

/// Why a command that looks at a journal has nothing to show: one sentence for an operator.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// A session that cannot be looked at.
    init(_ error: SessionError, _ session: SessionID) {
        switch error {
        case .unknown: self.init("there is no session \(session.text) in this journal")
        case .ended(let tombstone):
            let time = WallTime.text(tombstone.time.milliseconds)
            self.init(
                "the session \(session.text) came to its end at \(time) (\(tombstone.reason.rawValue)); its inputs are gone"
            )
        case .noRevision(let reason), .unsupported(let reason): self.init(reason)
        case .notRestored(let cause): self.init("the session \(session.text) cannot be restored: \(cause)")
        case .notRead(let cause): self.init("the journal cannot be read: \(cause)")
        default: self.init("\(error)")
        }
    }
}

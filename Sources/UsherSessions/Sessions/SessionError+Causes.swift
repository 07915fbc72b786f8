import Usher
import UsherJSON
import UsherJournal

extension SessionError {
    /// What a failure to build a session's first tree means for the client.
    init(opening app: String, _ error: any Error) {
        switch error {
        case let error as JSONError: self = .invalidOptions("the options of \"\(app)\": \(error)")
        case let refusal as Refusal: self = .notOpened(Rejection(.refused, refusal.reason))
        case let rejection as Rejection where rejection.kind != .failed: self = .notOpened(rejection)
        case let rejection as Rejection: self = .cannotStart(cause: rejection.cause ?? rejection.reason)
        default: self = .cannotStart(cause: "\(error)")
        }
    }

    /// What a journal that cannot be read means.
    init(reading error: JournalError) {
        switch error {
        case .corrupt, .conflict: self = .notRestored(cause: "\(error)")
        case .unavailable(let reason): self = .notRead(cause: reason)
        case .unsupported(let reason): self = .unsupported(reason)
        }
    }

    /// What a failure to build a session's tree again means.
    init(restoring error: any Error) {
        switch error {
        case let error as JournalError: self.init(reading: error)
        case let rejection as Rejection: self = .notRestored(cause: rejection.cause ?? rejection.reason)
        default: self = .notRestored(cause: "\(error)")
        }
    }
}

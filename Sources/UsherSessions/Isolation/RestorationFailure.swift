import Usher
import UsherJSON
import UsherJournal

extension SessionError {
    /// Creates the error for a failure to rebuild a session's tree.
    init(restoring error: any Error) {
        switch error {
        case let error as SessionError: self = error
        case let error as JournalError: self.init(reading: error)
        default: self = .onHold(HoldReason(restoring: error))
        }
    }
}

extension [any App.Type] {
    /// Returns `true` if an app chooses to end a session whose tree this build could not rebuild.
    func endSession(of app: String, after error: any Error) -> Bool {
        guard case ReplayError.losesFacts = error else { return false }
        return self.app(named: app)?.onDivergence == .end
    }
}

extension HoldReason {
    init(restoring error: any Error) {
        switch error {
        case let error as ReplayError:
            switch error {
            case .noCreation: self = .recordDamaged(cause: "\(error)")
            case .unknownApp(let name): self = .appMissing(name)
            case .invalidOptions: self = .optionsInvalid(cause: "\(error)")
            case .undrawable: self = .startFails(cause: "\(error)")
            case .losesFacts: self = .losesFacts(cause: "\(error)")
            }
        // No build writes an entry that cannot be parsed, so the record is damaged.
        case let error as JSONError: self = .recordDamaged(cause: "\(error)")
        case let rejection as Rejection: self = .startFails(cause: rejection.cause ?? rejection.reason)
        default: self = .startFails(cause: "\(error)")
        }
    }
}

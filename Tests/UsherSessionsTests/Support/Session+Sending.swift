import Usher
import UsherJSON
import UsherSessions

extension Session {
    /// Handles an action given as a client would send it.
    @discardableResult
    func send(_ action: String, if precondition: Precondition = .none) throws -> Snapshot {
        let json = try JSONDocument(parsing: Array(action.utf8)).root
        return try handle(try InputAction(json), if: precondition)
    }

    /// Why an action is rejected; nil when it is not.
    func error(of action: String, if precondition: Precondition = .none) throws -> SessionError? {
        do {
            try send(action, if: precondition)
            return nil
        } catch let error as SessionError {
            return error
        }
    }
}

extension Snapshot {
    var text: String { String(decoding: state, as: UTF8.self) }
}

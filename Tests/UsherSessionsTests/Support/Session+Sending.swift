import Usher
import UsherJSON
import UsherJournal

@testable import UsherSessions

extension Session {
    /// Handles an action given as a client would send it.
    @discardableResult
    func send(
        _ action: String, if precondition: Precondition = .none, wait: Duration? = nil
    ) async throws -> Snapshot {
        let json = try JSONDocument(parsing: Array(action.utf8)).root
        return try await handle(InputRequest(try InputAction(json), if: precondition, wait: wait))
    }

    /// Why an action is rejected; nil when it is not.
    func error(of action: String, if precondition: Precondition = .none) async throws -> SessionError? {
        do {
            try await send(action, if: precondition)
            return nil
        } catch let error as SessionError {
            return error
        }
    }
}

extension InputRequest {
    init(
        _ action: InputAction, if precondition: Precondition = .none, key: IdempotencyKey? = nil,
        wait: Duration? = nil, for claim: SessionClaim = .granted
    ) {
        self.init(.action(action), if: precondition, key: key, wait: wait, for: claim)
    }
}

extension Snapshot {
    var text: String { String(decoding: state, as: UTF8.self) }
}

/// An action given as a client would send it.
func action(_ text: String) throws -> InputAction {
    try InputAction(try JSONDocument(parsing: Array(text.utf8)).root)
}

extension SessionID {
    /// The session's key in a journal.
    var key: JournalKey {
        let words = [text.prefix(16), text.suffix(16)].map { UInt64($0, radix: 16) ?? 0 }
        return JournalKey(high: words[0], low: words[1])
    }
}

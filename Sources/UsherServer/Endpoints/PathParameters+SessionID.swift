import UsherHTTP
import UsherSessions

extension PathParameters {
    /// The session that a path names as `{id}`.
    ///
    /// - Throws: `Problem` 404 for what can be no session's id.
    func sessionID() throws(Problem) -> SessionID {
        guard let id = bytes(of: "id").flatMap({ SessionID($0) }) else { throw Problem(.unknown, apps: []) }
        return id
    }
}

import UsherHTTP
import UsherSessions

extension SessionRegistry {
    /// The session that a path names as `{id}`.
    ///
    /// - Throws: `Problem` 404 where there is none, 410 where it is over.
    func session(_ parameters: PathParameters) throws(Problem) -> Session {
        guard let id = parameters.bytes(of: "id").flatMap({ SessionID($0) }) else { throw Self.unknown }
        switch lookUp(id) {
        case .live(let session): return session
        case .ended(let tombstone): throw Problem(.ended(tombstone), apps: apps)
        case .unknown: throw Self.unknown
        }
    }

    private static let unknown = Problem(
        .notFound, "there is no such session; open one with POST /sessions", type: ProblemType.unknownSession)
}

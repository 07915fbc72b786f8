import UsherHTTP
import UsherJSON
import UsherSessions

extension AdminEndpoints {
    /// Opens a session that begins where another was at a revision.
    func fork(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        let body: ForkRequest
        do throws(Problem) {
            body = try request.read { json throws(JSONError) in try ForkRequest(json) }
        } catch {
            // That there is no such session matters more than what is wrong with the request.
            _ = try await ask(id) { id throws(SessionError) in try await registry.entries(of: id) }
            throw error
        }
        let (session, snapshot) = try await ask(id) { id throws(SessionError) in
            try await registry.fork(id, at: body.revision)
        }
        log.write(.info, "session forked", ["session": "\(id)", "fork": "\(session.id)"])
        return .state(snapshot, status: .created, location: "/sessions/\(session.id.text)")
    }
}

import UsherHTTP
import UsherSessions

extension AdminEndpoints {
    /// The state that a session had at a revision.
    func pastState(_ parameters: PathParameters) async throws(Problem) -> Response {
        try await past(parameters) { id, revision throws(SessionError) in try await registry.state(of: id, at: revision)
        }
    }

    /// The coordinators that a session had at a revision.
    func pastTree(_ parameters: PathParameters) async throws(Problem) -> Response {
        try await past(parameters) { id, revision throws(SessionError) in
            try await registry.report(of: id, at: revision)
        }
    }

    private func past(
        _ parameters: PathParameters, _ body: (SessionID, Int) async throws(SessionError) -> [UInt8]
    ) async throws(Problem) -> Response {
        let bytes = try await ask(try parameters.sessionID()) { id throws(SessionError) in
            guard let revision = parameters["revision"].flatMap({ Int($0) }) else {
                _ = try await registry.entries(of: id)
                throw .noRevision("a revision is a whole number, the first of a session is 1")
            }
            return try await body(id, revision)
        }
        return .json(bytes, headers: ["Cache-Control": "no-store"])
    }
}

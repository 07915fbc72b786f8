import UsherHTTP
import UsherJSON
import UsherSessions

/// `/sessions/{id}/token` and `/sessions/{id}/readers`: a session's token is rotated, handed on for reading, and revoked.
struct TokenEndpoints: SessionAsking {
    let registry: SessionRegistry
    let door: SessionDoor
    let log: Log

    func add(to router: inout Router) {
        router.on(.post, "\(door.path)/sessions/{id}/token") { request, parameters in
            try await rotate(request, parameters)
        }
        router.on(.delete, "\(door.path)/sessions/{id}/token") { request, parameters in
            try await revoke(.revokeAll, request, parameters)
        }
        router.on(.post, "\(door.path)/sessions/{id}/readers") { request, parameters in
            try await addReader(request, parameters)
        }
        router.on(.delete, "\(door.path)/sessions/{id}/readers") { request, parameters in
            try await revoke(.revokeReaders, request, parameters)
        }
    }

    private func rotate(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let (id, claim) = (try parameters.sessionID(), try door.claim(of: request))
        let wantsCookie = try await checked(id, claim) { () throws(Problem) in try request.wantsCookie() }
        let token = try await ask(id, for: claim) { id throws(SessionError) in
            try await registry.rotateToken(of: id, for: claim)
        }
        log.write(.info, "token rotated", ["session": "\(id)"])
        guard wantsCookie, let cookie = door.cookie else { return Self.answer(token) }
        return Response(status: .noContent, headers: ["Set-Cookie": cookie.setting(token, of: id)])
    }

    private func addReader(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let (id, claim) = (try parameters.sessionID(), try door.claim(of: request))
        let token = try await ask(id, for: claim) { id throws(SessionError) in
            try await registry.addReader(to: id, for: claim)
        }
        log.write(.info, "token for reading given", ["session": "\(id)"])
        return Self.answer(token)
    }

    private func revoke(
        _ change: TokenChange, _ request: Request, _ parameters: PathParameters
    ) async throws(Problem) -> Response {
        let (id, claim) = (try parameters.sessionID(), try door.claim(of: request))
        try await ask(id, for: claim) { id throws(SessionError) in
            try await registry.revoke(change, of: id, for: claim)
        }
        log.write(.info, "tokens revoked", ["session": "\(id)"])
        guard let cookie = door.cookie, case .revokeAll = change else { return Response(status: .noContent) }
        return Response(status: .noContent, headers: ["Set-Cookie": cookie.removing(of: id)])
    }

    /// Reads a request; that its session is another's matters more than what is wrong with it.
    private func checked<Value>(
        _ id: SessionID, _ claim: SessionClaim, _ read: () throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        do throws(Problem) { return try read() } catch {
            _ = try await snapshot(of: id, for: claim)
            throw error
        }
    }

    private static func answer(_ token: SessionToken) -> Response {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("token")
        writer.string(token.text)
        writer.endObject()
        var response = Response.json(writer.bytes, status: .created)
        response.headers.set(name: "Cache-Control", value: "no-store")
        return response
    }
}

extension Request {
    /// True where the body asks for a cookie in the place of a token; a request without a body does not.
    ///
    /// - Throws: `Problem` 415 or 400 for any other body.
    fileprivate func wantsCookie() throws(Problem) -> Bool {
        guard !body.isEmpty else { return false }
        return try read { json throws(JSONError) in
            if json.kind == .object, !json.members.contains(where: { _ in true }) { return false }
            let value = try json.onlyMember("cookie", usage: #"send {"cookie":true}, or no body"#)
            if value.kind == .null { return false }
            guard let wants = value.boolean else { throw value.error("expected true or false") }
            return wants
        }
    }
}

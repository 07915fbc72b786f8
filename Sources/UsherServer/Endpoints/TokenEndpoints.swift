import UsherHTTP
import UsherJSON
import UsherSessions

/// `/sessions/{id}/token` and `/sessions/{id}/readers`: rotates and revokes a session's tokens, and adds readers.
struct TokenEndpoints: SessionAsking {
    let registry: SessionRegistry
    let door: SessionDoor
    let log: Log

    func add(to router: inout Router) {
        let session = "\(door.path)/sessions/{id}"
        router.on(.post, "\(session)/token", rotate)
        router.on(.delete, "\(session)/token") { try await revoke(.revokeAll, $0, $1) }
        router.on(.post, "\(session)/readers", addReader)
        router.on(.delete, "\(session)/readers") { try await revoke(.revokeReaders, $0, $1) }
    }

    private func rotate(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let (id, claim) = (try parameters.sessionID(), try door.claim(of: request))
        let wantsCookie = try await checked(id, for: claim) { () throws(Problem) in try request.wantsCookie() }
        let token = try await ask(id, for: claim) { id throws(SessionError) in
            try await registry.newToken(of: id, for: claim, TokenChange.rotate)
        }
        log.write(.info, "token rotated", ["session": "\(id)"])
        guard wantsCookie, let cookie = door.cookie else { return Self.answer(token) }
        return Response(status: .noContent, headers: ["Set-Cookie": cookie.setting(token, of: id)])
    }

    private func addReader(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let (id, claim) = (try parameters.sessionID(), try door.claim(of: request))
        let token = try await ask(id, for: claim) { id throws(SessionError) in
            try await registry.newToken(of: id, for: claim, TokenChange.addReader)
        }
        log.write(.info, "token for reading given", ["session": "\(id)"])
        return Self.answer(token)
    }

    private func revoke(
        _ change: TokenChange, _ request: Request, _ parameters: PathParameters
    ) async throws(Problem) -> Response {
        let (id, claim) = (try parameters.sessionID(), try door.claim(of: request))
        try await ask(id, for: claim) { id throws(SessionError) in
            try await registry.grant(change, of: id, for: claim)
        }
        log.write(.info, "tokens revoked", ["session": "\(id)"])
        guard let cookie = door.cookie, case .revokeAll = change else { return Response(status: .noContent) }
        return Response(status: .noContent, headers: ["Set-Cookie": cookie.removing(of: id)])
    }

    private static func answer(_ token: SessionToken) -> Response {
        .json(status: .created, headers: ["Cache-Control": "no-store"]) { $0.member("token", token.text) }
    }
}

extension Request {
    /// Returns a Boolean value that indicates whether the body requests a cookie instead of a token.
    ///
    /// - Throws: `Problem` 415 or 400 for a malformed body; an empty body requests no cookie.
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

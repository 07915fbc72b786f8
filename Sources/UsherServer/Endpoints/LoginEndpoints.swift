import UsherHTTP
import UsherJSON

/// `/login` and `/logout`: a browser sends the operator's token once and uses a cookie from then on.
struct LoginEndpoints {
    let access: Access

    func add(to router: inout Router) {
        router.on(.get, "/login", look)
        guard access.hasToken else { return }
        router.on(.post, "/login") { request, _ in
            let token = try request.read { json throws(JSONError) in try Self.token(of: json) }
            return Response(status: .noContent, headers: ["Set-Cookie": try access.logIn(token, request)])
        }
        router.on(.post, "/logout") { request, _ in
            Response(status: .noContent, headers: ["Set-Cookie": try access.logOut(request)])
        }
    }

    /// Logs in with the token in the URL of the startup link; without a token, responds with the caller's role.
    private func look(_ request: Request, _ parameters: PathParameters) throws(Problem) -> Response {
        guard access.hasToken, let token = try request.queryParameter("token") else { return try caller(of: request) }
        // Redirects, so that the token in this URL does not appear in the browser's history or in a `Referer`.
        return Response(
            status: .seeOther,
            headers: [
                "Location": "/", "Set-Cookie": try access.logIn(token, request), "Referrer-Policy": "no-referrer",
            ])
    }

    private func caller(of request: Request) throws(Problem) -> Response {
        let caller = try access.caller(of: request)
        return .json { writer in
            guard case .operator(let proof) = caller else { return writer.member("caller", "anyone") }
            writer.member("caller", "operator")
            writer.member("by", proof.rawValue)
        }
    }

    private static func token(of json: JSONValue) throws(JSONError) -> String {
        let value = try json.onlyMember("token", usage: #"send {"token":"…"}"#)
        guard let token = value.string else { throw value.error("expected the admin token as a string") }
        return token
    }
}

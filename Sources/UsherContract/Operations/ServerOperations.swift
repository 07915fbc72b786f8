package import UsherHTTP

extension ContractOperation {
    /// All operations of the server.
    package static let all = ofSessions + ofTokens + ofBackend + ofServer + ofOperator

    /// Returns the operation of a route pattern, or nil if there is none; `HEAD` has the operation of `GET`.
    package static func of(_ method: UsherHTTP.Method, _ path: String) -> ContractOperation? {
        all.first { $0.method == (method == .head ? .get : method) && $0.path == path }
    }

    private static let ofServer: [ContractOperation] = [
        ContractOperation(
            method: .get, path: "/healthz", name: "getHealth", summary: "Checks that the process responds.",
            answers: [ContractAnswer(.ok, .plain, "the process responds")]),
        ContractOperation(
            method: .get, path: "/readyz", name: "getReadiness", summary: "Checks that the server accepts new work.",
            answers: [ContractAnswer(.ok, .plain, "the server is ready")], problems: [.journalUnavailable]),
        ContractOperation(
            method: .get, path: "/openapi.json", name: "getContract",
            summary: "Returns this document, with the apps' schemas if the caller may use `/apps`.",
            parameters: [.ifNoneMatch],
            answers: [
                ContractAnswer(.ok, .json("JSONObject"), "the document", [.entityTag]),
                ContractAnswer(.notModified, .nothing, "the client already has this version", [.entityTag]),
            ], problems: [.malformedRequest], key: .widerForOperator),
        page("/", "getPage"),
        page("/debug/", "getPageBehindProxy"),
        ContractOperation(
            method: .get, path: "/login", name: "getCaller",
            summary: "Returns how the caller is authenticated; if the request has a token, logs the caller in.",
            parameters: [.token],
            answers: [
                ContractAnswer(.ok, .json("Caller"), "the caller"),
                ContractAnswer(.seeOther, .nothing, "the caller is logged in", [.location, .setCookie]),
            ], problems: [.wrongToken], statuses: [.notFound]),
        ContractOperation(
            method: .post, path: "/login", name: "logIn", summary: "Logs in.", body: "Login",
            answers: [ContractAnswer(.noContent, .nothing, "the caller is logged in", [.setCookie])],
            problems: [.malformedBody, .wrongToken], statuses: [.notFound]),
        ContractOperation(
            method: .post, path: "/logout", name: "logOut", summary: "Logs out.",
            answers: [ContractAnswer(.noContent, .nothing, "the caller is logged out", [.setCookie])],
            statuses: [.notFound]),
    ]

    /// Returns the debug page, which exists if the server has the folder.
    private static func page(_ path: String, _ name: String) -> ContractOperation {
        ContractOperation(
            method: .get, path: path, name: name, summary: "Returns the debug page.", parameters: [.ifNoneMatch],
            answers: [
                ContractAnswer(.ok, .page, "the page", [.entityTag]),
                ContractAnswer(.notModified, .nothing, "the browser already has this version", [.entityTag]),
            ], problems: [.malformedRequest], statuses: [.notFound])
    }
}

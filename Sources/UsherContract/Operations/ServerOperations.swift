package import UsherHTTP

extension ContractOperation {
    /// All operations of the server.
    package static let all = ofSessions + ofTokens + ofBackend + ofServer + ofOperator

    /// Returns the operation of a route, or nil if the contract does not contain the path.
    ///
    /// - Parameters:
    ///   - method: The method of the route; `HEAD` has the operation of `GET`.
    ///   - path: The pattern of the route.
    package static func of(_ method: UsherHTTP.Method, _ path: String) -> ContractOperation? {
        all.first { $0.method == (method == .head ? .get : method) && $0.path == path }
    }

    private static let ofServer: [ContractOperation] = [
        ContractOperation(
            method: .get, path: "/healthz", name: "getHealth", summary: "The process answers.",
            answers: [ContractAnswer(.ok, .plain, "it does")]),
        ContractOperation(
            method: .get, path: "/readyz", name: "getReadiness", summary: "The server takes new work.",
            answers: [ContractAnswer(.ok, .plain, "it does")], problems: [.journalUnavailable]),
        ContractOperation(
            method: .get, path: "/openapi.json", name: "getContract",
            summary: "This document; with the apps' schemas for whom `/apps` is open to.", parameters: [.ifNoneMatch],
            answers: [
                ContractAnswer(.ok, .json("JSONObject"), "the document", [.entityTag]),
                ContractAnswer(.notModified, .nothing, "the client has it already", [.entityTag]),
            ], problems: [.malformedRequest], key: .widerForOperator),
        page("/", "getPage"),
        page("/debug/", "getPageBehindProxy"),
        ContractOperation(
            method: .get, path: "/login", name: "getCaller",
            summary: "Tells by which key the caller is known; with a token, begins a login.", parameters: [.token],
            answers: [
                ContractAnswer(.ok, .json("Caller"), "the caller"),
                ContractAnswer(.seeOther, .nothing, "a login has begun", [.location, .setCookie]),
            ], problems: [.wrongToken], statuses: [.notFound]),
        ContractOperation(
            method: .post, path: "/login", name: "logIn", summary: "Begins a login.", body: "Login",
            answers: [ContractAnswer(.noContent, .nothing, "it has begun", [.setCookie])],
            problems: [.malformedBody, .wrongToken], statuses: [.notFound]),
        ContractOperation(
            method: .post, path: "/logout", name: "logOut", summary: "Ends a login.",
            answers: [ContractAnswer(.noContent, .nothing, "it has ended", [.setCookie])], statuses: [.notFound]),
    ]

    /// Returns the debug page, which exists if the server has the folder.
    private static func page(_ path: String, _ name: String) -> ContractOperation {
        ContractOperation(
            method: .get, path: path, name: name, summary: "The page.", parameters: [.ifNoneMatch],
            answers: [
                ContractAnswer(.ok, .page, "the page", [.entityTag]),
                ContractAnswer(.notModified, .nothing, "the browser has it already", [.entityTag]),
            ], problems: [.malformedRequest], statuses: [.notFound])
    }
}

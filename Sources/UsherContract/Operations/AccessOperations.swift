import UsherHTTP

extension ContractOperation {
    /// The requests for a session's tokens.
    static let ofTokens: [ContractOperation] = [
        ContractOperation(
            method: .post, path: "/sessions/{id}/token", name: "rotateToken",
            summary: "Has another token take the place of the session's.", parameters: [.session],
            body: "TokenRequest", isBodyOptional: true,
            answers: [
                ContractAnswer(.created, .json("Token"), "the token"),
                ContractAnswer(.noContent, .nothing, "a cookie has it", [.setCookie]),
            ],
            problems: [.malformedBody] + ofSession + unavailable, key: .session),
        ContractOperation(
            method: .delete, path: "/sessions/{id}/token", name: "revokeTokens",
            summary: "Has no token open the session any more.", parameters: [.session],
            answers: [ContractAnswer(.noContent, .nothing, "none opens it", [.setCookie])],
            problems: ofSession + unavailable, key: .session),
        ContractOperation(
            method: .post, path: "/sessions/{id}/readers", name: "addReader",
            summary: "Gives a token that opens the session for reading alone.", parameters: [.session],
            answers: [ContractAnswer(.created, .json("Token"), "the token")],
            problems: [.unacceptableInput, .limitReached] + ofSession + unavailable, key: .session),
        ContractOperation(
            method: .delete, path: "/sessions/{id}/readers", name: "revokeReaders",
            summary: "Has the tokens for reading open the session no more.", parameters: [.session],
            answers: [ContractAnswer(.noContent, .nothing, "none opens it for reading")],
            problems: [.unacceptableInput] + ofSession + unavailable, key: .session),
    ]

    static let ofBackend: [ContractOperation] = [
        ContractOperation(
            method: .get, path: "/sessions", name: "listSessionsOfSubject", summary: "A page of a user's sessions.",
            parameters: [.subject, .afterSession, .limit],
            answers: [ContractAnswer(.ok, .json("SubjectSessions"), "the page")],
            problems: [.malformedRequest] + unavailable, key: .backend),
        ContractOperation(
            method: .delete, path: "/sessions", name: "endSessionsOfSubject", summary: "Ends all sessions of a user.",
            parameters: [.subject], answers: [ContractAnswer(.ok, .json("EndedSessions"), "they are over")],
            problems: [.malformedRequest] + unavailable, key: .backend),
        ContractOperation(
            method: .post, path: "/sessions/{id}/messages", name: "sendMessage",
            summary: "Tells a session something for its app's backend.",
            parameters: [.session, .ifMatch, .idempotencyKey, .prefer], body: "Message", answers: inputAnswers,
            problems: ofInput, key: .backend),
    ]
}

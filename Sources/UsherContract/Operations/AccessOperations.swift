import UsherHTTP

extension ContractOperation {
    static let ofTokens: [ContractOperation] = [
        ContractOperation(
            method: .post, path: "/sessions/{id}/token", name: "rotateToken",
            summary: "Replaces the session's token.", parameters: [.session],
            body: "TokenRequest", isBodyOptional: true,
            answers: [
                ContractAnswer(.created, .json("Token"), "the new token"),
                ContractAnswer(.noContent, .nothing, "the new token is in a cookie", [.setCookie]),
            ],
            problems: [.malformedBody] + ofSession + unavailable, key: .session),
        ContractOperation(
            method: .delete, path: "/sessions/{id}/token", name: "revokeTokens",
            summary: "Revokes all tokens of the session.", parameters: [.session],
            answers: [ContractAnswer(.noContent, .nothing, "all tokens are revoked", [.setCookie])],
            problems: ofSession + unavailable, key: .session),
        ContractOperation(
            method: .post, path: "/sessions/{id}/readers", name: "addReader",
            summary: "Issues a read-only token of the session.", parameters: [.session],
            answers: [ContractAnswer(.created, .json("Token"), "the token")],
            problems: [.unacceptableInput, .limitReached] + ofSession + unavailable, key: .session),
        ContractOperation(
            method: .delete, path: "/sessions/{id}/readers", name: "revokeReaders",
            summary: "Revokes the session's read-only tokens.", parameters: [.session],
            answers: [ContractAnswer(.noContent, .nothing, "the read-only tokens are revoked")],
            problems: [.unacceptableInput] + ofSession + unavailable, key: .session),
    ]

    static let ofBackend: [ContractOperation] = [
        ContractOperation(
            method: .get, path: "/sessions", name: "listSessionsOfSubject",
            summary: "Returns a page of a user's sessions.",
            parameters: [.subject, .afterSession, .limit],
            answers: [ContractAnswer(.ok, .json("SubjectSessions"), "the page")],
            problems: [.malformedRequest] + unavailable, key: .backend),
        ContractOperation(
            method: .delete, path: "/sessions", name: "endSessionsOfSubject", summary: "Ends all sessions of a user.",
            parameters: [.subject],
            answers: [ContractAnswer(.ok, .json("EndedSessions"), "the number of ended sessions")],
            problems: [.malformedRequest] + unavailable, key: .backend),
        ContractOperation(
            method: .post, path: "/sessions/{id}/messages", name: "sendMessage",
            summary: "Sends the backend's message to a session.",
            parameters: [.session, .ifMatch, .idempotencyKey, .prefer], body: "Message", answers: inputAnswers,
            problems: ofInput, key: .backend),
    ]
}

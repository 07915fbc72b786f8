import UsherHTTP

extension ContractOperation {
    static let ofSessions: [ContractOperation] = [
        ContractOperation(
            method: .post, path: "/sessions", name: "openSession", summary: "Opens a session of an app.",
            parameters: [.idempotencyKey], body: "Opening",
            answers: [
                ContractAnswer(
                    .created, .opening, "the first state", [.entityTag, .location, .replayed, .setCookie])
            ],
            problems: [
                .malformedBody, .malformedRequest, .unknownApp, .invalidOptions, .unacceptableInput, .refused,
                .undrawableScreen, .limitReached, .keyReused, .inputCrashes, .handlerFailed, .inputUntried,
            ] + unavailable, statuses: [.notAcceptable], key: .widerForBackend),
        ContractOperation(
            method: .get, path: "/sessions/{id}", name: "getSession",
            summary: "Returns a session's state, at once or as soon as the state differs from the client's.",
            parameters: [.session, .ifMatch, .ifNoneMatch, .prefer],
            answers: [
                ContractAnswer(.ok, .state, "the state", [.entityTag, .preferenceApplied]),
                ContractAnswer(
                    .notModified, .nothing, "the client already has this version", [.entityTag, .preferenceApplied]),
            ],
            problems: [.malformedRequest, .revisionMismatch] + ofSession + unavailable,
            statuses: [.notAcceptable], key: .session),
        ContractOperation(
            method: .delete, path: "/sessions/{id}", name: "endSession",
            summary: "Ends a session, and frees its memory.", parameters: [.session, .ifMatch],
            answers: [ContractAnswer(.noContent, .nothing, "the session has ended")],
            problems: [.malformedRequest, .revisionMismatch] + ofSession + unavailable, key: .session),
        ContractOperation(
            method: .post, path: "/sessions/{id}/events", name: "sendEvent",
            summary: "Sends an event of a screen, or reports a navigation by the user.",
            parameters: [.session, .ifMatch, .idempotencyKey, .prefer], body: "Input",
            answers: [ContractAnswer(.ok, .state, "the new state", [.entityTag, .preferenceApplied, .replayed])],
            problems: [.staleScreen] + ofInput, statuses: [.notAcceptable], key: .session),
        ContractOperation(
            method: .get, path: "/sessions/{id}/stream", name: "streamSession",
            summary: "Streams the session's states as server-sent events.",
            parameters: [.session, .lastEventID],
            answers: [
                ContractAnswer(
                    .ok, .events,
                    "`state`, `gap`, `retry`, `end` and `held` events; the operator's streams also have `refused` events"
                )
            ],
            problems: ofSession + unavailable, statuses: [.notAcceptable], key: .session),
    ]

    /// The responses to an accepted message.
    static let inputAnswers = [
        ContractAnswer(.ok, .json("State"), "the new state", [.entityTag, .preferenceApplied, .replayed])
    ]

    /// The problems of a request for a session that does not exist.
    static let ofSession: [ProblemKind] = [.unknownSession, .sessionEnded]

    /// The problems of a valid request that the server currently cannot perform.
    static let unavailable: [ProblemKind] = [
        .serverFull, .journalUnavailable, .sessionUnavailable, .sessionHeld, .outcomeUnknown,
    ]

    static let ofInput: [ProblemKind] =
        [
            .malformedBody, .malformedRequest, .revisionMismatch, .unacceptableInput, .refused, .undrawableScreen,
            .limitReached, .keyReused, .inputCrashes, .handlerFailed, .inputUntried,
        ] + ofSession + unavailable
}

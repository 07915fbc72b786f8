import UsherHTTP

extension ContractOperation {
    /// The operator's requests, including those for sessions and tokens under `/admin`.
    static let ofOperator = ofInside.map(\.conditional) + (ofSessions + ofTokens).map(\.forOperator)

    private static let ofInside: [ContractOperation] = [
        ContractOperation(
            method: .get, path: "/apps", name: "listApps", summary: "The apps, with all that is known beforehand.",
            answers: [ContractAnswer(.ok, .json("Apps"), "the apps")], key: .operator),
        ContractOperation(
            method: .get, path: "/metrics", name: "getMetrics", summary: "The server's counts, as text for Prometheus.",
            answers: [ContractAnswer(.ok, .plain, "the metrics")], key: .operator),
        ContractOperation(
            method: .get, path: "/admin/sessions", name: "listSessions", summary: "A page of the sessions.",
            parameters: [.app, .prefix, .listedSubject, .visible, .state, .leaked, .sort, .afterListed, .limit],
            answers: [ContractAnswer(.ok, .json("SessionList"), "the page")],
            problems: [.malformedRequest] + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/sessions/{id}/tree", name: "getTree", summary: "A session's coordinators.",
            parameters: [.session], answers: [ContractAnswer(.ok, .json("Tree"), "the coordinators")],
            problems: ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/sessions/{id}/journal", name: "getJournal",
            summary: "A page of a session's inputs.", parameters: [.session, .afterRevision, .limit],
            answers: [ContractAnswer(.ok, .json("JournalPage"), "the page")],
            problems: [.malformedRequest] + ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/sessions/{id}/at/{revision}", name: "getPastState",
            summary: "A session's state as it was.", parameters: [.session, .revision],
            answers: [ContractAnswer(.ok, .json("State"), "the state")],
            problems: [.noRevision] + ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/sessions/{id}/at/{revision}/tree", name: "getPastTree",
            summary: "A session's coordinators as they were.", parameters: [.session, .revision],
            answers: [ContractAnswer(.ok, .json("Tree"), "the coordinators")],
            problems: [.noRevision] + ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/sessions/{id}/history", name: "getHistory",
            summary: "A session's memory at its revisions.",
            parameters: [.session, .points, .afterRevision, .lastRevision],
            answers: [ContractAnswer(.ok, .json("MemoryHistory"), "the memory")],
            problems: [.malformedRequest, .noRevision] + ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/sessions/{id}/walk", name: "getWalk",
            summary: "The states that a session has been in, on the map of its app.",
            parameters: [.session, .steps], answers: [ContractAnswer(.ok, .json("Walk"), "the states")],
            problems: [.malformedRequest, .noRevision] + ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/sessions/{id}/export", name: "exportSession",
            summary: "A session as a test in Swift, as a script for curl, or as JSON that opens it again.",
            parameters: [.session, .exportForm, .lastRevision],
            answers: [ContractAnswer(.ok, .text(orJSON: "Export"), "the test or the script; or the JSON")],
            problems: [.malformedRequest, .noRevision] + ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .post, path: "/admin/import", name: "importSession",
            summary: "Opens a session that stands where an exported one stood.", body: "Export",
            answers: [ContractAnswer(.created, .json("Opened"), "the new session's state", [.entityTag, .location])],
            problems: [.malformedBody, .malformedRequest, .unacceptableInput, .limitReached, .inputUntried]
                + unavailable,
            key: .operator),
        ContractOperation(
            method: .get, path: "/admin/apps/{app}/map", name: "getMap",
            summary: "All states of an app, as far as an exploration has walked it.",
            parameters: [.appPart, .mapStates, .mapDepth, .mapSeconds],
            answers: [ContractAnswer(.ok, .json("Map"), "the map")], problems: [.malformedRequest], key: .operator),
        ContractOperation(
            method: .post, path: "/admin/sessions/{id}/fork", name: "forkSession",
            summary: "Opens a session that begins at a revision of this one.", parameters: [.session],
            body: "Revision",
            answers: [ContractAnswer(.created, .json("Opened"), "the new session's state", [.entityTag, .location])],
            problems: [.malformedBody, .malformedRequest, .noRevision] + ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .post, path: "/admin/sessions/{id}/rollback", name: "rollBackSession",
            summary: "Has a session whose replay ends the process go on from an earlier revision.",
            parameters: [.session], body: "Revision",
            answers: [ContractAnswer(.ok, .json("State"), "the session's state", [.entityTag])],
            problems: [.malformedBody, .malformedRequest, .noRevision] + ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/incidents", name: "listIncidents",
            summary: "The newest crashes, and whether the inputs that were in flight are refused.",
            answers: [ContractAnswer(.ok, .json("Incidents"), "the incidents")], problems: unavailable, key: .operator),
        ContractOperation(
            method: .post, path: "/admin/backup", name: "backUp", summary: "Copies the journal, beside it.",
            answers: [ContractAnswer(.created, .json("Backup"), "the copy's place and size")],
            problems: [.unsupported] + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/nodes", name: "listNodes",
            summary: "The servers and the builds on the journal.",
            answers: [ContractAnswer(.ok, .json("Nodes"), "the servers and builds")], problems: unavailable,
            key: .operator),
        ContractOperation(
            method: .post, path: "/admin/release", name: "confirmRelease",
            summary: "Confirms this build's release: what it has resumed is written, and its work begins.",
            answers: [ContractAnswer(.noContent, .nothing, "it is confirmed")],
            problems: [.otherBuildServes] + unavailable, key: .operator),
    ]

    /// The operation with `If-None-Match`, for clients that poll.
    private var conditional: ContractOperation {
        guard method == .get, let answer = answers.first else { return self }
        return ContractOperation(
            method: method, path: path, name: name, summary: summary, parameters: parameters + [.ifNoneMatch],
            answers: [
                ContractAnswer(answer.status, answer.content, answer.summary, [.entityTag]),
                ContractAnswer(.notModified, .nothing, "the client has it already", [.entityTag]),
            ],
            problems: problems.contains(.malformedRequest) ? problems : [.malformedRequest] + problems,
            statuses: statuses, key: key)
    }

    /// The operation under `/admin`, where the operator needs no session token.
    private var forOperator: ContractOperation {
        ContractOperation(
            method: method, path: "/admin" + path, name: name + "ForOperator", summary: summary, parameters: parameters,
            body: body, isBodyOptional: isBodyOptional, answers: answers, problems: problems, statuses: statuses,
            key: .operator)
    }
}

import UsherHTTP

extension ContractOperation {
    /// The operator's requests, including the requests for sessions and tokens under `/admin`.
    static let ofOperator = ofInside.map(\.conditional) + (ofSessions + ofTokens).map(\.forOperator)

    private static let ofInside: [ContractOperation] = [
        ContractOperation(
            method: .get, path: "/apps", name: "listApps",
            summary: "Returns the apps, with their options, flows and screens.",
            answers: [ContractAnswer(.ok, .json("Apps"), "the apps")], key: .operator),
        ContractOperation(
            method: .get, path: "/metrics", name: "getMetrics",
            summary: "Returns the server's metrics, as text for Prometheus.",
            answers: [ContractAnswer(.ok, .plain, "the metrics")], key: .operator),
        ContractOperation(
            method: .get, path: "/admin/sessions", name: "listSessions", summary: "Returns a page of the sessions.",
            parameters: [.app, .prefix, .listedSubject, .visible, .state, .leaked, .sort, .afterListed, .limit],
            answers: [ContractAnswer(.ok, .json("SessionList"), "the page")],
            problems: [.malformedRequest] + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/sessions/{id}/tree", name: "getTree",
            summary: "Returns a session's coordinators.",
            parameters: [.session], answers: [ContractAnswer(.ok, .json("Tree"), "the coordinators")],
            problems: ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/sessions/{id}/journal", name: "getJournal",
            summary: "Returns a page of a session's inputs.", parameters: [.session, .afterRevision, .limit],
            answers: [ContractAnswer(.ok, .json("JournalPage"), "the page")],
            problems: [.malformedRequest] + ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/sessions/{id}/at/{revision}", name: "getPastState",
            summary: "Returns a session's state at a revision.", parameters: [.session, .revision],
            answers: [ContractAnswer(.ok, .json("State"), "the state")],
            problems: [.noRevision] + ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/sessions/{id}/at/{revision}/tree", name: "getPastTree",
            summary: "Returns a session's coordinators at a revision.", parameters: [.session, .revision],
            answers: [ContractAnswer(.ok, .json("Tree"), "the coordinators")],
            problems: [.noRevision] + ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/sessions/{id}/history", name: "getHistory",
            summary: "Returns a session's memory use at each revision.",
            parameters: [.session, .points, .afterRevision, .lastRevision],
            answers: [ContractAnswer(.ok, .json("MemoryHistory"), "the memory")],
            problems: [.malformedRequest, .noRevision] + ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/sessions/{id}/walk", name: "getWalk",
            summary: "Returns the states that a session has visited, as on the map of its app.",
            parameters: [.session, .steps], answers: [ContractAnswer(.ok, .json("Walk"), "the states")],
            problems: [.malformedRequest, .noRevision] + ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/sessions/{id}/export", name: "exportSession",
            summary: "Exports a session as a Swift test, as a curl script, or as JSON that can be imported.",
            parameters: [.session, .exportForm, .lastRevision],
            answers: [ContractAnswer(.ok, .text(orJSON: "Export"), "the test, the script or the JSON")],
            problems: [.malformedRequest, .noRevision] + ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .post, path: "/admin/import", name: "importSession",
            summary: "Opens a session in the state of an exported one.", body: "Export",
            answers: [ContractAnswer(.created, .json("Opened"), "the new session's state", [.entityTag, .location])],
            problems: [.malformedBody, .malformedRequest, .unacceptableInput, .limitReached, .inputUntried]
                + unavailable,
            key: .operator),
        ContractOperation(
            method: .get, path: "/admin/apps/{app}/map", name: "getMap",
            summary: "Explores an app, and returns the states that were found.",
            parameters: [.appPart, .mapStates, .mapDepth, .mapSeconds],
            answers: [ContractAnswer(.ok, .json("Map"), "the map")], problems: [.malformedRequest], key: .operator),
        ContractOperation(
            method: .post, path: "/admin/sessions/{id}/fork", name: "forkSession",
            summary: "Opens a session that starts at a revision of this one.", parameters: [.session],
            body: "Revision",
            answers: [ContractAnswer(.created, .json("Opened"), "the new session's state", [.entityTag, .location])],
            problems: [.malformedBody, .malformedRequest, .noRevision] + ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .post, path: "/admin/sessions/{id}/rollback", name: "rollBackSession",
            summary: "Rolls a session whose replay ends the process back to an earlier revision.",
            parameters: [.session], body: "Revision",
            answers: [ContractAnswer(.ok, .json("State"), "the session's state", [.entityTag])],
            problems: [.malformedBody, .malformedRequest, .noRevision] + ofSession + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/incidents", name: "listIncidents",
            summary: "Returns the newest crashes, and whether the server refuses the inputs that caused them.",
            answers: [ContractAnswer(.ok, .json("Incidents"), "the incidents")], problems: unavailable, key: .operator),
        ContractOperation(
            method: .post, path: "/admin/backup", name: "backUp",
            summary: "Copies the journal into the folder `backups`, which is beside the journal.",
            answers: [ContractAnswer(.created, .json("Backup"), "the copy's path and size")],
            problems: [.unsupported] + unavailable, key: .operator),
        ContractOperation(
            method: .get, path: "/admin/nodes", name: "listNodes",
            summary: "Returns the servers and builds that use the journal.",
            answers: [ContractAnswer(.ok, .json("Nodes"), "the servers and builds")], problems: unavailable,
            key: .operator),
        ContractOperation(
            method: .post, path: "/admin/release", name: "confirmRelease",
            summary: "Confirms this build's release: resumed sessions stay resumed, and their work starts.",
            answers: [ContractAnswer(.noContent, .nothing, "the release is confirmed")],
            problems: [.otherBuildServes] + unavailable, key: .operator),
    ]

    /// The operation with `If-None-Match`, for clients that poll.
    private var conditional: ContractOperation {
        guard method == .get, let answer = answers.first else { return self }
        return ContractOperation(
            method: method, path: path, name: name, summary: summary, parameters: parameters + [.ifNoneMatch],
            answers: [
                ContractAnswer(answer.status, answer.content, answer.summary, [.entityTag]),
                ContractAnswer(.notModified, .nothing, "the client already has this version", [.entityTag]),
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

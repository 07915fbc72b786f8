import Usher
import UsherFuture
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherSessions

/// `/sessions`: opens sessions, returns their states, handles events, and ends them; the operator's are below `/admin`.
struct SessionEndpoints: SessionAsking {
    let registry: SessionRegistry
    let door: SessionDoor
    let limiter: AddressLimiter
    let log: Log

    func add(to router: inout Router) {
        let session = "\(door.path)/sessions/{id}"
        router.on(.post, "\(door.path)/sessions", open)
        router.on(.get, session, show)
        router.on(.delete, session, end)
        // A closure, because a partially applied method would cost each event 500 instructions.
        router.on(.post, "\(session)/events", reply: { request, parameters in try handle(request, parameters) })
    }

    private func open(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let opensAll = try door.opensAll(request)
        let json = try request.json()
        let body = try json.read { json throws(JSONError) in try OpenRequest(json) }
        if !opensAll { try checkClient(body) }
        let key = try request.idempotencyKey(json)
        let representation = try Representation(request)
        let client = door.isLimited(opensAll: opensAll) ? limiter.client(of: request) : nil
        try client?.admitSession()
        do throws(SessionError) {
            let opening = try await registry.open(
                body.app, options: body.options, link: body.link, client: body.client, key: key, for: body.subject,
                size: request.body.count)
            log.write(opening.snapshot.newLeaks, in: opening.session.id)
            client?.charge(for: opening.snapshot, request.body.count, isKeyed: key != nil)
            return .created(
                opening, setting: body.wantsCookie ? cookie(of: opening) : nil,
                representation.extent(isBaseKnown: false))
        } catch {
            log.write(error, app: body.app)
            throw Problem(error, apps: registry.apps)
        }
    }

    private func cookie(of opening: Opening) -> String? {
        opening.token.flatMap { door.cookie?.setting($0, of: opening.session.id) }
    }

    /// Throws if a client sets a member or an option that only the backend may set.
    private func checkClient(_ body: OpenRequest) throws(Problem) {
        guard body.subject == nil else { throw Self.backendNeeded("\"subject\"") }
        guard let app = registry.apps.app(named: body.app), app.clientOptions != .all,
            let options = try? JSONDocument(parsing: body.options).root
        else { return }
        for (name, _) in options.members where !app.clientOptions.contains(name) {
            throw Self.backendNeeded("the option \"\(name)\" of \"\(body.app)\"")
        }
    }

    private static func backendNeeded(_ subject: String) -> Problem {
        Problem(
            .backendNeeded,
            "only the backend may set \(subject); leave it out, or let the backend open the session with the backend's key",
            headers: ["Cache-Control": "no-store"])
    }

    private func show(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let (id, claim) = (try parameters.sessionID(), try door.claim(of: request))
        let snapshot = try await ask(id, for: claim) { id throws(SessionError) in
            if !door.isOperators { try registry.gate.admit(.input) }
            return try await registry.snapshot(of: id, for: claim)
        }
        let precondition = try EntityTag.precondition(request, epoch: registry.epoch)
        let representation = try Representation(request)
        guard precondition.holds(for: snapshot.revision, in: registry.epoch) else {
            throw problem(.preconditionFailed(current: snapshot), of: id)
        }
        guard try EntityTag.isKnown(snapshot, to: request) else {
            return .current(snapshot, try representation.extent(of: snapshot, known: request))
        }
        let all = representation.extent(isBaseKnown: false)
        let preference = Preference(request)
        guard let wait = preference.wait else { return .notModified(snapshot, all) }
        let next = try await ask(id, for: claim) { id throws(SessionError) in
            try await registry.snapshot(of: id, beyond: snapshot, within: wait, for: claim)
        }
        let extent = try representation.extent(of: next, known: request)
        let response: Response =
            next.isSameRevision(as: snapshot) ? .notModified(next, all) : .current(next, extent)
        return response.applying(preference.ofWaiter)
    }

    private func end(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let (id, claim) = (try parameters.sessionID(), try door.claim(of: request))
        let precondition = try await checked(id, for: claim) { () throws(Problem) in
            try EntityTag.precondition(request, epoch: registry.epoch)
        }
        let leaks = try await ask(id, for: claim) { id throws(SessionError) in
            try await registry.end(id, if: precondition, for: claim)
        }
        log.write(leaks, in: id)
        return Response(status: .noContent)
    }

    private func handle(_ request: Request, _ parameters: PathParameters) throws(Problem) -> Future<Response> {
        let (id, claim) = (try parameters.sessionID(), try door.claim(of: request))
        let preference = Preference(request)
        let input: InputRequest
        let representation: Representation
        do throws(Problem) {
            input = try self.input(of: request, preference, for: claim) { json throws(JSONError) in
                .action(try InputAction(json))
            }
            representation = try Representation(request)
        } catch {
            // The error for an unknown session takes precedence over an error in the request.
            return .attempt { [error] () async throws(Problem) in
                note(refusal: nil, of: id, error, at: try await snapshot(of: id, for: claim))
                throw error
            }
        }
        let namesRevision = if case .none = input.precondition { false } else { true }
        let form = AnswerForm(preference: preference, representation: representation, namesRevision: namesRevision)
        let client = door.isOperators ? nil : limiter.client(of: request)
        try client?.admitInput()
        let result = registry.answer(to: input, on: id, size: request.body.count)
        guard let client else {
            // Most results are available immediately and need no closure.
            if case .ready(let result) = result { return .ready(response(to: result, input, of: id, form)) }
            return result.map { response(to: $0, input, of: id, form) }
        }
        let (size, isKeyed) = (request.body.count, input.key != nil)
        return result.map { result in
            if case .success(let snapshot) = result { client.charge(for: snapshot, size, isKeyed: isKeyed) }
            return response(to: result, input, of: id, form)
        }
    }

    private func response(
        to result: Result<Snapshot, SessionError>, _ input: InputRequest, of id: SessionID, _ form: AnswerForm
    ) -> Response {
        switch result {
        case .success(let snapshot): return answer(snapshot, of: id, form.preference, form.extent(of: snapshot))
        case .failure(let error):
            let problem = problem(error, of: id, for: input.claim)
            note(refusal: input.content, of: id, problem, at: error.current)
            return problem.response
        }
    }
}

/// The form of the response to an input, as its client requested it.
private struct AnswerForm {
    let preference: Preference
    let representation: Representation
    /// A Boolean value that indicates whether the client named the revision that its input is based on.
    let namesRevision: Bool

    /// Returns the part of the state in the response; nil for the whole state.
    ///
    /// After a crash, the revision number of a lost state may be used again for another state. A response with only a
    /// part of the state is therefore safe only if the client named the revision on which its input is based.
    func extent(of snapshot: Snapshot) -> Snapshot.Extent? {
        representation.extent(isBaseKnown: snapshot.epoch == nil || namesRevision)
    }
}

extension LimitedClient {
    /// Charges the client's address for an input that was added to the journal, and for the stored response if the
    /// request had a key.
    ///
    /// `size` is the size of the request's body in bytes.
    fileprivate func charge(for snapshot: Snapshot, _ size: Int, isKeyed: Bool) {
        // A repeated response is free, because it is not added to the journal again.
        guard !snapshot.isReplayed else { return }
        // 64 bytes are the approximate size of an entry or a response without its body.
        charge(size + 64 + (isKeyed ? snapshot.state.count + 64 : 0))
    }
}

/// The body of `POST /sessions`.
private struct OpenRequest {
    let app: String
    /// The options as the client wrote them; an empty object if there are none.
    let options: [UInt8]
    /// The steps of the deep link that the session starts with.
    let link: [JSONValue]
    /// The client's description of itself; without a description, the client is assumed to draw every screen.
    let client: Client
    /// The user for whom the backend opens the session.
    let subject: String?
    /// A Boolean value that indicates whether the token is returned in a cookie.
    let wantsCookie: Bool

    /// Parses the body; throws `JSONError` for a wrong, missing or unknown member.
    init(_ json: JSONValue) throws(JSONError) {
        guard json.kind == .object else { throw json.error("expected an object; \(Self.usage)") }
        for (name, value) in json.members where !Self.names.contains(name) {
            throw value.error("unknown member \"\(name)\"; \(Self.usage)")
        }
        guard let app = json[member: "app"] else { throw json.error("missing member \"app\"; \(Self.usage)") }
        guard let name = app.string else { throw app.error("expected the name of an app") }
        self.app = name
        subject = try json[given: "subject"].map { subject throws(JSONError) in
            guard let text = subject.string, SessionAccess.isSubject(text) else {
                throw subject.error(
                    "expected a user: a string of 1 to \(SessionAccess.subjectLimit) bytes without control characters")
            }
            return text
        }
        wantsCookie =
            try json[given: "cookie"].map { cookie throws(JSONError) in
                guard let wants = cookie.boolean else { throw cookie.error("expected true or false") }
                return wants
            } ?? false
        link = try json[given: "open"].map { link throws(JSONError) in try InputAction.steps(link) } ?? []
        client = try json[given: "client"].map { client throws(JSONError) in try Client(client) } ?? Client()
        guard let options = json[given: "options"] else {
            self.options = Array("{}".utf8)
            return
        }
        guard options.kind == .object else { throw options.error("expected an object of options") }
        self.options = Self.given(options)
    }

    /// Returns the text of the options without the options that are null.
    private static func given(_ options: JSONValue) -> [UInt8] {
        guard options.members.contains(where: { $0.value.kind == .null }) else { return Array(options.bytes) }
        return JSONWriter.object { writer in
            for (name, value) in options.members where value.kind != .null {
                writer.member(name, raw: Array(value.bytes))
            }
        }
    }

    private static let names = ["app", "options", "open", "client", "cookie", "subject"]
    private static let usage = """
        send {"app":NAME}, optionally with "options":{…}, "open":[FLOW,…], "client":{…}, "cookie":true and "subject":USER
        """
}

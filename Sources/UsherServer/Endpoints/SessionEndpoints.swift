import Usher
import UsherFuture
import UsherHTTP
import UsherJSON
import UsherSessions

/// `/sessions`: opens a session, shows its state, takes its events, ends it.
struct SessionEndpoints: SessionAsking {
    let registry: SessionRegistry
    let limiter: AddressLimiter
    let log: Log

    func add(to router: inout Router) {
        router.on(.post, "/sessions") { request, _ in try await open(request) }
        router.on(.get, "/sessions/{id}") { request, parameters in try await show(request, parameters) }
        router.on(.delete, "/sessions/{id}") { request, parameters in try await end(request, parameters) }
        router.on(.post, "/sessions/{id}/events", reply: { request, parameters in try handle(request, parameters) })
    }

    private func open(_ request: Request) async throws(Problem) -> Response {
        let json = try request.json()
        let body = try json.read { json throws(JSONError) in try OpenRequest(json) }
        let key = try request.idempotencyKey(json)
        let client = limiter.client(of: request)
        try client?.admitSession()
        do throws(SessionError) {
            let (session, snapshot) = try await registry.open(
                body.app, options: body.options, link: body.link, key: key)
            log.write(snapshot.newLeaks, in: session.id)
            client?.charge(for: snapshot, request.body.count, isKeyed: key != nil)
            return .created(session.id, snapshot)
        } catch {
            log.write(error, app: body.app)
            throw Problem(error, apps: registry.apps)
        }
    }

    private func show(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        let snapshot = try await ask(id) { id throws(SessionError) in
            try registry.gate.admit(.input)
            return try await registry.snapshot(of: id)
        }
        let precondition = try EntityTag.precondition(request, epoch: registry.epoch)
        guard precondition.holds(for: snapshot.revision, in: registry.epoch) else {
            throw problem(.preconditionFailed(current: snapshot), of: id)
        }
        guard try EntityTag.isKnown(snapshot, to: request) else { return .current(snapshot) }
        let preference = Preference(request)
        guard let wait = preference.wait else { return .notModified(snapshot) }
        let next = try await ask(id) { id throws(SessionError) in
            try await registry.snapshot(of: id, beyond: snapshot.revision, within: wait)
        }
        let response: Response = next.revision == snapshot.revision ? .notModified(next) : .current(next)
        return response.applying(preference.ofWaiter)
    }

    private func end(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        let precondition: Precondition
        do throws(Problem) { precondition = try EntityTag.precondition(request, epoch: registry.epoch) } catch {
            // That there is no such session matters more.
            _ = try await snapshot(of: id)
            throw error
        }
        log.write(
            try await ask(id) { id throws(SessionError) in try await registry.end(id, if: precondition) }, in: id)
        return Response(status: .noContent)
    }

    private func handle(_ request: Request, _ parameters: PathParameters) throws(Problem) -> Future<Response> {
        let id = try parameters.sessionID()
        let preference = Preference(request)
        let input: InputRequest
        do throws(Problem) {
            input = try self.input(of: request, preference) { json throws(JSONError) in .action(try InputAction(json)) }
        } catch {
            // That there is no such session matters more than what is wrong with the request.
            return .attempt { [error] () async throws(Problem) in
                _ = try await snapshot(of: id)
                throw error
            }
        }
        let client = limiter.client(of: request)
        try client?.admitInput()
        let result = registry.answer(to: input, on: id)
        guard let client else {
            // Most answers are there: these need no closure that waits for one.
            if case .ready(let result) = result { return .ready(response(to: result, of: id, preference)) }
            return result.map { response(to: $0, of: id, preference) }
        }
        let (size, isKeyed) = (request.body.count, input.key != nil)
        return result.map { result in
            if case .success(let snapshot) = result { client.charge(for: snapshot, size, isKeyed: isKeyed) }
            return response(to: result, of: id, preference)
        }
    }

    private func response(
        to result: Result<Snapshot, SessionError>, of id: SessionID, _ preference: Preference
    ) -> Response {
        switch result {
        case .success(let snapshot): answer(snapshot, of: id, preference)
        case .failure(let error): problem(error, of: id).response
        }
    }
}

extension LimitedClient {
    /// An input was journalled.
    ///
    /// - Parameters:
    ///   - snapshot: The answer, which is stored too where the request had a key.
    ///   - size: The bytes of the request's body.
    fileprivate func charge(for snapshot: Snapshot, _ size: Int, isKeyed: Bool) {
        // About what an entry or an answer takes beside the body.
        charge(size + 64 + (isKeyed && !snapshot.isReplayed ? snapshot.state.count + 64 : 0))
    }
}

/// The body of `POST /sessions`.
private struct OpenRequest {
    let app: String
    /// The options as the client wrote them; an empty object where it wrote none.
    let options: [UInt8]
    /// The steps of a deep link to begin with.
    let link: [JSONValue]

    /// Reads the body.
    ///
    /// - Throws: `JSONError` for a wrong, missing or unknown member.
    init(_ json: JSONValue) throws(JSONError) {
        guard json.kind == .object else { throw json.error("expected an object; \(Self.usage)") }
        for (name, value) in json.members where !["app", "options", "open"].contains(name) {
            throw value.error("unknown member \"\(name)\"; \(Self.usage)")
        }
        guard let app = json[member: "app"] else { throw json.error("missing member \"app\"; \(Self.usage)") }
        guard let name = app.string else { throw app.error("expected the name of an app") }
        self.app = name
        link = try json[given: "open"].map { link throws(JSONError) in try InputAction.steps(link) } ?? []
        guard let options = json[given: "options"] else {
            self.options = Array("{}".utf8)
            return
        }
        guard options.kind == .object else { throw options.error("expected an object of options") }
        self.options = Array(options.bytes)
    }

    private static let usage = #"send {"app":NAME}, if need be with "options":{…} and "open":[FLOW,…]"#
}

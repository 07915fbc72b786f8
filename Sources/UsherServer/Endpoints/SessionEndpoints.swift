import Usher
import UsherHTTP
import UsherJSON
import UsherSessions

/// `/sessions`: opening one, looking at it, sending it what the user did, ending it.
struct SessionEndpoints: Sendable {
    let registry: SessionRegistry
    let log: Log

    func add(to router: inout Router) {
        router.on(.post, "/sessions") { request, _ in try await open(request) }
        router.on(.get, "/sessions/{id}") { request, parameters in try await show(request, parameters) }
        router.on(.delete, "/sessions/{id}") { _, parameters in try await end(parameters) }
        router.on(.post, "/sessions/{id}/events") { request, parameters in try await handle(request, parameters) }
    }

    private func open(_ request: Request) async throws(Problem) -> Response {
        let key = try request.idempotencyKey()
        let body = try request.read { json throws(JSONError) in try OpenRequest(json) }
        do throws(SessionError) {
            let (session, snapshot) = try await registry.open(
                body.app, options: body.options, link: body.link, key: key)
            log.write(snapshot.newLeaks, in: session.id)
            return .state(snapshot, status: .created, location: "/sessions/\(session.id.text)")
        } catch {
            log.write(error, app: body.app)
            throw Problem(error, apps: registry.apps)
        }
    }

    private func show(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        let snapshot = try await snapshot(of: id)
        guard try EntityTag.isKnown(snapshot, to: request) else { return .state(snapshot) }
        let preference = Preference(request)
        guard let wait = preference.wait else { return .notModified(snapshot) }
        let next = try await next(id, after: snapshot, within: wait)
        let response: Response = next.revision == snapshot.revision ? .notModified(next) : .state(next)
        return response.applying(preference)
    }

    private func next(
        _ id: SessionID, after snapshot: Snapshot, within wait: Duration
    ) async throws(Problem) -> Snapshot {
        do throws(SessionError) {
            return try await registry.snapshot(of: id, beyond: snapshot.revision, within: wait)
        } catch {
            log.write(error, in: id)
            throw Problem(error, apps: registry.apps)
        }
    }

    private func snapshot(of id: SessionID) async throws(Problem) -> Snapshot {
        do throws(SessionError) {
            return try await registry.snapshot(of: id)
        } catch {
            log.write(error, in: id)
            throw Problem(error, apps: registry.apps)
        }
    }

    private func end(_ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        do throws(SessionError) {
            log.write(try await registry.end(id), in: id)
            return Response(status: .noContent)
        } catch {
            log.write(error, in: id)
            throw Problem(error, apps: registry.apps)
        }
    }

    private func handle(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        let input: InputRequest
        do throws(Problem) {
            input = try read(input: request)
        } catch {
            // That there is no such session matters more than what is wrong with the request.
            _ = try await snapshot(of: id)
            throw error
        }
        do throws(SessionError) {
            let snapshot = try await registry.handle(input, on: id)
            log.write(snapshot.newLeaks, in: id)
            return Response.state(snapshot).applying(Preference(request))
        } catch {
            log.write(error, in: id)
            throw Problem(error, apps: registry.apps)
        }
    }

    private func read(input request: Request) throws(Problem) -> InputRequest {
        InputRequest(
            try request.read { json throws(JSONError) in try InputAction(json) },
            if: try EntityTag.precondition(request, epoch: registry.epoch), key: try request.idempotencyKey(),
            wait: Preference(request).eventWait)
    }
}

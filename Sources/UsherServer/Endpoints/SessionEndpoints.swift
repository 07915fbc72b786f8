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
        router.on(.post, "/sessions/{id}/events", reply: { request, parameters in try handle(request, parameters) })
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
        guard try EntityTag.isKnown(snapshot, to: request) else { return .current(snapshot) }
        let preference = Preference(request)
        guard let wait = preference.wait else { return .notModified(snapshot) }
        let next = try await next(id, after: snapshot, within: wait)
        let response: Response = next.revision == snapshot.revision ? .notModified(next) : .current(next)
        return response.applying(preference.ofWaiter)
    }

    private func next(
        _ id: SessionID, after snapshot: Snapshot, within wait: Duration
    ) async throws(Problem) -> Snapshot {
        do throws(SessionError) {
            return try await registry.snapshot(of: id, beyond: snapshot.revision, within: wait)
        } catch {
            throw problem(error, of: id)
        }
    }

    private func snapshot(of id: SessionID) async throws(Problem) -> Snapshot {
        do throws(SessionError) {
            return try await registry.snapshot(of: id)
        } catch {
            throw problem(error, of: id)
        }
    }

    private func end(_ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        do throws(SessionError) {
            log.write(try await registry.end(id), in: id)
            return Response(status: .noContent)
        } catch {
            throw problem(error, of: id)
        }
    }

    private func handle(_ request: Request, _ parameters: PathParameters) throws(Problem) -> Reply {
        let id = try parameters.sessionID()
        let preference = Preference(request)
        let input: InputRequest
        do throws(Problem) {
            input = try read(input: request, preference)
        } catch {
            // That there is no such session matters more than what is wrong with the request.
            return .attempt { [error] () async throws(Problem) in
                _ = try await snapshot(of: id)
                throw error
            }
        }
        switch registry.begin(input, on: id) {
        case .done(.success(let snapshot)): return .now(answer(snapshot, of: id, preference))
        case .done(.failure(let error)): throw problem(error, of: id)
        case .underWay(let rest):
            return .attempt { () async throws(Problem) in
                do throws(SessionError) {
                    return answer(try await rest(), of: id, preference)
                } catch {
                    throw problem(error, of: id)
                }
            }
        }
    }

    private func answer(_ snapshot: Snapshot, of id: SessionID, _ preference: Preference) -> Response {
        log.write(snapshot.newLeaks, in: id)
        return Response.state(snapshot).applying(preference)
    }

    private func problem(_ error: SessionError, of id: SessionID) -> Problem {
        log.write(error, in: id)
        return Problem(error, apps: registry.apps)
    }

    private func read(input request: Request, _ preference: Preference) throws(Problem) -> InputRequest {
        InputRequest(
            try request.read { json throws(JSONError) in try InputAction(json) },
            if: try EntityTag.precondition(request, epoch: registry.epoch), key: try request.idempotencyKey(),
            wait: preference.eventWait)
    }
}

import Usher
import UsherHTTP
import UsherJSON
import UsherSessions

/// `/sessions`: opening one, looking at it, sending it what the user did, ending it.
struct SessionEndpoints: Sendable {
    let registry: SessionRegistry
    let log: Log

    func add(to router: inout Router) {
        router.on(.post, "/sessions") { request, _ in try open(request) }
        router.on(.get, "/sessions/{id}") { request, parameters in try show(request, parameters) }
        router.on(.delete, "/sessions/{id}") { _, parameters in try end(parameters) }
        router.on(.post, "/sessions/{id}/events") { request, parameters in try handle(request, parameters) }
    }

    private func open(_ request: Request) throws(Problem) -> Response {
        let body = try read(request) { json throws(JSONError) in try OpenRequest(json) }
        do throws(SessionError) {
            let (session, snapshot) = try registry.open(body.app, options: body.options, link: body.link)
            report(snapshot.newLeaks, in: session)
            return .state(snapshot, status: .created, location: "/sessions/\(session.id.text)")
        } catch {
            if case .cannotStart(let cause) = error {
                log.write(.error, "app could not start", ["app": body.app, "cause": cause])
            }
            if case .notRecorded(let cause) = error {
                log.write(.error, "session not recorded", ["app": body.app, "cause": cause])
            }
            throw Problem(error, apps: registry.apps)
        }
    }

    private func show(_ request: Request, _ parameters: PathParameters) throws(Problem) -> Response {
        let snapshot = try snapshot(of: try registry.session(parameters))
        guard try !EntityTag.isKnown(snapshot.revision, to: request) else { return .notModified(snapshot) }
        return .state(snapshot)
    }

    private func snapshot(of session: Session) throws(Problem) -> Snapshot {
        do throws(SessionError) {
            return try session.snapshot()
        } catch {
            throw Problem(error, apps: registry.apps)
        }
    }

    private func end(_ parameters: PathParameters) throws(Problem) -> Response {
        let session = try registry.session(parameters)
        do throws(SessionError) {
            report(try registry.end(session), in: session)
            return Response(status: .noContent)
        } catch {
            throw Problem(error, apps: registry.apps)
        }
    }

    private func handle(_ request: Request, _ parameters: PathParameters) throws(Problem) -> Response {
        let session = try registry.session(parameters)
        let action = try read(request) { json throws(JSONError) in try InputAction(json) }
        let precondition = try EntityTag.precondition(request)
        do throws(SessionError) {
            let snapshot = try session.handle(action, if: precondition)
            report(snapshot.newLeaks, in: session)
            if snapshot.ending != nil { registry.bury(session) }
            return .state(snapshot)
        } catch {
            report(error, in: session)
            if session.isOver { registry.bury(session) }
            throw Problem(error, apps: registry.apps)
        }
    }

    /// Reads a body of a known shape.
    private func read<Body>(
        _ request: Request, _ body: (JSONValue) throws(JSONError) -> Body
    ) throws(Problem) -> Body {
        let json = try request.json()
        do throws(JSONError) {
            return try body(json)
        } catch {
            throw Problem(malformed: error)
        }
    }

    private func report(_ leaks: [Leak], in session: Session) {
        for leak in leaks {
            log.write(
                .warning, "coordinator leaked",
                [
                    "session": "\(session.id)", "type": leak.type, "coordinator": leak.coordinator,
                    "revision": "\(leak.revision)",
                ])
        }
    }

    /// Tells the log what the client is not told.
    private func report(_ error: SessionError, in session: Session) {
        switch error {
        case .rejected(let rejection, _) where rejection.kind == .failed:
            report("handler failed", rejection.cause ?? rejection.reason, in: session)
        case .notRecorded(let cause): report("input not recorded", cause, in: session)
        case .diverged(_, let cause): report("session diverged", cause, in: session)
        default: break
        }
    }

    private func report(_ message: String, _ cause: String, in session: Session) {
        log.write(.error, message, ["session": "\(session.id)", "cause": cause])
    }
}

import Usher
import UsherHTTP
import UsherJSON
import UsherSessions

extension AdminEndpoints {
    /// Tells a session something on behalf of a backend.
    func tell(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        let preference = Preference(request)
        let message: InputRequest
        do throws(Problem) {
            message = InputRequest(
                .message(try request.read { json throws(JSONError) in try MessageRequest(json).message }),
                if: try EntityTag.precondition(request, epoch: registry.epoch), key: try request.idempotencyKey(),
                wait: preference.eventWait)
        } catch {
            // That there is no such session matters more than what is wrong with the request.
            _ = try await ask(id) { id throws(SessionError) in try await registry.snapshot(of: id) }
            throw error
        }
        let snapshot = try await ask(id) { id throws(SessionError) in try await registry.handle(message, on: id) }
        log.write(snapshot.newLeaks, in: id)
        return Response.state(snapshot).applying(preference)
    }
}

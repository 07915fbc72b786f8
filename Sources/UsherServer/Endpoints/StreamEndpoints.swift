import UsherHTTP
import UsherSessions

/// `GET /sessions/{id}/stream`: the session's states as they come.
struct StreamEndpoints: SessionAsking {
    let registry: SessionRegistry
    let streams: EventStreams
    let log: Log

    func add(to router: inout Router) {
        router.on(.get, "/sessions/{id}/stream") { request, parameters in
            try await open(request, try parameters.sessionID())
        }
    }

    private func open(_ request: Request, _ id: SessionID) async throws(Problem) -> Response {
        let stream = EventStream(stalls: streams.stalls)
        let snapshot = try await ask(id) { id throws(SessionError) in try await registry.watch(id, by: stream) }
        streams.add(stream)
        stream.body.onEnd { [registry, streams] in
            registry.unwatch(id, by: stream)
            streams.remove(stream)
        }
        stream.begin(with: snapshot, known: request.headers["Last-Event-ID"].flatMap { $0.isEmpty ? nil : $0 })
        return Response(headers: Self.headers, stream: stream.body)
    }

    private static let headers: HeaderFields = [
        "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
    ]
}

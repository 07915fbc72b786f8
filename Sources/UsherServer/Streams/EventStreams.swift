import Synchronization
import UsherHTTP
import UsherMetrics
import UsherSessions

package final class EventStreams: Sendable {
    private let streams = Mutex<[ObjectIdentifier: EventStream]>([:])
    private let isDraining = Atomic(false)
    /// The number of streams that were ever opened.
    let opened = Counter()
    /// Counts how often streams had to wait for slow readers.
    let stalls = Counter()

    package init() {}

    package var count: Int { streams.withLock { $0.count } }

    func add(_ stream: EventStream) {
        streams.withLock { $0[ObjectIdentifier(stream)] = stream }
        opened.add()
        // Also ends a stream that is added while the other streams are ended.
        if isDraining.load(ordering: .acquiring) { stream.drain() }
    }

    func remove(_ stream: EventStream) {
        _ = streams.withLock { $0.removeValue(forKey: ObjectIdentifier(stream)) }
    }

    /// Sends comments, so that the connections of idle streams stay alive.
    func beat() {
        for stream in streams.withLock({ Array($0.values) }) { stream.beat() }
    }

    /// Closes the slowest streams until the bytes that wait for the other streams are within the limit; returns the
    /// number of closed streams.
    func shed(_ waiting: WaitingBytes) -> Int {
        guard waiting.excess > 0 else { return 0 }
        let slow = streams.withLock { Array($0.values) }.compactMap { stream in
            stream.awaitsRoomSince.map { (stream: stream, since: $0) }
        }
        var count = 0
        for (stream, _) in slow.sorted(by: { $0.since < $1.since }) where waiting.excess > 0 {
            stream.abort()
            count += 1
        }
        return count
    }

    /// Ends all streams, because the server stops.
    func drain() {
        isDraining.store(true, ordering: .releasing)
        for stream in streams.withLock({ Array($0.values) }) { stream.drain() }
    }
}

/// `GET /sessions/{id}/stream`: the session's new states; below `/admin`, also the inputs that the session refuses.
struct StreamEndpoints: SessionAsking {
    let registry: SessionRegistry
    let streams: EventStreams
    let door: SessionDoor
    let limiter: AddressLimiter
    let log: Log

    func add(to router: inout Router) {
        router.on(.get, "\(door.path)/sessions/{id}/stream") { request, parameters in
            try await open(request, try parameters.sessionID(), for: try door.claim(of: request))
        }
    }

    private func open(
        _ request: Request, _ id: SessionID, for claim: SessionClaim
    ) async throws(Problem) -> Response {
        let representation = try await checked(id, for: claim) { () throws(Problem) in try Representation(request) }
        let client = door.isOperators ? nil : limiter.client(of: request)
        try client?.openStream()
        do throws(Problem) {
            return try await open(request, id, for: claim, as: representation, onEnd: { client?.closeStream() })
        } catch {
            client?.closeStream()
            throw error
        }
    }

    private func open(
        _ request: Request, _ id: SessionID, for claim: SessionClaim, as representation: Representation,
        onEnd: @escaping @Sendable () -> Void
    ) async throws(Problem) -> Response {
        let stream = EventStream(
            of: representation, tellingRefusals: door.isOperators, stalls: streams.stalls, waiting: registry.waiting)
        let first = try await ask(id, for: claim) { id throws(SessionError) in
            try await registry.watch(id, by: stream, for: claim)
        }
        streams.add(stream)
        stream.body.onEnd { [registry, streams] in
            registry.unwatch(id, by: stream)
            streams.remove(stream)
            onEnd()
        }
        let known = request.headers["Last-Event-ID"].flatMap { $0.isEmpty ? nil : $0 }
        stream.begin(with: first, known: known, refused: door.isOperators ? registry.refusedInputs(of: id) : [])
        return Response(headers: Self.headers, stream: stream.body)
    }

    private static let headers: HeaderFields = [
        "Content-Type": "text/event-stream", "Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no",
    ]
}

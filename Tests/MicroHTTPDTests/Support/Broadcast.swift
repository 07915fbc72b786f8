import Synchronization
import UsherHTTP

/// A handler's streams, one a request, for a test to send over; and how many of them have ended.
final class Broadcast: Sendable {
    let ended = Watch()
    private let streams = Mutex<[BodyStream]>([])
    private let capacity: Int

    init(capacity: Int = 64 * 1024) {
        self.capacity = capacity
    }

    var all: [BodyStream] { streams.withLock { $0 } }

    /// Answers with a stream, to which a first event was sent already.
    @Sendable func answer(_ request: Request) -> Response {
        let stream = BodyStream(capacity: capacity)
        stream.onEnd { [ended] in ended.add() }
        _ = stream.send("first")
        streams.withLock { $0.append(stream) }
        return Response(headers: ["Content-Type": "text/event-stream"], stream: stream)
    }

    /// Forgets its streams.
    func removeAll() { streams.withLock { $0 = [] } }
}

extension BodyStream {
    /// Sends an event of one line.
    func send(_ line: String) -> Bool { send(Array("\(line)\n\n".utf8)) }
}

import LocalhostClient
import Synchronization
import Testing
import UsherHTTP

/// A handler that responds to each request with a stream, to which a test sends events.
///
/// It counts the streams that have ended.
final class Broadcast: Sendable {
    let ended = Watch()
    private let streams = Mutex<[BodyStream]>([])
    private let capacity: Int

    init(capacity: Int = 64 * 1024) {
        self.capacity = capacity
    }

    var all: [BodyStream] { streams.withLock { $0 } }

    /// Responds with a stream that already contains a first event.
    @Sendable func answer(_ request: Request) -> Response {
        let stream = BodyStream(capacity: capacity)
        stream.onEnd { [ended] in ended.add() }
        _ = stream.send("first")
        streams.withLock { $0.append(stream) }
        return Response(headers: ["Content-Type": "text/event-stream"], stream: stream)
    }

    /// Removes all streams.
    func removeAll() { streams.withLock { $0 = [] } }
}

extension BodyStream {
    /// Lines with more bytes than the system buffers.
    static let tooMuch: [UInt8] = Array(
        String(repeating: String(repeating: "x", count: 8190) + "\n\n", count: 2048).utf8)

    /// Sends an event of one line.
    func send(_ line: String) -> Bool { send(Array("\(line)\n\n".utf8)) }

    /// Waits until everything was read, or the reader is gone.
    func settled() async {
        let settled = Watch()
        onDrain { settled.add() }
        onEnd { settled.add() }
        await settled.reaches(1)
    }

    /// Sends to a client that has left, until the server notices.
    func sendUntilOver() async {
        while !isOver {
            _ = send("anybody?")
            await settled()
        }
    }

    /// Sends a number of events, each as soon as the previous one was read.
    func pump(_ count: Int, _ sent: Watch) {
        guard count > 0, send("more") else { return }
        sent.add()
        onDrain { self.pump(count - 1, sent) }
    }
}

extension RawConnection {
    /// Opens a connection on which a `Broadcast` has started a stream.
    static func streaming(port: Int) throws -> RawConnection {
        let connection = try RawConnection(port: port)
        try connection.send(get())
        #expect(try connection.readInterim().status == 200)
        #expect(try connection.readEvent() == ["first"])
        return connection
    }
}

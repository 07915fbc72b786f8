internal import UsherHTTP

/// The body of a response that comes piece by piece, on its way to one client.
///
/// Used on the connection's own thread only. libmicrohttpd holds it as long as the response.
final class StreamedBody {
    /// Whether the request was a `HEAD`: then nothing of the body is sent.
    let isHeadOnly: Bool
    private let stream: BodyStream
    private let connection: ConnectionHandle
    private let deadline: ConnectionDeadline
    private let term: Int64
    private let register: OpenStreams
    private var pace = ReadingPace()

    /// Fails if the stream is the body of another response already.
    init?(
        _ stream: BodyStream, _ connection: ConnectionHandle, _ deadline: ConnectionDeadline, _ service: Service,
        isHeadOnly: Bool
    ) {
        guard stream.begin() else { return nil }
        self.isHeadOnly = isHeadOnly
        self.stream = stream
        self.connection = connection
        self.deadline = deadline
        term = service.times.response
        register = service.streams
        register.insert(stream)
    }

    /// Whatever has become of the response, nobody reads the stream any more.
    deinit {
        register.remove(stream)
        stream.close()
    }

    /// The next bytes, at most so many; none if the connection was suspended until there are some; nil at the end.
    func read(upTo count: Int) -> ArraySlice<UInt8>? {
        switch stream.take(upTo: count, by: connection) {
        case .bytes(let bytes, let waiting):
            if pace.take(bytes.count, waiting: waiting) { deadline.set(in: term) }
            return bytes
        case .parked:
            pace.park()
            deadline.clear()
            return []
        case .end:
            deadline.set(in: term)
            return nil
        }
    }
}

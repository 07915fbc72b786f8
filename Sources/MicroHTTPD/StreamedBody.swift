internal import UsherHTTP
internal import UsherProcess

/// A streamed response body that is sent to one client.
///
/// Only the connection's own thread uses the body. libmicrohttpd retains the body until the response is over.
final class StreamedBody {
    /// A Boolean value that indicates whether the request is a `HEAD`, so that no body is sent.
    let isHeadOnly: Bool
    private let stream: BodyStream
    private let connection: ConnectionHandle
    private let deadline: ConnectionDeadline
    private let term: Int64
    private let register: Register<BodyStream>
    private var pace = ReadingPace()

    /// Starts to read the stream, or returns nil if the stream is already the body of another response.
    init?(
        _ stream: BodyStream, _ connection: ConnectionHandle, _ deadline: ConnectionDeadline, _ context: DaemonContext,
        isHeadOnly: Bool
    ) {
        guard stream.begin() else { return nil }
        self.isHeadOnly = isHeadOnly
        self.stream = stream
        self.connection = connection
        self.deadline = deadline
        term = context.times.response
        register = context.streams
        register.enter(stream)
    }

    deinit {
        register.remove(stream)
        stream.close()
    }

    /// Reads at most `count` bytes; empty if the connection was suspended until there are bytes, nil at the end.
    func read(upTo count: Int) -> [ArraySlice<UInt8>]? {
        switch stream.take(upTo: count, by: connection) {
        case .bytes(let parts, let waiting):
            if pace.take(parts.reduce(0) { $0 + $1.count }, waiting: waiting) { deadline.set(in: term) }
            return parts
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

extension Register<BodyStream> {
    fileprivate func enter(_ stream: BodyStream) {
        if !insert(stream, of: stream) { stream.finish() }
    }

    /// Finishes all streams, and each stream that is added later, so that no connection is suspended from now on.
    func finishAll() {
        for stream in close() { stream.finish() }
    }
}

/// The pace that a stream's reader must keep: bytes that wait at the start of a term must be read within the term.
///
/// A reader that has read everything has no deadline until there are new bytes. A byte that arrives during a term is
/// due at the end of the next term.
struct ReadingPace {
    /// The number of bytes that the reader has taken, all of which are sent when the reader takes the next part.
    private var taken = 0
    /// The number of bytes that must have been sent by the end of the term; nil while the reader has no deadline.
    private var goal: Int?

    /// Called when the reader takes a part; returns `true` if a new term starts.
    mutating func take(_ count: Int, waiting: Int) -> Bool {
        let sent = taken
        taken += count
        if let goal, sent < goal { return false }
        goal = taken + waiting
        return true
    }

    /// Called when the reader finds no bytes; the reader then has no deadline.
    mutating func park() {
        goal = nil
    }
}

// The callbacks of libmicrohttpd for a streamed body, which are nonisolated top-level functions.

/// Called when the connection has sent everything so far and needs more bytes.
func bodyWanted(
    context: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, size: Int
) -> Int {
    guard let context = unsafe context else { return endOfBody }
    let body = unsafe Unmanaged<StreamedBody>.fromOpaque(context).takeUnretainedValue()
    guard let parts = body.read(upTo: size) else { return endOfBody }
    let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size)
    var count = 0
    for part in parts {
        unsafe UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyBytes(from: part)
        count += part.count
    }
    return count
}

/// Called when the response is over.
func bodyReleased(context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<StreamedBody>.fromOpaque(context).release()
}

// `MHD_CONTENT_READER_END_OF_STREAM` is a macro with a cast, which Swift does not import.
private let endOfBody = -1

internal import UsherHTTP
internal import UsherProcess

/// A streamed response body on its way to one client.
///
/// Used on the connection's own thread only. libmicrohttpd holds it as long as the response.
final class StreamedBody {
    /// Set for a `HEAD` request: nothing of the body is sent.
    let isHeadOnly: Bool
    private let stream: BodyStream
    private let connection: ConnectionHandle
    private let deadline: ConnectionDeadline
    private let term: Int64
    private let register: Register<BodyStream>
    private var pace = ReadingPace()

    /// Fails if the stream is the body of another response already.
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

    /// However the response ended, nobody reads the stream any more.
    deinit {
        register.remove(stream)
        stream.close()
    }

    /// The next bytes in their parts, at most so many; none if the connection was suspended until there are some; nil at
    /// the end.
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
    /// Enters a stream; once the register is closed, the stream is finished instead.
    fileprivate func enter(_ stream: BodyStream) {
        if !insert(stream, of: stream) { stream.finish() }
    }

    /// Finishes all, now and later: none is suspended any more when this is done.
    func finishAll() {
        for stream in close() { stream.finish() }
    }
}

/// The pace of a stream's reader: the bytes that wait at the beginning of a term must be read within it.
///
/// A reader that took all has as much time as the stream likes. A byte that comes in the middle of a term waits for its
/// end, and at most one more.
struct ReadingPace {
    /// Bytes taken so far; all of them have been sent when the next part is asked for.
    private var taken = 0
    /// The bytes that must have been sent by the end of the term.
    private var goal: Int?

    /// The reader comes for more, and takes a part.
    ///
    /// - Returns: true if a new term begins.
    mutating func take(_ count: Int, waiting: Int) -> Bool {
        let sent = taken
        taken += count
        if let goal, sent < goal { return false }
        goal = taken + waiting
        return true
    }

    /// The reader comes for more, and there is nothing: it has no term until there is.
    mutating func park() {
        goal = nil
    }
}

// The callbacks of libmicrohttpd for a streamed body: top-level functions, isolated to nothing.

/// The connection has sent all that it had, and comes for more.
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

/// The response is over, however it ended.
func bodyReleased(context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<StreamedBody>.fromOpaque(context).release()
}

// MHD_CONTENT_READER_END_OF_STREAM, a macro with a cast.
private let endOfBody = -1

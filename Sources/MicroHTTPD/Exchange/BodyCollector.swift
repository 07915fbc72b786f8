internal import UsherHTTP

/// The body of a request as it comes in, bounded.
///
/// A response cannot be sent in the middle of an upload: a body without a length is read to twice the limit, so that
/// a client that went a little too far is told so, and beyond that the connection is closed.
struct BodyCollector {
    private let limit: Int
    private var bytes: [UInt8]
    private var count = 0

    /// A collector that takes nothing.
    init() {
        limit = 0
        bytes = []
    }

    /// A collector for a request.
    ///
    /// - Parameter memory: An empty array whose memory is used again.
    init(limit: Int, framing: RequestHead.Framing, into memory: consuming [UInt8] = []) {
        self.limit = limit
        if case .length(let length) = framing { memory.reserveCapacity(min(length, limit)) }
        bytes = memory
    }

    /// Takes a part.
    ///
    /// - Returns: false if the connection must be closed.
    mutating func append(_ part: Span<UInt8>) -> Bool {
        count += part.count
        guard count <= limit else {
            bytes = []
            return count <= 2 * limit
        }
        unsafe part.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        return true
    }

    /// The whole body, or the refusal of one too large; nothing is left here.
    mutating func finish() throws(Problem) -> [UInt8] {
        guard count <= limit else { throw RequestHead.tooLarge(limit) }
        var whole: [UInt8] = []
        swap(&whole, &bytes)
        return whole
    }
}

/// The buffers of a finished request, which the next request of the connection reuses.
package struct RequestBuffers {
    private var path: [UInt8] = []
    private var fields: [UInt8] = []
    private var body: [UInt8] = []

    /// The capacity in bytes above which a buffer is freed, because many idle connections would keep the memory.
    private static let limit = 2048

    package init() {}

    package mutating func takePath() -> [UInt8] { Self.take(&path) }

    package mutating func takeFields() -> [UInt8] { Self.take(&fields) }

    package mutating func takeBody() -> [UInt8] { Self.take(&body) }

    /// Takes the buffers of a finished request and leaves the request empty.
    ///
    /// A buffer that the request still shares with another owner stays with that owner, and a new buffer replaces it.
    package mutating func recycle(_ request: inout Request) {
        // The buffers are swapped, because a copy would share the memory, and shared memory cannot be reused.
        self = RequestBuffers()
        request.target.exchangeBuffer(with: &path)
        request.headers.exchangeBuffer(with: &fields)
        swap(&request.body, &body)
        Self.clear(&path)
        Self.clear(&fields)
        Self.clear(&body)
        request.query = nil
    }

    private static func take(_ buffer: inout [UInt8]) -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &buffer)
        return taken
    }

    private static func clear(_ buffer: inout [UInt8]) {
        if buffer.capacity > limit { buffer = [] } else { buffer.removeAll(keepingCapacity: true) }
    }
}

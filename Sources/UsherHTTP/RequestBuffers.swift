/// The buffers of a request that is over, reused for the next one of its connection.
package struct RequestBuffers {
    private var path: [UInt8] = []
    private var fields: [UInt8] = []
    private var body: [UInt8] = []

    /// The largest buffer that is held: connections wait for their next request for long, and are many.
    private static let limit = 2048

    /// No buffers yet.
    package init() {}

    /// An empty array for the path.
    package mutating func takePath() -> [UInt8] { Self.take(&path) }

    /// An empty array for the header section.
    package mutating func takeFields() -> [UInt8] { Self.take(&fields) }

    /// An empty array for the body.
    package mutating func takeBody() -> [UInt8] { Self.take(&body) }

    /// Takes the buffers of a request, which is left empty.
    ///
    /// One that somebody else still holds stays as it is: there is other memory in its place then.
    package mutating func recycle(_ request: inout Request) {
        // By swapping, so that no copy is left that would make the memory another's.
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

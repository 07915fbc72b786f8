/// The memory of a request that is over, for the next one of its connection.
package struct RequestMemory {
    private var path: [UInt8] = []
    private var fields: [UInt8] = []
    private var body: [UInt8] = []

    /// Connections wait for their next request for long, and are many: none keeps more of each than this.
    private static let limit = 2048

    /// Nothing is kept yet.
    package init() {}

    /// An array for the path to be made in.
    package mutating func takePath() -> [UInt8] { Self.take(&path) }

    /// An array for the header section to be made in.
    package mutating func takeFields() -> [UInt8] { Self.take(&fields) }

    /// An array for the body to be made in.
    package mutating func takeBody() -> [UInt8] { Self.take(&body) }

    /// Takes what a request needs no more, and leaves it empty.
    ///
    /// What somebody else still holds stays as it is: there is other memory in its place then.
    package mutating func keep(_ request: inout Request) {
        Self.keep(&request.target.bytes, as: &path)
        Self.keep(&request.headers.bytes, as: &fields)
        Self.keep(&request.body, as: &body)
        request.headers = HeaderFields()
        request.query = nil
    }

    private static func take(_ kept: inout [UInt8]) -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &kept)
        return taken
    }

    // By swapping, so that no copy is left that would make the memory another's.
    private static func keep(_ bytes: inout [UInt8], as kept: inout [UInt8]) {
        kept = []
        swap(&bytes, &kept)
        if kept.capacity > limit { kept = [] } else { kept.removeAll(keepingCapacity: true) }
    }
}

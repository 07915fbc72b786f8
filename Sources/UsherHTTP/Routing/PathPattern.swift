/// A path in which `{name}` stands for any one segment that is not empty.
struct PathPattern: Sendable {
    enum Segment: Hashable, Sendable {
        case literal([UInt8])
        case parameter(name: String)
    }

    let segments: [Segment]

    init(_ text: String) {
        segments = Path(text).segments.map { segment in
            guard segment.first == UInt8(ascii: "{"), segment.last == UInt8(ascii: "}") else {
                return .literal(Array(segment))
            }
            return .parameter(name: String(decoding: segment.dropFirst().dropLast(), as: UTF8.self))
        }
    }

    /// Which segment of the path has a name.
    func position(of name: String) -> Int? {
        segments.firstIndex(of: .parameter(name: name))
    }
}

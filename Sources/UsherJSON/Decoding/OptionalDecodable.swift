/// An optional, as far as its decoding goes.
protocol OptionalDecodable {
    /// What it wraps.
    static var wrapped: any Decodable.Type { get }
}

extension Optional: OptionalDecodable where Wrapped: Decodable {
    static var wrapped: any Decodable.Type { Wrapped.self }
}

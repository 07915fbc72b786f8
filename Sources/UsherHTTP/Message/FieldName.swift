/// The name of a header field that is looked for often: prepared once, it is found faster than a text.
package struct FieldName: Sendable {
    // In place: an array would be retained and released at each look.
    private let storage: InlineArray<32, UInt8>
    private let count: Int
    /// Its place among the names that a section may hold.
    let place: UInt64

    /// Whether fields can have it.
    let isToken: Bool

    /// A name of at most 32 bytes; one that is no token (RFC 9110 §5.6.2) is never found.
    package init(_ text: StaticString) {
        var storage = InlineArray<32, UInt8>(repeating: 0)
        let bytes = text.description.utf8
        precondition(bytes.count <= storage.count, "a field name that is prepared has at most 32 bytes")
        for (index, byte) in bytes.enumerated() { storage[index] = byte }
        self.storage = storage
        count = bytes.count
        place = Self.place(of: storage.span.extracting(first: bytes.count))
        isToken = FieldGrammar.isToken(storage.span.extracting(first: bytes.count))
    }

    /// Whether a field has this name, without regard to case.
    ///
    /// - Parameters:
    ///   - bytes: The header section.
    ///   - range: Where the field's name lies.
    func isAt(_ range: Range<Int>, of bytes: Span<UInt8>) -> Bool {
        range.count == count && storage.span.extracting(first: count).matches(bytes.extracting(range))
    }

    /// Adds a field of this name.
    func append(_ value: Span<UInt8>, to fields: inout HeaderFields) -> Bool {
        guard isToken, FieldGrammar.isValue(value) else { return false }
        return fields.add(storage.span.extracting(first: count), value, at: place)
    }

    /// One of 64 places, as a bit, by the length and the ends of a name; without regard to case.
    static func place(of name: Span<UInt8>) -> UInt64 {
        guard !name.isEmpty else { return 0 }
        // The bit in which the two cases of a letter differ is always set.
        let (first, last) = (name[0] | 0x20, name[name.count - 1] | 0x20)
        // The factors keep apart what requests have most often.
        let place = UInt8(truncatingIfNeeded: name.count) &* 5 &+ first &* 59 &+ last
        return 1 &<< UInt64(place & 63)
    }
}

extension FieldName {
    /// `Content-Length` (RFC 9110 §8.6).
    package static let contentLength = FieldName("Content-Length")
    /// `Content-Type` (RFC 9110 §8.3).
    package static let contentType = FieldName("Content-Type")
    /// `ETag` (RFC 9110 §8.8.3).
    package static let entityTag = FieldName("ETag")
    /// `Expect` (RFC 9110 §10.1.1).
    package static let expect = FieldName("Expect")
    /// `Host` (RFC 9110 §7.2).
    package static let host = FieldName("Host")
    /// `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
    package static let idempotencyKey = FieldName("Idempotency-Key")
    /// `If-Match` (RFC 9110 §13.1.1).
    package static let ifMatch = FieldName("If-Match")
    /// `If-None-Match` (RFC 9110 §13.1.2).
    package static let ifNoneMatch = FieldName("If-None-Match")
    /// `Origin` (RFC 6454 §7).
    package static let origin = FieldName("Origin")
    /// `Prefer` (RFC 7240 §2).
    package static let prefer = FieldName("Prefer")
    /// `Transfer-Encoding` (RFC 9112 §6.1).
    package static let transferEncoding = FieldName("Transfer-Encoding")
}

extension Span<UInt8> {
    /// Whether others are the same, without regard to ASCII case.
    func matches(_ others: Span<UInt8>) -> Bool {
        guard count == others.count else { return false }
        for index in indices {
            let (mine, other) = (self[index], others[index])
            guard mine == other || FieldGrammar.lowercased(mine) == FieldGrammar.lowercased(other) else { return false }
        }
        return true
    }
}

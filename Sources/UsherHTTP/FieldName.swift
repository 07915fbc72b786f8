import UsherBytes

/// A field name (RFC 9110 §5.1) that `HeaderFields` finds without creating a string.
///
/// Each use creates the name from a literal of the program, so it needs no storage and no initialization.
package struct FieldName: Sendable {
    private let text: StaticString

    /// The name's bit in a `FieldNameFilter`.
    let filterBit: UInt64

    /// Creates a field name from ASCII text; a name that is not a token (RFC 9110 §5.6.2) is never found.
    @inline(__always)
    package init(_ text: StaticString) {
        self.text = text
        filterBit = text.withBytes { FieldNameFilter.bit(of: $0) }
    }

    /// Compares with the name in a range of a buffer, ignoring case.
    @inline(__always)
    func isAt(_ range: Range<Int>, of buffer: Span<UInt8>) -> Bool {
        range.count == text.utf8CodeUnitCount && text.withBytes { $0.matches(buffer.extracting(range)) }
    }

    /// Adds a field with this name, or returns `false` if the name or the value is not legal.
    func append(_ value: Span<UInt8>, to fields: inout HeaderFields) -> Bool {
        text.withBytes { name in
            FieldGrammar.isToken(name) && FieldGrammar.isValue(value)
                && fields.append(legalName: name, filterBit, value)
        }
    }
}

extension FieldName: ExpressibleByStringLiteral {
    @inline(__always)
    package init(stringLiteral text: StaticString) { self.init(text) }
}

extension FieldName {
    /// `Accept` (RFC 9110 §12.5.1).
    package static var accept: FieldName { FieldName("Accept") }
    /// `Authorization` (RFC 9110 §11.6.2).
    package static var authorization: FieldName { FieldName("Authorization") }
    /// `Accept-Encoding` (RFC 9110 §12.5.3).
    package static var acceptEncoding: FieldName { FieldName("Accept-Encoding") }
    /// `Content-Encoding` (RFC 9110 §8.4).
    package static var contentEncoding: FieldName { FieldName("Content-Encoding") }
    /// `Content-Length` (RFC 9110 §8.6).
    package static var contentLength: FieldName { FieldName("Content-Length") }
    /// `Content-Type` (RFC 9110 §8.3).
    package static var contentType: FieldName { FieldName("Content-Type") }
    /// `Cookie` (RFC 6265 §4.2).
    package static var cookie: FieldName { FieldName("Cookie") }
    /// `ETag` (RFC 9110 §8.8.3).
    package static var entityTag: FieldName { FieldName("ETag") }
    /// `Expect` (RFC 9110 §10.1.1).
    package static var expect: FieldName { FieldName("Expect") }
    /// `Forwarded` (RFC 7239 §4).
    package static var forwarded: FieldName { FieldName("Forwarded") }
    /// `X-Forwarded-For`, the older list that `Forwarded` was made to replace.
    package static var forwardedFor: FieldName { FieldName("X-Forwarded-For") }
    /// `Host` (RFC 9110 §7.2).
    package static var host: FieldName { FieldName("Host") }
    /// `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
    package static var idempotencyKey: FieldName { FieldName("Idempotency-Key") }
    /// `If-Match` (RFC 9110 §13.1.1).
    package static var ifMatch: FieldName { FieldName("If-Match") }
    /// `If-None-Match` (RFC 9110 §13.1.2).
    package static var ifNoneMatch: FieldName { FieldName("If-None-Match") }
    /// `Origin` (RFC 6454 §7).
    package static var origin: FieldName { FieldName("Origin") }
    /// `Prefer` (RFC 7240 §2).
    package static var prefer: FieldName { FieldName("Prefer") }
    /// `Transfer-Encoding` (RFC 9112 §6.1).
    package static var transferEncoding: FieldName { FieldName("Transfer-Encoding") }
}

/// A Bloom filter of the field names in a section.
///
/// Each name has one of 64 bits, and several names share a bit. A bit that is not set proves that the name is absent.
struct FieldNameFilter: Sendable {
    private var present: UInt64 = 0
    private var repeated: UInt64 = 0

    /// Returns `false` only if no field has a name with this bit.
    func mayHold(_ bit: UInt64) -> Bool {
        present & bit != 0
    }

    /// Returns `false` only if at most one field has a name with this bit.
    func mayRepeat(_ bit: UInt64) -> Bool {
        repeated & bit != 0
    }

    mutating func insert(_ bit: UInt64) {
        repeated |= present & bit
        present |= bit
    }

    mutating func insert(_ others: FieldNameFilter) {
        repeated |= others.repeated | present & others.present
        present |= others.present
    }

    /// Returns the bit of a name, computed from its length, first and last character, ignoring case.
    @inline(__always)
    static func bit(of name: Span<UInt8>) -> UInt64 {
        guard !name.isEmpty else { return 0 }
        // Sets the bit in which uppercase and lowercase letters differ.
        let (first, last) = (name[0] | 0x20, name[name.count - 1] | 0x20)
        // These factors give different bits to the names that are most frequent in requests.
        let place = UInt8(truncatingIfNeeded: name.count) &* 5 &+ first &* 59 &+ last
        return 1 &<< UInt64(place & 63)
    }
}

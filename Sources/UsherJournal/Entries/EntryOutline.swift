/// What of an entry can be told from its bytes without checking or copying them.
package struct EntryOutline: Equatable, Sendable {
    /// The revision that it led to.
    package let revision: Int
    /// When it came: milliseconds since 1970.
    package let time: Int64
    /// Whether it holds secrets, erased or not.
    package let holdsSecrets: Bool

    /// Looks at an entry.
    ///
    /// - Parameter bytes: What `Entry.bytes(of:)` has returned; of others nothing is promised.
    package init(_ bytes: [UInt8]) {
        // Behind the version and the kind.
        var position = 2
        revision = Int(truncatingIfNeeded: Self.number(in: bytes, at: &position))
        time = Int64(bitPattern: Self.number(in: bytes, at: &position))
        // Four ids; the digest; the visible screen and the payload.
        for _ in 0..<4 { _ = Self.number(in: bytes, at: &position) }
        position += 8
        for _ in 0..<2 {
            let count = Self.number(in: bytes, at: &position)
            position = UInt64(bytes.count) < count ? bytes.count : position + Int(count)
        }
        holdsSecrets = position < bytes.count - ByteWriter.checksumSize
    }

    /// A number in LEB128, of which what is beyond 64 bits or the end is cut.
    private static func number(in bytes: [UInt8], at position: inout Int) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { break }
        }
        return number
    }
}

extension Entry {
    /// Whether an entry's bytes hold secrets, erased or not: so much can be told without reading it.
    ///
    /// - Parameter bytes: What `bytes(of:)` has returned; of others nothing is promised.
    package static func holdsSecrets(_ bytes: [UInt8]) -> Bool {
        EntryOutline(bytes).holdsSecrets
    }
}

/// Reads what a `ByteWriter` has sealed.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    /// Checks the seal.
    ///
    /// - Parameters:
    ///   - sealed: What `ByteWriter.sealed` once returned.
    ///   - key: The session that it must have been sealed for.
    /// - Throws: `EntryError`: a changed byte is noticed, and so are bytes of another session.
    init(_ sealed: [UInt8], of key: JournalKey) throws(EntryError) {
        guard sealed.count > ByteWriter.checksumSize + 1 else { throw .truncated }
        guard sealed[0] <= ByteWriter.version else { throw .version(sealed[0]) }
        let end = sealed.count - ByteWriter.checksumSize
        rest = sealed[end...]
        let checksum = UInt64(Checksum.of(sealed.span.extracting(..<end), key))
        guard try littleEndian(count: ByteWriter.checksumSize) == checksum else { throw .checksum }
        rest = sealed[1..<end]
    }

    /// Reads bytes that have no seal.
    init(unsealed bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ count: Int) throws(EntryError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .truncated }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func littleEndian(count: Int) throws(EntryError) -> UInt64 {
        try take(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// LEB128, at most the ten bytes that 64 bits can need.
    mutating func variableLength() throws(EntryError) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            guard let byte = rest.popFirst() else { throw .truncated }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw .malformed
    }

    mutating func integer() throws(EntryError) -> Int {
        guard let integer = Int(exactly: try variableLength()) else { throw .malformed }
        return integer
    }

    /// Milliseconds since 1970, which may be before.
    mutating func time() throws(EntryError) -> Int64 {
        Int64(bitPattern: try variableLength())
    }

    mutating func byte() throws(EntryError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw .truncated }
        return byte
    }

    mutating func bytes() throws(EntryError) -> [UInt8] {
        Array(try take(integer()))
    }

    mutating func text() throws(EntryError) -> String {
        String(decoding: try take(integer()), as: UTF8.self)
    }
}

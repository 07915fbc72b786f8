import UsherBytes

/// Writes the bytes of a row: a version, the content, and a checksum of the version, the content and the session's key.
///
/// The checksum covers the key, so that a reader detects a row that was stored with another session.
struct ByteWriter {
    /// The format that this build writes; the build rejects rows of newer formats.
    static let version: UInt8 = 1
    static let checksumSize = 4

    private var bytes: [UInt8] = []

    init(reservingCapacity capacity: Int) {
        bytes.reserveCapacity(capacity + 1 + Self.checksumSize)
        bytes.append(Self.version)
    }

    /// Starts bytes without a checksum.
    init(marking mark: UInt8, reservingCapacity capacity: Int) {
        bytes.reserveCapacity(capacity + 1)
        bytes.append(mark)
    }

    mutating func byte(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Appends a number in LEB128, in which small numbers need one byte.
    mutating func variableLength(_ number: UInt64) {
        if number < 0x80 { return bytes.append(UInt8(truncatingIfNeeded: number)) }
        append(atMost: OutputSpan<UInt8>.variableLengthLimit) { $0.append(variableLength: number) }
    }

    mutating func integer(_ number: Int) {
        variableLength(UInt64(max(0, number)))
    }

    mutating func time(_ milliseconds: Int64) {
        variableLength(UInt64(bitPattern: milliseconds))
    }

    mutating func littleEndian(_ number: UInt64, count: Int) {
        append(atMost: count) { $0.append(littleEndian: number, count: count) }
    }

    /// Appends numbers that together need at most `size` bytes, and reserves capacity for all of them at once.
    @inline(__always)
    mutating func append(atMost size: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        bytes.append(addingCapacity: size) { (span: inout OutputSpan<UInt8>) in body(&span) }
    }

    mutating func bytes(_ content: [UInt8]) {
        integer(content.count)
        bytes += content
    }

    mutating func text(_ text: String) {
        integer(text.utf8.count)
        bytes += text.utf8
    }

    var unsealed: [UInt8] { bytes }

    /// Returns the bytes with their checksum (CRC-32C, little endian); leaves the writer empty, to avoid a copy.
    mutating func sealed(for key: JournalKey) -> [UInt8] {
        let checksum = key.checksum(of: bytes.span)
        littleEndian(UInt64(checksum), count: Self.checksumSize)
        var sealed: [UInt8] = []
        swap(&sealed, &bytes)
        return sealed
    }
}

extension OutputSpan<UInt8> {
    /// The maximum number of bytes of a number in LEB128.
    static var variableLengthLimit: Int { 10 }

    @inline(__always)
    mutating func append(variableLength number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a number in LEB128; a negative number is written as zero.
    @inline(__always)
    mutating func append(variableLength number: Int) {
        append(variableLength: UInt64(max(0, number)))
    }

    @inline(__always)
    mutating func append(littleEndian number: UInt64, count: Int) {
        var rest = number
        for _ in 0..<count {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }
}

/// Reads the bytes that a `ByteWriter` has written.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    /// Creates a reader of a row's content, after checking the checksum.
    ///
    /// - Throws: `EntryError` if a byte has changed, or if the bytes belong to another session.
    init(_ sealed: [UInt8], of key: JournalKey) throws(EntryError) {
        guard sealed.count > ByteWriter.checksumSize + 1 else { throw .truncated }
        guard sealed[0] <= ByteWriter.version else { throw .version(sealed[0]) }
        let end = sealed.count - ByteWriter.checksumSize
        rest = sealed[end...]
        let checksum = UInt64(key.checksum(of: sealed.span.extracting(..<end)))
        guard try littleEndian(count: ByteWriter.checksumSize) == checksum else { throw .checksum }
        rest = sealed[1..<end]
    }

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

    /// Reads a number in LEB128 of at most ten bytes, the most that 64 bits need.
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

    /// Reads a time in milliseconds since 1970, which may be negative.
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

/// The reason why the bytes of a row are not an entry, a header or a response.
package enum EntryError: Error, Equatable, Sendable {
    case truncated
    /// The bytes were changed after they were written, or belong to another session.
    case checksum
    /// A newer build wrote the bytes.
    case version(UInt8)
    /// The bytes have content that no build writes.
    case malformed
    /// A row is missing, or there is an additional row.
    case incomplete
    /// The bytes are encrypted with a key that this process does not have. The value is the key's name.
    case sealed(String)
}

extension EntryError: CustomStringConvertible {
    /// The reason, worded as the end of a sentence.
    package var description: String {
        switch self {
        case .truncated: "a row ends too early"
        case .checksum: "a row was changed after it was written"
        case .version(let version): "a row has format \(version), which is newer than this build"
        case .malformed: "a row has contents that no build writes"
        case .incomplete: "rows are missing"
        case .sealed(let key):
            "a row is sealed with the key \(key), which is missing; add the key to the file that --journal-key names"
        }
    }
}

extension JournalKey {
    fileprivate func checksum(of bytes: Span<UInt8>) -> UInt32 {
        var checksum = CRC32C()
        checksum.add(EightBytes(high))
        checksum.add(EightBytes(low))
        checksum.add(bytes)
        return checksum.value
    }
}

import UsherBytes

/// Percent-decoding (RFC 3986 §2.1) that rejects bytes which other software could interpret differently.
struct PercentDecoding {
    private var decoded: [UInt8]
    /// A Boolean value that indicates whether a dot or a backslash was decoded.
    ///
    /// A path in which neither was decoded cannot leave its folder.
    private(set) var mayTraverse = false
    private var sawNonASCII = false

    /// Decodes into an empty array whose memory is reused.
    init(into buffer: consuming [UInt8] = [], capacity: Int) {
        buffer.reserveCapacity(capacity)
        decoded = buffer
    }

    /// Decodes a run of plain path characters, with a zero for each `/`, and returns the position after the run.
    mutating func decodePlain(_ raw: Span<UInt8>, at position: Int) -> Int {
        let rest = raw.extracting(position..<raw.count)
        let before = decoded.count
        decoded.append(addingCapacity: rest.count) { output in
            var index = 0
            while index <= rest.count &- 8, let plain = Self.decodedPlain(rest.eightBytes(at: index)) {
                output.append(plain)
                index &+= 8
            }
            while index < rest.count, Self.isPlain(rest[index]) {
                output.append(rest[index] == UInt8(ascii: "/") ? 0 : rest[index])
                index &+= 1
            }
        }
        return position + decoded.count - before
    }

    /// Decodes one byte or one escape, and returns the position after it.
    mutating func decode(_ raw: Span<UInt8>, at position: Int) throws(Problem) -> Int {
        guard raw[position] == UInt8(ascii: "%") else {
            try append(raw[position])
            return position + 1
        }
        guard position + 2 < raw.count, let high = FieldGrammar.hexadecimalDigit(raw[position + 1]),
            let low = FieldGrammar.hexadecimalDigit(raw[position + 2])
        else {
            throw Problem(.badRequest, "The request target has a % without two hexadecimal digits after it.")
        }
        try append(high << 4 | low)
        return position + 3
    }

    /// Returns the decoded bytes; throws a 400 if they are not UTF-8.
    consuming func finish() throws(Problem) -> [UInt8] {
        guard !sawNonASCII || String(validating: decoded, as: UTF8.self) != nil else {
            throw Problem(.badRequest, "The request target is not UTF-8 after its percent escapes are decoded.")
        }
        return decoded
    }

    private mutating func append(_ byte: UInt8) throws(Problem) {
        switch byte {
        case 0..<0x20, 0x7F:
            throw Problem(.badRequest, "The request target has a control character, which is not allowed.")
        case 0x80...: sawNonASCII = true
        case UInt8(ascii: "."), UInt8(ascii: "\\"): mayTraverse = true
        default: break
        }
        decoded.append(byte)
    }

    /// Decodes eight plain bytes, with a zero for each `/`, or returns nil if one of the bytes is not plain.
    @inline(__always)
    private static func decodedPlain(_ bytes: EightBytes) -> EightBytes? {
        guard !bytes.hasNonASCII, !bytes.hasByte(below: UInt8(ascii: "-")), !bytes.hasByte(UInt8(ascii: ".")),
            !bytes.hasByte(UInt8(ascii: "?")), !bytes.hasByte(UInt8(ascii: "\\")), !bytes.hasByte(0x7F)
        else { return nil }
        return EightBytes(bytes.word & ~(bytes.equal(to: "/") >> 7 &* 0xFF))
    }

    // Tests for `-`, `/`, and `0` to `~` without `?` and `\`; `set` has one bit per ASCII character.
    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        let set: UInt64 = byte < 0x40 ? 0x7FFF_A000_0000_0000 : byte < 0x80 ? 0x7FFF_FFFF_EFFF_FFFF : 0
        return set &>> UInt64(byte & 0x3F) & 1 != 0
    }
}

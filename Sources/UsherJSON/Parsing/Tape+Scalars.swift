// The strings and numbers that tokens stand for.
extension Tape {
    /// The content of a string, still escaped, without its quotation marks.
    @inline(__always)
    func content(at index: Int) -> Range<Int> {
        let token = tokens[index]
        return Int(token.start) + 1..<Int(token.end) - 1
    }

    /// The string at `index`, which is known to be one.
    @inline(__always)  // Else a document's tape is copied for the call.
    func string(at index: Int) -> String {
        if tokens[index].escaped { return String(decoding: unescaped(at: index), as: UTF8.self) }
        return String(decoding: bytes[content(at: index)], as: UTF8.self)
    }

    /// The UTF-8 of the string at `index`, its escapes resolved.
    func utf8(at index: Int) -> ArraySlice<UInt8> {
        tokens[index].escaped ? unescaped(at: index)[...] : bytes[content(at: index)]
    }

    /// True if the string at `index` is, byte for byte, `name`.
    @inline(__always)
    func string(at index: Int, is name: Span<UInt8>) -> Bool {
        let token = tokens[index]
        let start = Int(token.start) + 1
        if token.escaped {
            let text = unescaped(at: index)
            return text.count == name.count && name.indices.allSatisfy { text[$0] == name[$0] }
        }
        guard Int(token.end) - 1 - start == name.count else { return false }
        for offset in name.indices where bytes[start + offset] != name[offset] { return false }
        return true
    }

    /// True if the strings at two indices are, byte for byte, the same.
    @inline(__always)
    func isSameString(_ one: Int, _ other: Int) -> Bool {
        if tokens[one].escaped || tokens[other].escaped { return utf8(at: one) == utf8(at: other) }
        let (left, right) = (content(at: one), content(at: other))
        guard left.count == right.count else { return false }
        for offset in 0..<left.count where bytes[left.lowerBound + offset] != bytes[right.lowerBound + offset] {
            return false
        }
        return true
    }

    /// The whole number at `index`, however it is written; nil when there is none, or it does not fit.
    func integer<Number: FixedWidthInteger>(at index: Int, as type: Number.Type = Number.self) -> Number? {
        let token = tokens[index]
        switch token.kind {
        case .integer: return Self.integer(of: bytes[Int(token.start)..<Int(token.end)])
        case .number: return DecimalNumber(text(at: index)).integer.flatMap { Self.integer(of: $0[...]) }
        default: return nil
        }
    }

    /// True of a whole number, whatever its size.
    func isWhole(at index: Int) -> Bool {
        switch tokens[index].kind {
        case .integer: true
        case .number: DecimalNumber(text(at: index)).integer != nil
        default: false
        }
    }

    @inline(__always)
    private static func integer<Number: FixedWidthInteger>(of literal: ArraySlice<UInt8>) -> Number? {
        let isNegative = literal.first == ASCII.minus
        var number: Number = 0
        for byte in literal.dropFirst(isNegative ? 1 : 0) {
            let digit = byte - ASCII.zero
            let (shifted, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, exceeds) =
                isNegative
                ? shifted.subtractingReportingOverflow(Number(digit)) : shifted.addingReportingOverflow(Number(digit))
            if overflows || exceeds { return nil }
            number = sum
        }
        return number
    }

    /// The number at `index`; nil when there is none, or it is too large for the type.
    func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(at index: Int, as type: Number.Type) -> Number?
    {
        let kind = tokens[index].kind
        guard kind == .integer || kind == .number else { return nil }
        guard let number = Number(String(decoding: text(at: index), as: UTF8.self)), number.isFinite else { return nil }
        return number
    }
}

// MARK: Escapes (RFC 8259, section 7)

extension Tape {
    /// The UTF-8 of an escaped string; the lexer has checked its escapes.
    private func unescaped(at index: Int) -> [UInt8] {
        let range = content(at: index)
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            let byte = bytes[position]
            position += 1
            if byte == ASCII.backslash {
                appendEscape(at: &position, to: &text)
            } else {
                text.append(byte)
            }
        }
        return text
    }

    private func appendEscape(at position: inout Int, to text: inout [UInt8]) {
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "u"): appendScalar(at: &position, to: &text)
        default: text.append(byte)
        }
    }

    private func appendScalar(at position: inout Int, to text: inout [UInt8]) {
        var code = codeUnit(at: position)
        position += 4
        if code & 0xFC00 == 0xD800 {
            code = 0x10000 + (code & 0x3FF) << 10 + (codeUnit(at: position + 2) & 0x3FF)
            position += 6
        }
        guard let scalar = Unicode.Scalar(code) else { return }
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// The UTF-16 code unit whose four hexadecimal digits stand at `position`.
    private func codeUnit(at position: Int) -> UInt32 {
        bytes[position..<position + 4].reduce(0) { $0 << 4 | (ASCII.hexadecimal($1) ?? 0) }
    }
}

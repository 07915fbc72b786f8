extension Tape {
    /// The UTF-8 text of the string at `index`, its escapes resolved (RFC 8259, section 7).
    func unescaped(at index: Int) -> [UInt8] {
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

    /// The four hexadecimal digits at `position`, which are known to be such.
    private func codeUnit(at position: Int) -> UInt32 {
        bytes[position..<position + 4].reduce(0) { $0 << 4 | (ASCII.hexadecimal($1) ?? 0) }
    }
}

extension Tape {
    /// The integer literal at `index`; nil when there is none, or it does not fit.
    func integer<Number: FixedWidthInteger>(at index: Int, as type: Number.Type = Number.self) -> Number? {
        let token = tokens[index]
        guard token.kind == .integer else { return nil }
        let isNegative = bytes[Int(token.start)] == ASCII.minus
        var number: Number = 0
        for position in Int(token.start) + (isNegative ? 1 : 0)..<Int(token.end) {
            let digit = bytes[position] - ASCII.zero
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

import UsherBytes

// The strings and numbers of tokens.
extension TokenRow where Self: ~Copyable {
    /// Returns the range of a string without its quotation marks, still escaped.
    @inline(__always)
    func content(at index: Int) -> Range<Int> {
        let token = token(at: index)
        return Int(token.start) + 1..<Int(token.end) - 1
    }

    /// Returns the unescaped string at `index`, which must be a string.
    func string(at index: Int) -> String {
        if token(at: index).escaped { return String(decoding: unescaped(at: index), as: UTF8.self) }
        // A slice would count a reference to the bytes.
        return String(decoding: bytes.span.extracting(content(at: index)))
    }

    /// Returns the unescaped string at `index` as UTF-8.
    func utf8(at index: Int) -> ArraySlice<UInt8> {
        token(at: index).escaped ? unescaped(at: index)[...] : bytes[content(at: index)]
    }

    /// Returns `true` if the string at `index` equals `name`, compared by bytes.
    @inline(__always)
    func string(at index: Int, is name: Span<UInt8>) -> Bool {
        let token = token(at: index)
        if token.escaped { return unescaped(at: index).span.isSame(as: name) }
        let start = Int(token.start) + 1
        // Compares the lengths first, because most different names have different lengths.
        guard Int(token.end) - 1 - start == name.count else { return false }
        return bytes.span.extracting(start..<start + name.count).isSame(as: name)
    }

    @inline(__always)
    func isSameString(_ one: Int, _ other: Int) -> Bool {
        if token(at: one).escaped || token(at: other).escaped { return utf8(at: one) == utf8(at: other) }
        let (left, right) = (content(at: one), content(at: other))
        guard left.count == right.count else { return false }
        return bytes.span.extracting(left).isSame(as: bytes.span.extracting(right))
    }

    /// Returns the whole number at `index`, such as `100` or `1e2`; nil for other values and for numbers beyond the type.
    func integer<Number: FixedWidthInteger>(at index: Int, as type: Number.Type = Number.self) -> Number? {
        let token = token(at: index)
        switch token.kind {
        case .integer: return Self.integer(of: bytes.span.extracting(Int(token.start)..<Int(token.end)))
        case .number: return DecimalNumber(text(at: index)).integer.flatMap { Self.integer(of: $0.span) }
        default: return nil
        }
    }

    /// Returns `true` for a whole number of any size.
    func isWhole(at index: Int) -> Bool {
        switch token(at: index).kind {
        case .integer: true
        case .number: DecimalNumber(text(at: index)).integer != nil
        default: false
        }
    }

    @inline(__always)
    private static func integer<Number: FixedWidthInteger>(of literal: Span<UInt8>) -> Number? {
        let isNegative = !literal.isEmpty && literal[0] == ASCII.minus
        var number: Number = 0
        for place in (isNegative ? 1 : 0)..<literal.count {
            let digit = literal[place] - ASCII.zero
            let (shifted, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, exceeds) =
                isNegative
                ? shifted.subtractingReportingOverflow(Number(digit)) : shifted.addingReportingOverflow(Number(digit))
            if overflows || exceeds { return nil }
            number = sum
        }
        return number
    }

    /// Returns the number at `index`, or nil if the value is not a number or is too large for the type.
    func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(at index: Int, as type: Number.Type) -> Number?
    {
        let kind = token(at: index).kind
        guard kind == .integer || kind == .number else { return nil }
        guard let number = Number(String(decoding: text(at: index), as: UTF8.self)), number.isFinite else { return nil }
        return number
    }
}

// MARK: Escapes (RFC 8259, section 7)

extension TokenRow where Self: ~Copyable {
    /// Decodes the escapes of a string, which the lexer has checked.
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

    /// Returns the UTF-16 code unit of the four hexadecimal digits at `position`.
    private func codeUnit(at position: Int) -> UInt32 {
        bytes[position..<position + 4].reduce(0) { $0 << 4 | (ASCII.hexadecimal($1) ?? 0) }
    }
}

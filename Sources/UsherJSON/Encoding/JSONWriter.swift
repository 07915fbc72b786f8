import UsherBytes

/// A writer that appends JSON to a buffer and inserts the commas.
///
/// Its only state is the text: the last byte shows whether a comma is needed. The caller must close each container and
/// write a name before each value of an object; `encode` does both itself.
package struct JSONWriter: Sendable {
    /// The text.
    package var bytes: [UInt8] = []

    /// Creates a writer with a capacity in bytes.
    package init(reservingCapacity capacity: Int = 0) {
        if capacity > 0 { bytes.reserveCapacity(capacity) }
    }

    /// Starts an object.
    package mutating func beginObject() { begin(ASCII.openBrace) }

    /// Ends the innermost object.
    package mutating func endObject() { bytes.append(ASCII.closeBrace) }

    /// Starts an array.
    package mutating func beginArray() { begin(ASCII.openBracket) }

    /// Ends the innermost array.
    package mutating func endArray() { bytes.append(ASCII.closeBracket) }

    /// Writes a member's name; its value must follow.
    package mutating func key(_ name: String) { append(name, isName: true) }

    /// Writes a member's name; its value must follow.
    package mutating func key(_ key: JSONKey) { raw(key.text) }

    /// Writes `true` or `false`.
    package mutating func boolean(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    /// Writes `null`.
    package mutating func null() { raw("null") }

    /// Writes a value that is JSON text, which must not end in white space.
    package mutating func raw(_ json: [UInt8]) { append(json.span) }

    /// Writes a value that is JSON text, which must not end in white space.
    package mutating func raw(_ json: ArraySlice<UInt8>) { append(json.span) }

    /// Writes a value that is JSON text, which must not end in white space.
    package mutating func raw(_ json: StaticString) { json.withBytes { append($0) } }

    /// Appends constant text with its own commas and brackets; inserts no comma before the text.
    package mutating func part(_ json: StaticString) { json.withBytes { append(part: $0) } }

    /// Appends text with its own commas and brackets; inserts no comma before the text.
    package mutating func part(_ json: [UInt8]) { append(part: json.span) }

    /// Returns the text without copying it, and leaves the writer empty.
    package mutating func take() -> [UInt8] {
        var text: [UInt8] = []
        swap(&text, &bytes)
        return text
    }

    /// Writes a parsed value on one line, without white space between its parts.
    package mutating func value(_ json: JSONValue) {
        switch json.kind {
        case .object:
            beginObject()
            for (name, value) in json.members {
                key(name)
                self.value(value)
            }
            endObject()
        case .array:
            beginArray()
            for element in json.elements { value(element) }
            endArray()
        case .string, .number, .boolean, .null: raw(json.bytes)
        }
    }

    /// Writes a comma if a comma is needed.
    @inline(__always)
    mutating func separate() {
        if isCommaDue { bytes.append(ASCII.comma) }
    }

    @inline(__always)
    private var isCommaDue: Bool {
        switch bytes.last {
        case nil, ASCII.openBrace, ASCII.openBracket, ASCII.colon, ASCII.comma: false
        default: true
        }
    }

    private mutating func begin(_ byte: UInt8) {
        separate()
        bytes.append(byte)
    }

    private mutating func append(part: Span<UInt8>) {
        bytes.append(addingCapacity: part.count) { (output: inout OutputSpan<UInt8>) in output.append(copying: part) }
    }

    private mutating func append(literal: String) { append(literal.utf8.span) }

    /// Appends a piece, after a comma if a comma is needed, with one reservation of capacity.
    private mutating func append(_ piece: Span<UInt8>, isQuoted: Bool = false, isName: Bool = false) {
        let isCommaDue = isCommaDue
        bytes.append(addingCapacity: piece.count + 4) { (output: inout OutputSpan<UInt8>) in
            if isCommaDue { output.append(ASCII.comma) }
            if isQuoted { output.append(ASCII.quote) }
            output.append(copying: piece)
            if isQuoted { output.append(ASCII.quote) }
            if isName { output.append(ASCII.colon) }
        }
    }
}

/// The name of a member as JSON text, for names that are written often.
///
/// A key is created where it is used, from a literal of the program: it needs no storage and no initialization.
///
/// ```swift
/// extension JSONKey { static var revision: JSONKey { JSONKey(#""revision":"#) } }
/// writer.key(.revision)
/// ```
package struct JSONKey: Sendable {
    fileprivate let text: StaticString

    /// Creates a key from the name in quotation marks, escaped if necessary, and the colon.
    @inline(__always)
    package init(_ text: StaticString) { self.text = text }
}

// MARK: Numbers (RFC 8259, section 6)

extension JSONWriter {
    /// Writes an integer.
    ///
    /// This function is not generic: most integers are of this type, and other targets cannot specialize the generic
    /// function.
    package mutating func integer(_ number: Int) {
        append(UInt64(number.magnitude), isNegative: number < 0)
    }

    /// Writes an integer of any type.
    package mutating func integer(_ number: some BinaryInteger) {
        if let small = Int64(exactly: number) {
            append(small.magnitude, isNegative: small < 0)
        } else if let large = UInt64(exactly: number) {
            append(large, isNegative: false)
        } else {
            append(literal: String(number))
        }
    }

    /// Writes a finite number with the fewest digits that identify it: `1`, not `1.0`.
    mutating func number(_ number: some BinaryFloatingPoint & CustomStringConvertible) {
        append(literal: number.description)
        if bytes.last == ASCII.zero, bytes.dropLast().last == ASCII.point { bytes.removeLast(2) }
    }

    private mutating func append(_ magnitude: UInt64, isNegative: Bool) {
        let isCommaDue = isCommaDue
        bytes.append(addingCapacity: magnitude.digitCount + 2) { (output: inout OutputSpan<UInt8>) in
            if isCommaDue { output.append(ASCII.comma) }
            if isNegative { output.append(ASCII.minus) }
            output.append(decimal: magnitude)
        }
    }
}

// MARK: Strings (RFC 8259, section 7)

extension JSONWriter {
    /// Writes a string with as few escapes as possible.
    package mutating func string(_ text: String) { append(text, isName: false) }

    private mutating func append(_ text: String, isName: Bool) {
        let plain = text.utf8.span
        guard Self.isPlain(plain) else { return append(escaping: text, isName: isName) }
        append(plain, isQuoted: true, isName: isName)
    }

    @inline(never)
    private mutating func append(escaping text: String, isName: Bool) {
        separate()
        bytes.append(ASCII.quote)
        for byte in text.utf8 { append(escaping: byte) }
        bytes.append(ASCII.quote)
        if isName { bytes.append(ASCII.colon) }
    }

    @inline(__always)
    private static func isPlain(_ text: Span<UInt8>) -> Bool {
        guard text.count > 8 else { return text.isEmpty || text.inOneWord.isPlain }
        var index = 0
        while index < text.count &- 8 {
            guard text.eightBytes(at: index).isPlain else { return false }
            index &+= 8
        }
        return text.eightBytes(at: text.count &- 8).isPlain
    }

    private mutating func append(escaping byte: UInt8) {
        guard byte < 0x20 || byte == ASCII.quote || byte == ASCII.backslash else { return bytes.append(byte) }
        bytes.append(ASCII.backslash)
        switch byte {
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0..<0x20:
            let digit = byte & 0xF
            bytes.append(contentsOf: [UInt8(ascii: "u"), ASCII.zero, ASCII.zero, ASCII.zero + byte >> 4])
            bytes.append(digit < 10 ? ASCII.zero + digit : UInt8(ascii: "a") + digit - 10)
        default: bytes.append(byte)
        }
    }
}

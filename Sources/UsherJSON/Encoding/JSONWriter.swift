/// A writer: appends JSON to a byte buffer, and puts the commas itself.
///
/// It keeps no state but the bytes: what was written last says whether a comma is due. So the caller opens and closes
/// in pairs, and writes a name before each value of an object; `encode` sees to that itself.
package struct JSONWriter: Sendable {
    /// The text so far.
    package var bytes: [UInt8] = []

    /// Makes a writer with room for so many bytes.
    package init(reservingCapacity capacity: Int = 0) {
        if capacity > 0 { bytes.reserveCapacity(capacity) }
    }

    /// Writes one object.
    ///
    /// - Parameter write: Writes its members.
    /// - Returns: Its bytes.
    package static func object(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 1_024)
        writer.beginObject()
        write(&writer)
        writer.endObject()
        return writer.bytes
    }

    /// Opens an object.
    package mutating func beginObject() { begin(ASCII.openBrace) }

    /// Closes the object that was opened last.
    package mutating func endObject() { bytes.append(ASCII.closeBrace) }

    /// Opens an array.
    package mutating func beginArray() { begin(ASCII.openBracket) }

    /// Closes the array that was opened last.
    package mutating func endArray() { bytes.append(ASCII.closeBracket) }

    /// Writes a member's name; its value must follow.
    package mutating func key(_ name: String) {
        string(name)
        bytes.append(ASCII.colon)
    }

    /// Writes a member's name; its value must follow.
    package mutating func key(_ key: JSONKey) {
        raw(key.bytes)
    }

    /// Writes a member that is a text.
    package mutating func member(_ name: String, _ text: String) {
        key(name)
        string(text)
    }

    /// Writes a member that is a number.
    package mutating func member(_ name: String, _ number: Int) {
        key(name)
        integer(number)
    }

    /// Writes a member that is an array of texts.
    package mutating func member(_ name: String, _ texts: [String]) {
        key(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
    }

    /// Writes a member that is an array of numbers.
    package mutating func member(_ name: String, _ numbers: [Int]) {
        key(name)
        beginArray()
        for number in numbers { integer(number) }
        endArray()
    }

    /// Writes `true` or `false`.
    package mutating func boolean(_ value: Bool) {
        separate()
        if value { bytes.append(contentsOf: "true".utf8) } else { bytes.append(contentsOf: "false".utf8) }
    }

    /// Writes `null`.
    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes one value that is JSON already; it must not end in white space.
    package mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Writes one value that is JSON already; it must not end in white space.
    package mutating func raw(_ json: ArraySlice<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Writes a value that was read, without the blanks between its parts: it is one line then.
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

    /// Writes the comma, where one is due.
    @inline(__always)
    mutating func separate() {
        switch bytes.last {
        case nil, ASCII.openBrace, ASCII.openBracket, ASCII.colon, ASCII.comma: return
        default: bytes.append(ASCII.comma)
        }
    }

    private mutating func begin(_ byte: UInt8) {
        separate()
        bytes.append(byte)
    }
}

/// A member's name with its colon, as JSON: escaped once, for names that are written again and again.
///
/// ```swift
/// extension JSONKey { static let revision = JSONKey("revision") }
/// writer.key(.revision)
/// ```
package struct JSONKey: Sendable {
    fileprivate let bytes: [UInt8]

    /// Makes a key.
    ///
    /// - Parameter name: The member's name.
    package init(_ name: String) {
        var writer = JSONWriter()
        writer.key(name)
        bytes = writer.bytes
    }
}

// MARK: Numbers (RFC 8259, section 6)

extension JSONWriter {
    /// Writes an integer.
    ///
    /// Not generic, as most are of this type: other targets cannot specialize what is generic here.
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

    /// Writes a finite number with the fewest digits that give it back, `1` rather than `1.0`.
    mutating func number(_ number: some BinaryFloatingPoint & CustomStringConvertible) {
        append(literal: number.description)
        if bytes.last == ASCII.zero, bytes.dropLast().last == ASCII.point { bytes.removeLast(2) }
    }

    private mutating func append(literal: String) {
        separate()
        bytes.append(contentsOf: literal.utf8)
    }

    private mutating func append(_ magnitude: UInt64, isNegative: Bool) {
        separate()
        if isNegative { bytes.append(ASCII.minus) }
        if magnitude < 10 { return bytes.append(ASCII.zero + UInt8(truncatingIfNeeded: magnitude)) }
        var scale: UInt64 = 10
        while magnitude / scale >= 10 { scale *= 10 }
        while scale > 0 {
            bytes.append(ASCII.zero + UInt8(truncatingIfNeeded: magnitude / scale % 10))
            scale /= 10
        }
    }
}

// MARK: Strings (RFC 8259, section 7)

extension JSONWriter {
    /// Writes a string, escaping what must be escaped and nothing else.
    package mutating func string(_ text: String) {
        separate()
        let span = text.utf8.span
        guard span.count <= Self.shortLength else { return append(long: text) }
        // In one pass, in which most have nothing that must be escaped.
        let (start, size) = (bytes.count, span.count + 2)
        bytes.append(addingCapacity: size) { (characters: inout OutputSpan<UInt8>) in
            characters.append(ASCII.quote)
            for index in span.indices {
                guard !Self.mustBeEscaped(span[index]) else { return }
                characters.append(span[index])
            }
            characters.append(ASCII.quote)
        }
        guard bytes.count < start + size else { return }
        bytes.removeSubrange(start...)
        append(escaping: text)
    }

    /// Up to so many bytes, one by one is faster than all at once.
    private static let shortLength = 48

    private mutating func append(long text: String) {
        guard Self.isPlain(text.utf8.span) else { return append(escaping: text) }
        bytes.append(ASCII.quote)
        bytes.append(contentsOf: text.utf8)
        bytes.append(ASCII.quote)
    }

    private mutating func append(escaping text: String) {
        bytes.append(ASCII.quote)
        for byte in text.utf8 { append(escaping: byte) }
        bytes.append(ASCII.quote)
    }

    @inline(__always)
    private static func isPlain(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where mustBeEscaped(text[index]) { return false }
        return true
    }

    @inline(__always)
    private static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == ASCII.quote || byte == ASCII.backslash
    }

    private mutating func append(escaping byte: UInt8) {
        guard Self.mustBeEscaped(byte) else { return bytes.append(byte) }
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

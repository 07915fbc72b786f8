/// Appends JSON to a byte buffer, and puts the commas itself.
///
/// It keeps no state but the bytes: what was written last says whether a comma is due. So the caller opens and closes
/// in pairs, and writes a name before each value of an object; `encode` sees to that itself.
public struct JSONWriter: Sendable {
    /// What has been written so far.
    public var bytes: [UInt8] = []

    /// Makes a writer with room for so many bytes.
    public init(reservingCapacity capacity: Int = 0) {
        if capacity > 0 { bytes.reserveCapacity(capacity) }
    }

    /// Opens an object.
    public mutating func beginObject() { begin(ASCII.openBrace) }

    /// Closes the object that was opened last.
    public mutating func endObject() { bytes.append(ASCII.closeBrace) }

    /// Opens an array.
    public mutating func beginArray() { begin(ASCII.openBracket) }

    /// Closes the array that was opened last.
    public mutating func endArray() { bytes.append(ASCII.closeBracket) }

    /// Writes a member's name; its value must follow.
    public mutating func key(_ name: String) {
        string(name)
        bytes.append(ASCII.colon)
    }

    /// Writes `true` or `false`.
    public mutating func boolean(_ value: Bool) {
        separate()
        if value { bytes.append(contentsOf: "true".utf8) } else { bytes.append(contentsOf: "false".utf8) }
    }

    /// Writes `null`.
    public mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes one value that is JSON already; it must not end in white space.
    public mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Writes one value that is JSON already; it must not end in white space.
    public mutating func raw(_ json: ArraySlice<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
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

/// The fields of a header section, in order: one buffer of bytes and where each name and value lies in it.
///
/// Only legal fields get in (RFC 9110 §5.1, §5.5), so that none can begin another line of the message. Names are
/// compared without regard to ASCII case.
public struct HeaderFields: Sendable {
    /// Where one field lies in `bytes`.
    package struct Entry: Sendable {
        package let name: Range<Int>
        package let value: Range<Int>

        package init(name: Range<Int>, value: Range<Int>) {
            self.name = name
            self.value = value
        }
    }

    /// Every name and value, each followed by a zero, so that a C library can read them where they are; what was left
    /// out or taken away may still lie between them.
    package internal(set) var bytes: [UInt8] = []

    /// One entry a field, in the order in which they came.
    package internal(set) var entries: [Entry] = []

    /// No fields.
    public init() {}

    /// No fields, with room for some.
    ///
    /// - Parameters:
    ///   - count: The number of fields to come.
    ///   - size: The bytes of their names and values.
    public init(reservingFields count: Int, bytes size: Int) {
        entries.reserveCapacity(count)
        bytes.reserveCapacity(size + 2 * count)
    }

    /// The number of fields, counting a repeated name as often as it is there.
    public var count: Int { entries.count }

    /// Whether there is no field.
    public var isEmpty: Bool { entries.isEmpty }

    /// The first value under a name, or nil if there is none.
    public subscript(name: String) -> String? {
        for entry in entries where matches(entry, name) { return text(entry.value) }
        return nil
    }

    /// Every value under a name, in order.
    public func values(of name: String) -> [String] {
        entries.lazy.filter { matches($0, name) }.map { text($0.value) }
    }

    /// The value under a name that is there once, as bytes; nil where there is none, or several.
    public func onlyValue(of name: String) -> ArraySlice<UInt8>? {
        var found: Range<Int>?
        for entry in entries where matches(entry, name) {
            guard found == nil else { return nil }
            found = entry.value
        }
        return found.map { bytes[$0] }
    }

    /// Whether a name is there at all.
    public func contains(_ name: String) -> Bool {
        entries.contains { matches($0, name) }
    }

    /// Adds a field at the end; leaves all as it is and returns false if the name or the value is not legal.
    @discardableResult
    public mutating func append(name: String, value: String) -> Bool {
        guard FieldGrammar.isToken(name.utf8), FieldGrammar.isValue(value.utf8) else { return false }
        append(name.utf8, value.utf8)
        return true
    }

    /// Puts a field in the place of all that have its name; leaves all as it is and returns false if it is not legal.
    @discardableResult
    public mutating func set(name: String, value: String) -> Bool {
        guard FieldGrammar.isToken(name.utf8), FieldGrammar.isValue(value.utf8) else { return false }
        remove(name)
        append(name.utf8, value.utf8)
        return true
    }

    /// Takes away every field of a name.
    public mutating func remove(_ name: String) {
        entries = entries.filter { !matches($0, name) }
    }

    private mutating func append(_ name: some Sequence<UInt8>, _ value: some Sequence<UInt8>) {
        let start = bytes.count
        bytes.append(contentsOf: name)
        let nameEnd = bytes.count
        bytes.append(0)
        bytes.append(contentsOf: value)
        entries.append(Entry(name: start..<nameEnd, value: nameEnd + 1..<bytes.count))
        bytes.append(0)
    }
}

extension HeaderFields {
    package func matches(_ entry: Entry, _ name: String) -> Bool {
        guard entry.name.count == name.utf8.count else { return false }
        return zip(entry.name, name.utf8).allSatisfy { index, byte in
            FieldGrammar.lowercased(bytes[index]) == FieldGrammar.lowercased(byte)
        }
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

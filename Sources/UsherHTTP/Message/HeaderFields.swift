/// The fields of a header section, in order, in one buffer of bytes.
///
/// Only legal fields get in (RFC 9110 §5.1, §5.5), so that none can begin another line of the message. Names are
/// compared without regard to ASCII case.
public struct HeaderFields: Sendable {
    /// Where one field lies in `bytes`.
    package struct Entry: Sendable {
        package let name: Range<Int>
        package let value: Range<Int>
    }

    /// The fields, one behind the other: the lengths of name and value, two bytes each, then both with a zero behind, so
    /// that a C library can read them where they are.
    package internal(set) var bytes: [UInt8] = []

    /// The number of fields, counting a repeated name as often as it is there.
    public internal(set) var count = 0

    /// No fields.
    public init() {}

    /// No fields, with room for some.
    ///
    /// - Parameters:
    ///   - count: The number of fields to come.
    ///   - size: The bytes of their names and values.
    public init(reservingFields count: Int, bytes size: Int) {
        bytes.reserveCapacity(size + count * Self.overhead)
    }

    /// Whether there is no field.
    public var isEmpty: Bool { count == 0 }

    /// The first value under a name, or nil if there is none.
    public subscript(name: String) -> String? {
        first(name).map { text($0.value) }
    }

    /// Every value under a name, in order.
    public func values(of name: String) -> [String] {
        entries.filter { matches($0, name) }.map { text($0.value) }
    }

    /// The value under a name that is there once, as bytes; nil where there is none, or several.
    public func onlyValue(of name: String) -> ArraySlice<UInt8>? {
        guard let entry = first(name), first(name, from: entry.value.upperBound + 1) == nil else { return nil }
        return bytes[entry.value]
    }

    /// Whether a name is there at all.
    public func contains(_ name: String) -> Bool {
        first(name) != nil
    }

    /// Adds a field at the end; leaves all as it is and returns false if the name or the value is not legal.
    @discardableResult
    public mutating func append(name: String, value: String) -> Bool {
        let (name, value) = (name.utf8.span, value.utf8.span)
        guard FieldGrammar.isToken(name), FieldGrammar.isValue(value) else { return false }
        return append(name, value, 0..<value.count)
    }

    /// Adds all of another's fields at the end.
    public mutating func append(contentsOf other: HeaderFields) {
        bytes += other.bytes
        count += other.count
    }

    /// Puts a field in the place of all that have its name; leaves all as it is and returns false if it is not legal.
    @discardableResult
    public mutating func set(name: String, value: String) -> Bool {
        var fields = self
        fields.remove(name)
        guard fields.append(name: name, value: value) else { return false }
        self = fields
        return true
    }

    /// Takes away every field of a name.
    public mutating func remove(_ name: String) {
        guard contains(name) else { return }
        var rest = HeaderFields()
        for entry in entries where !matches(entry, name) {
            rest.append(bytes.span.extracting(entry.name), bytes.span, entry.value)
        }
        self = rest
    }
}

extension HeaderFields {
    private static let overhead = 6

    /// Adds a field that is known to be legal, unless it is longer than any that can be sent.
    @discardableResult
    mutating func append(_ name: Span<UInt8>, _ value: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard name.count <= UInt16.max, range.count <= UInt16.max else { return false }
        append(length: name.count)
        append(length: range.count)
        for index in name.indices { bytes.append(name[index]) }
        bytes.append(0)
        for index in range { bytes.append(value[index]) }
        bytes.append(0)
        count += 1
        return true
    }

    private mutating func append(length: Int) {
        bytes.append(UInt8(truncatingIfNeeded: length))
        bytes.append(UInt8(truncatingIfNeeded: length >> 8))
    }

    /// Where the fields lie, in order.
    package var entries: Entries { Entries(bytes: bytes) }

    /// Walks over a header section.
    package struct Entries: Sequence, IteratorProtocol {
        fileprivate let bytes: [UInt8]
        fileprivate var position = 0

        package mutating func next() -> Entry? {
            guard position < bytes.count else { return nil }
            let start = position + 4
            let end = start + length(at: position)
            let value = end + 1..<end + 1 + length(at: position + 2)
            position = value.upperBound + 1
            return Entry(name: start..<end, value: value)
        }

        private func length(at position: Int) -> Int {
            Int(bytes[position]) + Int(bytes[position + 1]) << 8
        }
    }

    package func matches(_ entry: Entry, _ name: String) -> Bool {
        let name = name.utf8.span
        guard entry.name.count == name.count else { return false }
        for index in name.indices
        where FieldGrammar.lowercased(bytes[entry.name.lowerBound + index]) != FieldGrammar.lowercased(name[index]) {
            return false
        }
        return true
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    private func first(_ name: String, from start: Int = 0) -> Entry? {
        var rest = Entries(bytes: bytes, position: start)
        while let entry = rest.next() {
            if matches(entry, name) { return entry }
        }
        return nil
    }
}

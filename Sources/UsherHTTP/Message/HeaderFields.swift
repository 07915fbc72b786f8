/// The fields of a header section, in order, in one buffer of bytes.
///
/// Only legal fields get in (RFC 9110 §5.1, §5.5), so that none can begin another line of the message. Names are
/// compared without regard to ASCII case.
public struct HeaderFields: Sendable {
    /// The fields, one behind the other: the lengths of name and value, two bytes each, then both with a zero behind, so
    /// that a C library can read them where they are.
    package internal(set) var bytes: [UInt8] = []

    /// The number of fields, counting a repeated name as often as it is there.
    public internal(set) var count = 0

    private var names = FieldNames()

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

    /// No fields, with room for some in an empty array whose memory is used again.
    package init(reservingFields count: Int, bytes size: Int, into memory: consuming [UInt8]) {
        memory.reserveCapacity(size + count * Self.overhead)
        bytes = memory
    }

    /// Whether there is no field.
    public var isEmpty: Bool { count == 0 }

    /// The first value under a name, or nil if there is none.
    public subscript(name: String) -> String? {
        first(name).map { text($0.value) }
    }

    /// Every value under a name, in order.
    public func values(of name: String) -> [String] {
        guard contains(name) else { return [] }
        return entries.filter { matches($0, name) }.map { text($0.value) }
    }

    /// The value under a name that is there once, as bytes; nil where there is none, or several.
    public func onlyValue(of name: String) -> ArraySlice<UInt8>? {
        guard let value = only(name) else { return nil }
        return bytes[value]
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
        names.insert(other.names)
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
    /// What a field takes beside its name and its value.
    static let overhead = 6

    /// Adds a field that is known to be legal, unless it is longer than any that can be sent.
    @discardableResult
    mutating func append(_ name: Span<UInt8>, _ value: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard name.count <= UInt16.max, range.count <= UInt16.max else { return false }
        bytes.append(addingCapacity: name.count + range.count + Self.overhead) { output in
            output.append(length: name.count)
            output.append(length: range.count)
            for index in name.indices { output.append(name[index]) }
            output.append(0)
            for index in range { output.append(value[index]) }
            output.append(0)
        }
        names.insert(name)
        count += 1
        return true
    }

    package func matches(_ entry: Entry, _ name: String) -> Bool {
        entry.name.count == name.utf8.count && Self.matches(bytes.span, entry.name.lowerBound, name.utf8.span)
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// Where the value lies of a name that is there once.
    func only(_ name: String) -> Range<Int>? {
        guard let entry = first(name) else { return nil }
        return isRepeated(name, behind: entry) ? nil : entry.value
    }

    /// Whether a name is there again, behind its first field.
    func isRepeated(_ name: String, behind entry: Entry) -> Bool {
        names.mayRepeat(name.utf8.span) && first(name.utf8.span, from: entry.end) != nil
    }

    /// The first field of a name.
    func first(_ name: String) -> Entry? {
        let name = name.utf8.span
        return names.mayHold(name) ? first(name, from: 0) : nil
    }

    private func first(_ name: Span<UInt8>, from start: Int) -> Entry? {
        let bytes = bytes.span
        var position = start
        while let entry = Entry(bytes, at: position) {
            if entry.name.count == name.count, Self.matches(bytes, entry.name.lowerBound, name) { return entry }
            position = entry.end
        }
        return nil
    }

    private static func matches(_ bytes: Span<UInt8>, _ start: Int, _ name: Span<UInt8>) -> Bool {
        for index in name.indices {
            let (mine, other) = (bytes[start + index], name[index])
            guard mine == other || FieldGrammar.lowercased(mine) == FieldGrammar.lowercased(other) else { return false }
        }
        return true
    }
}

extension OutputSpan<UInt8> {
    fileprivate mutating func append(length: Int) {
        append(UInt8(truncatingIfNeeded: length))
        append(UInt8(truncatingIfNeeded: length >> 8))
    }
}

import UsherBytes

/// A header section (RFC 9110 §6.3): the fields, in order, in one buffer of bytes.
///
/// The section accepts only legal fields (RFC 9110 §5.1, §5.5), so that no field can start another line of the message.
/// Comparisons of names ignore ASCII case.
package struct HeaderFields: Sendable {
    /// The fields in the format of `FieldLine`.
    package private(set) var bytes: [UInt8] = []

    /// The number of fields, including fields with the same name.
    package private(set) var count = 0

    private var filter = FieldNameFilter()

    package init() {}

    /// Creates a header section from the legal fields of a section that was received.
    ///
    /// Spaces and tabs around a value are removed (RFC 9112 §5.1).
    ///
    /// - Parameters:
    ///   - section: The unchecked fields, in the format of `bytes`.
    ///   - hasIllegal: Set to `true` if a field was left out because its name or its value is not legal.
    package init(wire section: consuming [UInt8], hasIllegal: inout Bool) {
        if let (count, filter) = Self.checked(section.span) {
            bytes = section
            self.count = count
            self.filter = filter
        } else {
            append(legalOf: section.span, &hasIllegal)
        }
    }

    package var isEmpty: Bool { count == 0 }

    /// The ranges of the fields in `bytes`, in order.
    package var lines: FieldLines { FieldLines(bytes) }

    /// The first value of a name, or nil if no field has the name.
    package subscript(name: FieldName) -> String? {
        first(name).map { text($0.value) }
    }

    /// Returns the values of a name, in order.
    package func texts(of name: FieldName) -> [String] {
        values(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    package func values(of name: FieldName) -> [ArraySlice<UInt8>] {
        guard contains(name) else { return [] }
        return lines.filter { matches($0, name) }.map { bytes[$0.value] }
    }

    /// Returns the value of a name as bytes, or nil if the name does not occur exactly once.
    package func onlyValue(of name: FieldName) -> ArraySlice<UInt8>? {
        guard let line = first(name), !isRepeated(name, behind: line) else { return nil }
        return bytes[line.value]
    }

    /// Returns a Boolean value that indicates whether a name occurs exactly once, with the given value.
    package func hasOnly(_ name: FieldName, _ value: [UInt8]) -> Bool {
        guard let line = first(name), value.span.isSame(as: bytes.span.extracting(line.value)) else { return false }
        return !isRepeated(name, behind: line)
    }

    /// Returns a Boolean value that indicates whether a field has the name.
    package func contains(_ name: FieldName) -> Bool {
        first(name) != nil
    }

    /// Returns a Boolean value that indicates whether a line has the name.
    package func matches(_ line: FieldLine, _ name: FieldName) -> Bool {
        name.isAt(line.name, of: bytes.span)
    }

    /// Adds a field at the end, or returns `false` and changes nothing if the name or the value is not legal.
    @discardableResult
    package mutating func append(name: String, value: String) -> Bool {
        append(name.utf8.span, value.utf8.span)
    }

    @discardableResult
    package mutating func append(_ name: FieldName, _ value: Span<UInt8>) -> Bool {
        name.append(value, to: &self)
    }

    package mutating func append(contentsOf other: HeaderFields) {
        bytes += other.bytes
        count += other.count
        filter.insert(other.filter)
    }

    /// Replaces all fields of a name with one new field, or returns `false` and changes nothing if the new field is not
    /// legal.
    @discardableResult
    package mutating func set(name: FieldName, value: String) -> Bool {
        var fields = self
        fields.remove(name)
        guard fields.append(name, value.utf8.span) else { return false }
        self = fields
        return true
    }

    package mutating func remove(_ name: FieldName) {
        guard contains(name) else { return }
        var rest = HeaderFields()
        for line in lines where !matches(line, name) {
            rest.append(bytes.span.extracting(line.name), bytes.span.extracting(line.value))
        }
        self = rest
    }

    func first(_ name: FieldName) -> FieldLine? {
        filter.mayHold(name.filterBit) ? first(name, from: 0) : nil
    }

    /// Returns `true` if a name occurs again after a line.
    func isRepeated(_ name: FieldName, behind line: FieldLine) -> Bool {
        filter.mayRepeat(name.filterBit) && first(name, from: line.end) != nil
    }

    /// Adds a legal field; returns `false` if the name or the value is too long for `FieldLine`.
    mutating func append(legalName name: Span<UInt8>, _ filterBit: UInt64, _ value: Span<UInt8>) -> Bool {
        guard FieldLine.append(name, value, to: &bytes) else { return false }
        filter.insert(filterBit)
        count += 1
        return true
    }

    /// Removes all fields and swaps the buffer with an empty one.
    mutating func exchangeBuffer(with empty: inout [UInt8]) {
        swap(&bytes, &empty)
        count = 0
        filter = FieldNameFilter()
    }

    @discardableResult
    private mutating func append(_ name: Span<UInt8>, _ value: Span<UInt8>) -> Bool {
        guard FieldGrammar.isToken(name), FieldGrammar.isValue(value) else { return false }
        return append(legalName: name, FieldNameFilter.bit(of: name), value)
    }

    private mutating func append(legalOf section: Span<UInt8>, _ hasIllegal: inout Bool) {
        var position = 0
        while let line = FieldLine(section, at: position) {
            if !append(section.extracting(line.name), section.extracting(section.withoutBlanks(line.value))) {
                hasIllegal = true
            }
            position = line.end
        }
    }

    /// Returns the number of fields and the filter of their names; nil if a field is illegal or has blanks around its
    /// value.
    private static func checked(_ section: Span<UInt8>) -> (Int, FieldNameFilter)? {
        var (count, filter, position) = (0, FieldNameFilter(), 0)
        while let line = FieldLine(section, at: position) {
            let name = section.extracting(line.name)
            guard FieldGrammar.isToken(name), FieldGrammar.isValue(section.extracting(line.value)) else { return nil }
            filter.insert(FieldNameFilter.bit(of: name))
            count += 1
            position = line.end
        }
        return (count, filter)
    }

    private func first(_ name: FieldName, from start: Int) -> FieldLine? {
        let bytes = bytes.span
        var position = start
        while let line = FieldLine(bytes, at: position) {
            if name.isAt(line.name, of: bytes) { return line }
            position = line.end
        }
        return nil
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    /// Creates a header section from names and values, without the illegal fields.
    package init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (name, value) in elements { append(name: name, value: value) }
    }
}

extension HeaderFields: Equatable {
    /// Returns `true` if both sections have the same names, ignoring case, and the same values in the same order.
    package static func == (left: HeaderFields, right: HeaderFields) -> Bool {
        left.count == right.count
            && zip(left.lines, right.lines).allSatisfy { mine, other in
                left.bytes.span.extracting(mine.name).matches(right.bytes.span.extracting(other.name))
                    && left.bytes[mine.value] == right.bytes[other.value]
            }
    }
}

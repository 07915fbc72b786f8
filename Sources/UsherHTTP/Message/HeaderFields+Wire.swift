extension HeaderFields {
    /// Fields from the wire, the bytes of each name and value copied into one buffer with a zero after each.
    ///
    /// Spaces and tabs around a value are no part of it (RFC 9112 §5.1).
    /// - Parameter lengths: the bytes of each name and value, without their zeros.
    /// - Returns: the legal fields, and whether one was left out because it is not.
    package static func reading(
        _ bytes: [UInt8], lengths: [(name: Int, value: Int)]
    ) -> (fields: HeaderFields, hasIllegal: Bool) {
        var fields = HeaderFields()
        fields.entries.reserveCapacity(lengths.count)
        var start = 0
        for length in lengths {
            let nameEnd = start + length.name
            let end = nameEnd + 1 + length.value
            fields.note(name: start..<nameEnd, value: nameEnd + 1..<end, in: bytes)
            start = end + 1
        }
        fields.bytes = bytes
        return (fields, fields.entries.count < lengths.count)
    }

    private mutating func note(name: Range<Int>, value: Range<Int>, in bytes: [UInt8]) {
        let value = Self.trimmed(value, in: bytes)
        guard FieldGrammar.isToken(bytes[name]), bytes[value].allSatisfy(FieldGrammar.isValueCharacter) else { return }
        entries.append(Entry(name: name, value: value))
    }

    private static func trimmed(_ range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, FieldGrammar.isBlank(bytes[start]) { start += 1 }
        while end > start, FieldGrammar.isBlank(bytes[end - 1]) { end -= 1 }
        return start..<end
    }
}

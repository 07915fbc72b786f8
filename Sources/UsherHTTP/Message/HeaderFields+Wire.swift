extension HeaderFields {
    /// Fields from the wire, the bytes of each name and value copied into one buffer with a zero after each.
    ///
    /// Spaces and tabs around a value are no part of it (RFC 9112 §5.1).
    /// - Returns: the legal fields, and whether one was left out because it is not.
    package static func reading(_ bytes: [UInt8], _ entries: [Entry]) -> (fields: HeaderFields, hasIllegal: Bool) {
        var fields = HeaderFields()
        fields.bytes = bytes
        fields.entries = entries
        var hasIllegal = false
        for index in entries.indices {
            let value = trimmed(entries[index].value, in: bytes)
            if value != entries[index].value { fields.entries[index] = Entry(name: entries[index].name, value: value) }
            if !fields.isLegal(fields.entries[index]) { hasIllegal = true }
        }
        if hasIllegal { fields.entries = fields.entries.filter(fields.isLegal) }
        return (fields, hasIllegal)
    }

    private func isLegal(_ entry: Entry) -> Bool {
        FieldGrammar.isToken(bytes[entry.name]) && bytes[entry.value].allSatisfy(FieldGrammar.isValueCharacter)
    }

    private static func trimmed(_ range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, FieldGrammar.isBlank(bytes[start]) { start += 1 }
        while end > start, FieldGrammar.isBlank(bytes[end - 1]) { end -= 1 }
        return start..<end
    }
}

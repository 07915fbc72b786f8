extension HeaderFields {
    /// Adds a field from the wire.
    ///
    /// Spaces and tabs around a value are no part of it (RFC 9112 §5.1).
    ///
    /// - Returns: Whether it is legal; one that is not is left out.
    package mutating func append(wire name: Span<UInt8>, _ value: Span<UInt8>) -> Bool {
        var (start, end) = (0, value.count)
        while start < end, FieldGrammar.isBlank(value[start]) { start += 1 }
        while end > start, FieldGrammar.isBlank(value[end - 1]) { end -= 1 }
        guard FieldGrammar.isToken(name), FieldGrammar.hasValueCharacters(value, start..<end) else { return false }
        return append(name, value, start..<end)
    }
}

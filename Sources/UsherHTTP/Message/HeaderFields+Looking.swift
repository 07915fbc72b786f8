extension HeaderFields {
    /// The first value under a name, or nil if there is none.
    package subscript(name: String) -> String? {
        first(name).map { text($0.value) }
    }

    /// The first value under a name, or nil if there is none.
    package subscript(name: FieldName) -> String? {
        first(name).map { text($0.value) }
    }

    /// Every value under a name, in order.
    package func values(of name: String) -> [String] {
        guard contains(name) else { return [] }
        return entries.filter { matches($0, name) }.map { text($0.value) }
    }

    /// The value under a name that is there once, as bytes; nil where there is none, or several.
    package func onlyValue(of name: FieldName) -> ArraySlice<UInt8>? {
        guard let entry = first(name), !isRepeated(name, behind: entry) else { return nil }
        return bytes[entry.value]
    }

    /// Whether a name is there once, with just this value.
    package func hasOnly(_ name: FieldName, _ value: [UInt8]) -> Bool {
        guard let entry = first(name), value.span.isSame(as: bytes.span.extracting(entry.value)) else { return false }
        return !isRepeated(name, behind: entry)
    }

    /// Whether a name is there at all.
    package func contains(_ name: String) -> Bool {
        first(name) != nil
    }

    /// Whether a name is there at all.
    package func contains(_ name: FieldName) -> Bool {
        first(name) != nil
    }

    package func matches(_ entry: Entry, _ name: FieldName) -> Bool {
        name.isAt(entry.name, of: bytes.span)
    }

    func matches(_ entry: Entry, _ name: String) -> Bool {
        name.utf8.span.matches(bytes.span.extracting(entry.name))
    }

    /// Whether a name is there again, behind its first field.
    func isRepeated(_ name: FieldName, behind entry: Entry) -> Bool {
        places.mayRepeat(name.place) && first(name, from: entry.end) != nil
    }

    /// The first field of a name.
    func first(_ name: FieldName) -> Entry? {
        places.mayHold(name.place) ? first(name, from: 0) : nil
    }

    private func first(_ name: FieldName, from start: Int) -> Entry? {
        let bytes = bytes.span
        var position = start
        while let entry = Entry(bytes, at: position) {
            if name.isAt(entry.name, of: bytes) { return entry }
            position = entry.end
        }
        return nil
    }

    private func first(_ name: String) -> Entry? {
        guard places.mayHold(FieldName.place(of: name.utf8.span)) else { return nil }
        return entries.first { matches($0, name) }
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

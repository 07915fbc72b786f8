extension HeaderFields {
    /// Puts a field in the place of all that have its name; leaves all as it is and returns false if it is not legal.
    @discardableResult
    package mutating func set(name: String, value: String) -> Bool {
        var fields = self
        fields.remove(name)
        guard fields.append(name: name, value: value) else { return false }
        self = fields
        return true
    }

    /// Takes away every field of a name.
    package mutating func remove(_ name: String) {
        guard contains(name) else { return }
        var rest = HeaderFields()
        for entry in entries where !matches(entry, name) {
            rest.append(bytes.span.extracting(entry.name), bytes.span.extracting(entry.value))
        }
        self = rest
    }
}

import UsherJSON

/// Finds in the options that a client gave what stands in the options that are decoded: those laid over the defaults.
struct OptionsTranslation {
    let given: JSONValue
    let merged: JSONValue
    /// How long the text is that the client gave.
    let length: Int

    /// A place in the text that the client gave; nil for a default.
    func place(of range: Range<Int>) -> Range<Int>? {
        guard let (name, value) = merged.members.first(where: { $0.value.range.contains(range) }) else {
            return 0..<length
        }
        guard let start = given[member: name]?.range.lowerBound else { return nil }
        let shift = start - value.range.lowerBound
        return range.lowerBound + shift..<range.upperBound + shift
    }
}

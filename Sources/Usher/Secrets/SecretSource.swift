import UsherJSON

/// A part of an input that is being decoded.
struct SecretSource {
    let part: SecretPlaces.Part
    /// Where its text stands in the document that is decoded.
    let range: Range<Int>
    /// The input that brought it; nil for the one that is being handled.
    let input: InputSecrets?
    /// How a place in that document becomes one in the part as the journal keeps it, where that is another text.
    let translation: OptionsTranslation?

    /// A place relative to the beginning of the part; nil where the client did not give what stands there.
    func place(of json: JSONValue) -> Range<Int>? {
        if let translation { return translation.place(of: json.range) }
        return json.range.lowerBound - range.lowerBound..<json.range.upperBound - range.lowerBound
    }

    /// How long the part's text is, as the journal keeps it.
    var length: Int { translation?.length ?? range.count }
}

package import UsherJSON

extension Input {
    /// Reads an input from what the journal keeps of it.
    ///
    /// - Parameters:
    ///   - payload: What the journal keeps of it.
    ///   - time: When it came.
    ///   - link: What is done with a link.
    ///   - isErased: Whether its secrets were erased: null stands in their places.
    /// - Throws: `JSONError` for another shape.
    package init(
        payload: JSONValue, at time: Timestamp, link: LinkHandling = .follow, isErased: Bool = false
    ) throws(JSONError) {
        self.init(try InputContent(payload: payload), at: time, link: link, isErased: isErased)
    }

    /// What it is without what may be private, such as `back` or `event close`.
    package var summary: String { content.summary }

    /// Appends what the journal keeps of it.
    ///
    /// - Parameters:
    ///   - writer: Where to append.
    ///   - secrets: Where secrets stand in it, as the tree says that has accepted it.
    /// - Returns: Where in the writer's bytes secrets stand: whole JSON values, in order.
    @discardableResult
    package func write(into writer: inout JSONWriter, secrets: SecretPlaces = SecretPlaces()) -> [Range<Int>] {
        content.write(into: &writer, secrets: secrets)
    }
}

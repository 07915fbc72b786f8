import UsherJSON

extension JSONValue {
    /// The one member that an object must have, and no other.
    ///
    /// - Parameters:
    ///   - wanted: Its name.
    ///   - usage: What to send instead of another shape.
    /// - Throws: `JSONError` for a missing or unknown member.
    func onlyMember(_ wanted: String, usage: String) throws(JSONError) -> JSONValue {
        guard kind == .object else { throw error("expected an object; \(usage)") }
        for (name, value) in members where name != wanted {
            throw value.error("unknown member \"\(name)\"; \(usage)")
        }
        guard let member = self[member: wanted] else { throw error("missing member \"\(wanted)\"; \(usage)") }
        return member
    }
}

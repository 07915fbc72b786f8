import UsherJSON

/// The body of `POST /admin/sessions/{id}/fork`.
struct ForkRequest {
    let revision: Int

    /// Reads the body.
    ///
    /// - Throws: `JSONError` for a wrong, missing or unknown member.
    init(_ json: JSONValue) throws(JSONError) {
        let value = try json.onlyMember("revision", usage: #"send {"revision":N}"#)
        guard let revision = value.integer else { throw value.error("expected a revision, a whole number") }
        self.revision = revision
    }
}

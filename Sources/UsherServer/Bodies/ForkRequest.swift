import UsherJSON

/// The body of `POST /admin/sessions/{id}/fork`.
struct ForkRequest {
    let revision: Int

    /// Reads the body.
    ///
    /// - Throws: `JSONError` for a wrong, missing or unknown member.
    init(_ json: JSONValue) throws(JSONError) {
        guard json.kind == .object else { throw json.error("expected an object; \(Self.usage)") }
        for (name, value) in json.members where name != "revision" {
            throw value.error("unknown member \"\(name)\"; \(Self.usage)")
        }
        guard let value = json[member: "revision"] else {
            throw json.error("missing member \"revision\"; \(Self.usage)")
        }
        guard let revision = value.integer else { throw value.error("expected a revision, a whole number") }
        self.revision = revision
    }

    private static let usage = #"send {"revision":N}"#
}

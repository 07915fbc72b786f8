import UsherJSON

/// The body of `POST /admin/sessions/{id}/messages`.
struct MessageRequest {
    /// What the root coordinator is told, in Swift's coding of its `Message`.
    let message: JSONValue

    /// Reads the body.
    ///
    /// - Throws: `JSONError` for a missing or unknown member.
    init(_ json: JSONValue) throws(JSONError) {
        guard json.kind == .object else { throw json.error("expected an object; \(Self.usage)") }
        for (name, value) in json.members where name != "message" {
            throw value.error("unknown member \"\(name)\"; \(Self.usage)")
        }
        guard let message = json[member: "message"] else {
            throw json.error("missing member \"message\"; \(Self.usage)")
        }
        self.message = message
    }

    private static let usage = #"send {"message":…}"#
}

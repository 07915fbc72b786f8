import UsherJSON

/// The body of `POST /admin/sessions/{id}/messages`.
struct MessageRequest {
    /// What the root coordinator is told, in Swift's coding of its `Message`.
    let message: JSONValue

    /// Reads the body.
    ///
    /// - Throws: `JSONError` for a missing or unknown member.
    init(_ json: JSONValue) throws(JSONError) {
        message = try json.onlyMember("message", usage: #"send {"message":…}"#)
    }
}

/// A response: a status, header fields and content.
///
/// The answer to a `HEAD` request keeps the body that `GET` would have, so that its length is known; the daemon does
/// not send it.
package struct Response: Sendable {
    /// The status line's code.
    package var status: Status
    /// The fields, without `Content-Length` and `Date`: the daemon writes these itself.
    package var headers: HeaderFields {
        get {
            guard let entityTag else { return otherFields }
            var all = otherFields
            all.append(name: "ETag", value: "\"\(entityTag)\"")
            return all
        }
        set { (otherFields, entityTag) = (newValue, nil) }
    }

    /// The fields but for an entity tag that stands apart.
    package private(set) var otherFields: HeaderFields
    /// The number that is the entity tag (RFC 9110 §8.8.3); nil where the tag is among the other fields, or there is none.
    ///
    /// It stands apart, so that these may be the same for all answers of a kind, and take no memory for each.
    package private(set) var entityTag: UInt64?
    /// The content; with 204 nothing of it is sent, with 304 its length alone, which should be that of the 200.
    package var body: [UInt8]
    /// The content that comes piece by piece, instead of `body`: in chunks, to HTTP/1.0 up to the connection's end.
    ///
    /// A stream is the body of one response. A status without content ends it, and so does `HEAD`, with the connection.
    package var stream: BodyStream?

    /// A response, by default an empty 200.
    ///
    /// - Parameters:
    ///   - status: The status line's code.
    ///   - headers: The fields, without the entity tag where that is given.
    ///   - entityTag: The entity tag, where it is a number.
    ///   - body: The content.
    package init(
        status: Status = .ok, headers: HeaderFields = HeaderFields(), entityTag: UInt64? = nil, body: [UInt8] = []
    ) {
        self.status = status
        otherFields = headers
        self.entityTag = entityTag
        self.body = body
    }

    /// A response whose body comes piece by piece.
    package init(status: Status = .ok, headers: HeaderFields = HeaderFields(), stream: BodyStream) {
        self.init(status: status, headers: headers)
        self.stream = stream
    }

    /// JSON text that is there already, as `application/json`.
    ///
    /// - Parameter headers: Further fields.
    package static func json(_ bytes: [UInt8], status: Status = .ok, headers: HeaderFields = HeaderFields()) -> Response
    {
        var fields = jsonFields
        if !headers.isEmpty { fields.append(contentsOf: headers) }
        return Response(status: status, headers: fields, body: bytes)
    }

    /// A short text for people, as `text/plain` in UTF-8.
    package static func text(_ text: String, status: Status = .ok) -> Response {
        Response(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array(text.utf8))
    }

    // Made once: a response without further fields shares its storage.
    private static let jsonFields: HeaderFields = ["Content-Type": "application/json"]
}

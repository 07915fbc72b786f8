/// A response: a status, header fields and content.
///
/// The response to `HEAD` has the body of `GET`, so that its length is known. The daemon does not send the body.
package struct Response: Sendable {
    package var status: Status
    /// The fields without `Content-Length` and `Date`, which the daemon adds.
    package var headers: HeaderFields {
        get {
            guard let entityTag else { return otherFields }
            var all = otherFields
            all.append(name: "ETag", value: "\"\(entityTag)\"")
            return all
        }
        set { (otherFields, entityTag) = (newValue, nil) }
    }

    /// The fields without the entity tag, if the tag is a number; otherwise all fields.
    package private(set) var otherFields: HeaderFields
    /// The entity tag (RFC 9110 §8.8.3) if the tag is a number; otherwise nil.
    ///
    /// The tag is stored separately, so that responses of the same kind can share the memory of their other fields.
    package private(set) var entityTag: UInt64?
    /// The content.
    ///
    /// A 204 sends none of it. A 304 sends only the content's length, which should be the length that a 200 would have.
    package var body: [UInt8]
    /// The content that is sent piece by piece; nil if `body` is the content.
    ///
    /// HTTP/1.1 sends the stream in chunks; HTTP/1.0 sends the stream and closes the connection at the end. A stream
    /// can be the body of only one response. A status without content ends the stream. `HEAD` ends the stream and
    /// closes the connection.
    package var stream: BodyStream?

    /// Creates a response, by default an empty 200; `headers` has no `ETag` if `entityTag` is given.
    package init(
        status: Status = .ok, headers: HeaderFields = HeaderFields(), entityTag: UInt64? = nil, body: [UInt8] = []
    ) {
        self.status = status
        otherFields = headers
        self.entityTag = entityTag
        self.body = body
    }

    /// Creates a response whose content is a stream.
    package init(status: Status = .ok, headers: HeaderFields = HeaderFields(), stream: BodyStream) {
        self.init(status: status, headers: headers)
        self.stream = stream
    }

    /// Creates an `application/json` response from JSON text.
    ///
    /// - Parameter headers: Additional fields.
    package static func json(_ bytes: [UInt8], status: Status = .ok, headers: HeaderFields = HeaderFields()) -> Response
    {
        var fields = jsonFields
        if !headers.isEmpty { fields.append(contentsOf: headers) }
        return Response(status: status, headers: fields, body: bytes)
    }

    /// Creates a `text/plain` response in UTF-8.
    package static func text(_ text: String, status: Status = .ok) -> Response {
        Response(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array(text.utf8))
    }

    // Responses without additional fields share this storage.
    private static let jsonFields: HeaderFields = ["Content-Type": "application/json"]
}

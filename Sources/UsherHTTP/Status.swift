/// A status code and its reason phrase (RFC 9110 §15).
package struct Status: Sendable, Hashable {
    /// The three digits, 100 to 599.
    package let code: Int
    /// The phrase of the registry for the code; for people only.
    package let reason: StaticString

    /// A code with its phrase; a code outside 100…599 becomes 500, for it could not be sent.
    package init(code: Int, reason: StaticString) {
        let isSendable = (100...599).contains(code)
        self.code = isSendable ? code : 500
        self.reason = isSendable ? reason : "Internal Server Error"
    }

    /// Two statuses are the same if their codes are.
    package static func == (left: Status, right: Status) -> Bool {
        left.code == right.code
    }

    /// Feeds the code alone, as equality does.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

extension Status {
    /// OK (200).
    package static let ok = Status(code: 200, reason: "OK")
    /// Created (201).
    package static let created = Status(code: 201, reason: "Created")
    /// No Content (204).
    package static let noContent = Status(code: 204, reason: "No Content")
    /// See Other (303).
    package static let seeOther = Status(code: 303, reason: "See Other")
    /// Not Modified (304).
    package static let notModified = Status(code: 304, reason: "Not Modified")
    /// Bad Request (400).
    package static let badRequest = Status(code: 400, reason: "Bad Request")
    /// Unauthorized (401).
    package static let unauthorized = Status(code: 401, reason: "Unauthorized")
    /// Forbidden (403).
    package static let forbidden = Status(code: 403, reason: "Forbidden")
    /// Not Found (404).
    package static let notFound = Status(code: 404, reason: "Not Found")
    /// Method Not Allowed (405).
    package static let methodNotAllowed = Status(code: 405, reason: "Method Not Allowed")
    /// Not Acceptable (406).
    package static let notAcceptable = Status(code: 406, reason: "Not Acceptable")
    /// Conflict (409).
    package static let conflict = Status(code: 409, reason: "Conflict")
    /// Gone (410).
    package static let gone = Status(code: 410, reason: "Gone")
    /// Precondition Failed (412).
    package static let preconditionFailed = Status(code: 412, reason: "Precondition Failed")
    /// Content Too Large (413).
    package static let contentTooLarge = Status(code: 413, reason: "Content Too Large")
    /// URI Too Long (414).
    package static let uriTooLong = Status(code: 414, reason: "URI Too Long")
    /// Unsupported Media Type (415).
    package static let unsupportedMediaType = Status(code: 415, reason: "Unsupported Media Type")
    /// Expectation Failed (417).
    package static let expectationFailed = Status(code: 417, reason: "Expectation Failed")
    /// Unprocessable Content (422).
    package static let unprocessableContent = Status(code: 422, reason: "Unprocessable Content")
    /// Too Many Requests (429).
    package static let tooManyRequests = Status(code: 429, reason: "Too Many Requests")
    /// Request Header Fields Too Large (431).
    package static let requestHeaderFieldsTooLarge = Status(code: 431, reason: "Request Header Fields Too Large")
    /// Internal Server Error (500).
    package static let internalServerError = Status(code: 500, reason: "Internal Server Error")
    /// Service Unavailable (503).
    package static let serviceUnavailable = Status(code: 503, reason: "Service Unavailable")
    /// Gateway Timeout (504).
    package static let gatewayTimeout = Status(code: 504, reason: "Gateway Timeout")
    /// HTTP Version Not Supported (505).
    package static let httpVersionNotSupported = Status(code: 505, reason: "HTTP Version Not Supported")
}

extension Status {
    /// True of a refusal that a cache may keep where nothing is said (RFC 9110, section 15.1).
    var isCacheableRefusal: Bool { [404, 405, 410, 414].contains(code) }
}

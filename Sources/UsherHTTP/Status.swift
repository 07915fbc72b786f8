/// A status code and its reason phrase (RFC 9110 §15).
package struct Status: Sendable, Hashable {
    /// The three digits, 100 to 599.
    package let code: Int
    /// The registered reason phrase, which is for people only.
    package let reason: StaticString

    /// Creates a status; a code outside 100…599 cannot be sent and becomes 500.
    package init(code: Int, reason: StaticString) {
        let isSendable = (100...599).contains(code)
        self.code = isSendable ? code : 500
        self.reason = isSendable ? reason : "Internal Server Error"
    }

    package static func == (left: Status, right: Status) -> Bool {
        left.code == right.code
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

extension Status {
    package static let ok = Status(code: 200, reason: "OK")
    package static let created = Status(code: 201, reason: "Created")
    package static let noContent = Status(code: 204, reason: "No Content")
    package static let seeOther = Status(code: 303, reason: "See Other")
    package static let notModified = Status(code: 304, reason: "Not Modified")
    package static let badRequest = Status(code: 400, reason: "Bad Request")
    package static let unauthorized = Status(code: 401, reason: "Unauthorized")
    package static let forbidden = Status(code: 403, reason: "Forbidden")
    package static let notFound = Status(code: 404, reason: "Not Found")
    package static let methodNotAllowed = Status(code: 405, reason: "Method Not Allowed")
    package static let notAcceptable = Status(code: 406, reason: "Not Acceptable")
    package static let conflict = Status(code: 409, reason: "Conflict")
    package static let gone = Status(code: 410, reason: "Gone")
    package static let preconditionFailed = Status(code: 412, reason: "Precondition Failed")
    package static let contentTooLarge = Status(code: 413, reason: "Content Too Large")
    package static let uriTooLong = Status(code: 414, reason: "URI Too Long")
    package static let unsupportedMediaType = Status(code: 415, reason: "Unsupported Media Type")
    package static let expectationFailed = Status(code: 417, reason: "Expectation Failed")
    package static let unprocessableContent = Status(code: 422, reason: "Unprocessable Content")
    package static let tooManyRequests = Status(code: 429, reason: "Too Many Requests")
    package static let requestHeaderFieldsTooLarge = Status(code: 431, reason: "Request Header Fields Too Large")
    package static let internalServerError = Status(code: 500, reason: "Internal Server Error")
    package static let serviceUnavailable = Status(code: 503, reason: "Service Unavailable")
    package static let gatewayTimeout = Status(code: 504, reason: "Gateway Timeout")
    package static let httpVersionNotSupported = Status(code: 505, reason: "HTTP Version Not Supported")
}

extension Status {
    /// A Boolean value that indicates whether caches may store a refusal with this status by default (RFC 9110 §15.1).
    var isCacheableRefusal: Bool { [404, 405, 410, 414].contains(code) }
}

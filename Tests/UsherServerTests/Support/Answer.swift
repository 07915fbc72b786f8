import UsherHTTP
import UsherJSON

/// A response, with its body as JSON if it is JSON.
struct Answer {
    let status: Int
    let headers: HeaderFields
    let body: [UInt8]

    init(_ response: Response) {
        status = response.status.code
        headers = response.headers
        body = response.body
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    var json: JSONValue? { try? JSONDocument(parsing: body).root }

    /// Returns a member of the body by its path.
    subscript(path: String...) -> JSONValue? {
        path.reduce(json) { value, name in value?[member: name] }
    }

    /// The detail of a problem.
    var detail: String { self["detail"]?.string ?? "" }
}

extension JSONValue {
    /// The text of the value as it was received.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

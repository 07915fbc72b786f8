import UsherHTTP
import UsherJSON

extension Request {
    /// The body as JSON.
    ///
    /// - Throws: `Problem` 415 unless it says that it is `application/json`, 400 unless it is.
    func json() throws(Problem) -> JSONValue {
        guard hasJSONContent else {
            throw Problem(
                .unsupportedMediaType, "send the body with Content-Type: application/json",
                headers: ["Accept": "application/json"])
        }
        do throws(JSONError) {
            return try JSONDocument(parsing: body).root
        } catch {
            throw Problem(malformed: error)
        }
    }

    /// Reads a body of a known shape.
    ///
    /// - Throws: `Problem` 415 unless it says that it is `application/json`, 400 unless it is and has that shape.
    func read<Body>(_ body: (JSONValue) throws(JSONError) -> Body) throws(Problem) -> Body {
        let json = try json()
        do throws(JSONError) {
            return try body(json)
        } catch {
            throw Problem(malformed: error)
        }
    }

    private static let usualType = Array("application/json".utf8)

    /// Whether the media type is JSON's; a charset other than UTF-8 is not (RFC 8259, section 8.1).
    private var hasJSONContent: Bool {
        // What nearly every client sends needs no taking apart.
        if headers.hasOnly(.contentType, Self.usualType) { return true }
        guard let field = headers.onlyValue(of: .contentType) else { return false }
        let text = String(decoding: field, as: UTF8.self).lowercased()
        let parts = text.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
        guard parts.first == "application/json" else { return false }
        return parts.dropFirst().allSatisfy {
            !$0.hasPrefix("charset=") || ["charset=utf-8", "charset=\"utf-8\""].contains($0)
        }
    }
}

extension Problem {
    /// A body that is not JSON, or not of the request's shape.
    init(malformed error: JSONError) {
        self.init(.badRequest, "the body: \(error)", type: ProblemType.malformedBody)
    }
}

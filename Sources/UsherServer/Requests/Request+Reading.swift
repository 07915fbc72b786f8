import UsherHTTP
import UsherJSON
import UsherSessions

extension Request {
    /// The body as JSON.
    ///
    /// - Throws: `Problem` 415 unless it says that it is `application/json`, and in no content coding; 400 unless it is.
    func json() throws(Problem) -> JSONValue {
        guard hasJSONContent else {
            throw Problem(
                .unsupportedMediaType, "send the body with Content-Type: application/json",
                headers: ["Accept": "application/json"])
        }
        guard !isCoded else {
            throw Problem(
                .unsupportedMediaType, "send the body as it is, without Content-Encoding",
                headers: ["Accept-Encoding": "identity"])
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
        try json().read(body)
    }

    /// The client's name for the request (draft-ietf-httpapi-idempotency-key-header), with a digest of the body's meaning.
    ///
    /// - Parameter body: The body.
    /// - Throws: `Problem` 400 for several, or one that is empty, too long, or not of visible ASCII characters.
    func idempotencyKey(_ body: JSONValue) throws(Problem) -> IdempotencyKey? {
        guard headers.contains(.idempotencyKey) else { return nil }
        guard let field = headers.onlyValue(of: .idempotencyKey), Self.keyLength.contains(field.count),
            field.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw Problem(
                .malformedRequest,
                "Idempotency-Key takes one name of 1 to 255 visible characters, such as a UUID; send a new one")
        }
        return IdempotencyKey(String(decoding: field, as: UTF8.self), fingerprint: body.meaning)
    }

    /// The size of a page of a list; 100 unless the client says.
    ///
    /// - Throws: `Problem` 400 for anything but a number from 1 to 1000.
    func pageLimit() throws(Problem) -> Int {
        try number("limit", in: 1...1_000) ?? 100
    }

    /// The session behind which a page of a list begins; nil for the first.
    ///
    /// - Throws: `Problem` 400 for what is no session's id.
    func pageStart() throws(Problem) -> SessionID? {
        guard let text = try queryParameter("after") else { return nil }
        guard let id = SessionID(text) else {
            throw Problem(.malformedRequest, "\"after\" takes a session's id")
        }
        return id
    }

    /// A parameter of the query that is a number.
    ///
    /// - Returns: nil where it is not there.
    /// - Throws: `Problem` 400 for anything but a number in the range.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = try queryParameter(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let end = range.upperBound == .max ? "on" : "to \(range.upperBound)"
            throw Problem(
                .malformedRequest, "\"\(name)\" takes a number from \(range.lowerBound) \(end)")
        }
        return number
    }

    /// A parameter of the query that is one of some words.
    ///
    /// - Returns: nil where it is not there.
    /// - Throws: `Problem` 400 for any other word.
    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, as words: Word.Type
    ) throws(Problem) -> Word? {
        guard let text = try queryParameter(name) else { return nil }
        guard let word = Word(rawValue: text) else {
            let names = words.allCases.map(\.rawValue)
            let list = "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
            throw Problem(.malformedRequest, "\"\(name)\" takes \(list)")
        }
        return word
    }

    private static let keyLength = 1...255
    private static let usualType = Array("application/json".utf8)

    /// True of a body in a content coding, such as gzip (RFC 9110, section 8.4).
    private var isCoded: Bool {
        guard headers.contains(.contentEncoding) else { return false }
        return headers.texts(of: .contentEncoding).joined(separator: ",").lowercased() != "identity"
    }

    /// True of JSON's media type, in no charset but UTF-8 (RFC 8259, section 8.1).
    private var hasJSONContent: Bool {
        // The usual value needs no parsing.
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
        self.init(.malformedBody, "the body: \(error)")
    }
}

extension JSONValue {
    /// Reads a body of a known shape.
    ///
    /// - Throws: `Problem` 400 unless it has that shape.
    func read<Body>(_ body: (JSONValue) throws(JSONError) -> Body) throws(Problem) -> Body {
        do throws(JSONError) { return try body(self) } catch { throw Problem(malformed: error) }
    }

    /// The one member that an object must have, and no other.
    ///
    /// - Parameters:
    ///   - wanted: Its name.
    ///   - usage: The shape to send instead, for the error.
    /// - Throws: `JSONError` for a missing or unknown member.
    func onlyMember(_ wanted: String, usage: String) throws(JSONError) -> JSONValue {
        guard kind == .object else { throw error("expected an object; \(usage)") }
        for (name, value) in members where name != wanted {
            throw value.error("unknown member \"\(name)\"; \(usage)")
        }
        guard let member = self[member: wanted] else { throw error("missing member \"\(wanted)\"; \(usage)") }
        return member
    }
}

extension [UInt8] {
    /// A digest that tells these bytes from others (64-bit FNV-1a, draft-eastlake-fnv).
    ///
    /// It tells mistakes and changes, not attacks: whoever wants two texts with one digest can make them.
    var digest: UInt64 {
        reduce(0xCBF2_9CE4_8422_2325) { digest, byte in (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
}

extension Substring {
    /// Without the spaces and tabs around it.
    var withoutBlanks: Substring {
        let blanks: Set<Character> = [" ", "\t"]
        let start = drop { blanks.contains($0) }
        guard let last = start.lastIndex(where: { !blanks.contains($0) }) else { return start.prefix(0) }
        return start[...last]
    }
}

import UsherHTTP
import UsherJSON
import UsherSessions

extension Request {
    /// Returns the body as JSON.
    ///
    /// - Throws: `Problem` 415 unless the body's type is `application/json`, without a content coding; 400 if the body is
    ///   malformed.
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

    /// Parses the body; throws `Problem` 415 for a type other than `application/json`, and 400 for a malformed body.
    func read<Body>(_ body: (JSONValue) throws(JSONError) -> Body) throws(Problem) -> Body {
        try json().read(body)
    }

    /// Returns the client's key for the request (draft-ietf-httpapi-idempotency-key-header), with a digest of the body.
    ///
    /// - Throws: `Problem` 400 if there are several keys, or if the key is empty, too long, or not visible ASCII.
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

    /// Returns the size of a list's page, 100 by default; throws `Problem` 400 for a value other than 1 to 1000.
    func pageLimit() throws(Problem) -> Int {
        try number("limit", in: 1...1_000) ?? 100
    }

    /// Returns the session after which a list's page starts, nil for the first page; throws `Problem` 400 for a
    /// malformed id.
    func pageStart() throws(Problem) -> SessionID? {
        guard let text = try queryParameter("after") else { return nil }
        guard let id = SessionID(text) else {
            throw Problem(.malformedRequest, "\"after\" takes a session's id")
        }
        return id
    }

    /// Returns a number in the query, or nil if the parameter is missing.
    ///
    /// - Throws: `Problem` 400 if the value is not a number in the range.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = try queryParameter(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let numbers =
                range.upperBound == .max
                ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            throw Problem(.malformedRequest, "\"\(name)\" takes a number \(numbers)")
        }
        return number
    }

    /// Returns a word in the query, nil if it is missing; throws `Problem` 400 for an unknown word.
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

    /// A Boolean value that indicates whether the body has a content coding, such as gzip (RFC 9110, section 8.4).
    private var isCoded: Bool {
        guard headers.contains(.contentEncoding) else { return false }
        return headers.texts(of: .contentEncoding).joined(separator: ",").lowercased() != "identity"
    }

    /// A Boolean value that indicates whether the body is JSON in UTF-8, its only charset (RFC 8259, section 8.1).
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
    init(malformed error: JSONError) {
        self.init(.malformedBody, "the body: \(error)")
    }
}

extension JSONValue {
    /// Parses a value; throws `Problem` 400 if the value is malformed.
    func read<Body>(_ body: (JSONValue) throws(JSONError) -> Body) throws(Problem) -> Body {
        do throws(JSONError) { return try body(self) } catch { throw Problem(malformed: error) }
    }

    /// Returns the only member of an object; throws `JSONError`, with the valid shape, for a missing or unknown member.
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
    /// A digest of the bytes (64-bit FNV-1a, draft-eastlake-fnv), which detects mistakes and changes, but no attacks:
    /// it is easy to make two texts with the same digest.
    var digest: UInt64 {
        reduce(0xCBF2_9CE4_8422_2325) { digest, byte in (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
}

extension Substring {
    /// The text without spaces and tabs at its ends.
    var withoutBlanks: Substring {
        let blanks: Set<Character> = [" ", "\t"]
        let start = drop { blanks.contains($0) }
        guard let last = start.lastIndex(where: { !blanks.contains($0) }) else { return start.prefix(0) }
        return start[...last]
    }
}

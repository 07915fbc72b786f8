/// A parsed request target (RFC 9112 §3.2).
package struct RequestTarget: Hashable, Sendable {
    package let form: TargetForm
    /// The decoded path, or `Path.asterisk`.
    package let path: Path
    /// The query after the first `?`, still percent-encoded; nil if there is none.
    package let query: String?

    /// Parses a request target.
    ///
    /// - Parameters:
    ///   - raw: The bytes between method and version.
    ///   - limit: The largest accepted number of bytes.
    ///   - buffer: An empty array whose memory the path reuses.
    /// - Throws: A 414 if there are more than `limit` bytes, a 400 if the bytes are not a target.
    package init(parsing raw: Span<UInt8>, limit: Int = 2048, into buffer: consuming [UInt8] = []) throws(Problem) {
        guard raw.count <= limit else {
            throw Problem(.uriTooLong, "The request target has more than \(limit) bytes; send long values in the body.")
        }
        switch raw.isEmpty ? nil : raw[0] {
        case UInt8(ascii: "/"): try self.init(form: .origin, raw, pathStart: 0, buffer)
        case UInt8(ascii: "*") where raw.count == 1: self.init(form: .asterisk, path: .asterisk, query: nil)
        default: try self.init(absoluteOrAuthority: raw)
        }
    }

    private init(form: TargetForm, path: Path, query: String?) {
        self.form = form
        self.path = path
        self.query = query
    }

    private init(
        form: TargetForm, _ raw: Span<UInt8>, pathStart: Int, _ buffer: consuming [UInt8]
    ) throws(Problem) {
        var end = pathStart
        let path = try Path(decoding: raw, at: &end, into: buffer)
        try Self.checkBytes(raw, end..<raw.count)
        self.init(form: form, path: path, query: end < raw.count ? raw.text(end + 1..<raw.count) : nil)
    }

    private init(absoluteOrAuthority raw: Span<UInt8>) throws(Problem) {
        try Self.checkBytes(raw, 0..<raw.count)
        guard let start = Self.authorityStart(raw) else {
            guard Authority.isValid(raw, portNeeded: true) else { throw Self.malformed }
            self.init(form: .authority, path: Path(""), query: nil)
            return
        }
        var end = start
        while end < raw.count, raw[end] != UInt8(ascii: "/"), raw[end] != UInt8(ascii: "?") { end += 1 }
        let authority = raw.text(start..<end)
        guard !authority.isEmpty, Authority.isValid(raw.extracting(start..<end)) else { throw Self.malformed }
        try self.init(form: .absolute(authority: authority), raw, pathStart: end, [])
    }

    private static func authorityStart(_ raw: Span<UInt8>) -> Int? {
        if raw.hasPrefix("http://") { return 7 }
        return raw.hasPrefix("https://") ? 8 : nil
    }

    private static func checkBytes(_ raw: Span<UInt8>, _ range: Range<Int>) throws(Problem) {
        for index in range where !isAllowed(raw[index]) { throw illegalByte }
    }

    static func isAllowed(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "#")
    }

    static let illegalByte = Problem(
        .badRequest,
        "The request target has a space, a control character, a # or a byte outside ASCII; percent-encode it.")

    private static let malformed = Problem(
        .badRequest, "The request target is neither a path that begins with /, nor an absolute http URI, nor *.")
}

/// The four forms of a request target (RFC 9112 §3.2.1 to §3.2.4).
package enum TargetForm: Hashable, Sendable {
    /// `/path?query`: the usual form.
    case origin
    /// `http://authority/path?query`: the form for proxies; the authority replaces the `Host` field.
    case absolute(authority: String)
    /// `host:port`: for `CONNECT` only.
    case authority
    /// `*`: the whole server, for `OPTIONS` only.
    case asterisk
}

/// The grammar of `host[:port]` (RFC 3986 §3.2.2, §3.2.3), as in a `Host` field, without user information.
enum Authority {
    static func isValid(_ bytes: Span<UInt8>, portNeeded: Bool = false) -> Bool {
        var end = 0
        if !bytes.isEmpty, bytes[0] == UInt8(ascii: "[") {
            while end < bytes.count, bytes[end] != UInt8(ascii: "]") { end += 1 }
            guard end < bytes.count, NetworkAddress(bytes.extracting(1..<end)) != nil else { return false }
            end += 1
        } else {
            while end < bytes.count, isNameCharacter(bytes[end]) { end += 1 }
        }
        return isPort(bytes.extracting(end..<bytes.count), needed: portNeeded)
    }

    static func isPort(_ bytes: Span<UInt8>, needed: Bool) -> Bool {
        guard !bytes.isEmpty else { return !needed }
        guard bytes[0] == UInt8(ascii: ":"), bytes.count <= 6, !(needed && bytes.count == 1) else { return false }
        for index in 1..<bytes.count where !FieldGrammar.isDigit(bytes[index]) { return false }
        return true
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        // Tests for digits and dots first, because most hosts are addresses.
        if FieldGrammar.isDigit(byte) || byte == UInt8(ascii: ".") { return true }
        return switch byte {
        case UInt8(ascii: "#"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"): false
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="): true
        default: FieldGrammar.isTokenCharacter(byte)
        }
    }
}

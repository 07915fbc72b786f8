/// A request target, taken apart (RFC 9112 §3.2).
package struct Target: Hashable, Sendable {
    /// The four ways to write a target.
    package enum Form: Hashable, Sendable {
        /// `/path?query`: the usual one.
        case origin
        /// `http://authority/path?query`: what a proxy gets; its authority replaces the `Host` field.
        case absolute(authority: String)
        /// `host:port`: for `CONNECT` only.
        case authority
        /// `*`: the server as a whole, for `OPTIONS` only.
        case asterisk
    }

    /// How it was written.
    package let form: Form
    /// The decoded path; `*` is the one segment of the asterisk form.
    package let path: Path
    /// What follows the first `?`, as it was sent: still percent-encoded.
    package let query: String?

    /// Takes apart the bytes between method and version.
    ///
    /// - Parameters:
    ///   - raw: The bytes.
    ///   - limit: How many there may be.
    ///   - memory: An array that nobody needs any more; its memory becomes the path's.
    /// - Throws: a 414 if there are more than `limit`, a 400 if they are not a target.
    package init(parsing raw: Span<UInt8>, limit: Int = 2048, into memory: consuming [UInt8] = []) throws(Problem) {
        guard raw.count <= limit else {
            throw Problem(.uriTooLong, "The request target has more than \(limit) bytes; send long values in the body.")
        }
        switch raw.isEmpty ? nil : raw[0] {
        case UInt8(ascii: "/"): try self.init(form: .origin, raw, pathStart: 0, memory)
        case UInt8(ascii: "*") where raw.count == 1: self.init(form: .asterisk, path: .asterisk, query: nil)
        default: try self.init(absoluteOrAuthority: raw)
        }
    }

    private init(form: Form, path: Path, query: String?) {
        self.form = form
        self.path = path
        self.query = query
    }

    private init(form: Form, _ raw: Span<UInt8>, pathStart: Int, _ memory: consuming [UInt8]) throws(Problem) {
        var end = pathStart
        let path = try Path(decoding: raw, at: &end, into: memory)
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
        "The request target holds a space, a control character, a # or a byte outside ASCII; percent-encode it.")

    private static let malformed = Problem(
        .badRequest, "The request target is neither a path that begins with /, nor an absolute http URI, nor *.")
}

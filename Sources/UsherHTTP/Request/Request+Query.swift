extension Request {
    /// The decoded value of a parameter of the query, of the form `name=value&…`; `+` is a space.
    ///
    /// - Returns: nil if the parameter is not there; the first if it is there more than once.
    /// - Throws: a 400 if the value's escapes are wrong.
    package func queryParameter(_ name: String) throws(Problem) -> String? {
        guard let query else { return nil }
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let key = pair.prefix { $0 != UInt8(ascii: "=") }
            guard try Self.decoded(key) == name else { continue }
            return try Self.decoded(pair[key.endIndex...].dropFirst())
        }
        return nil
    }

    private static func decoded(_ text: Substring.UTF8View) throws(Problem) -> String {
        let raw = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        var decoding = PercentDecoding(capacity: raw.count)
        var position = 0
        while position < raw.count {
            position = try decoding.take(raw.span, at: position, until: raw.count)
        }
        return String(decoding: try decoding.finish(), as: UTF8.self)
    }
}

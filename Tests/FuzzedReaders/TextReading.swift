import UsherHTTP
import UsherJSON

@testable import UsherServer

/// The readers of text.
enum TextReading {
    static func readJSON(_ bytes: [UInt8]) {
        guard let value = try? JSONDocument(parsing: bytes).root else { return }
        let copy = Array(value.bytes)
        guard let again = try? JSONDocument(parsing: copy).root else {
            fatalError("what was read cannot be read again")
        }
        precondition(Array(again.bytes) == copy)
        precondition(again.meaning == value.meaning)
        visit(value)
    }

    private static func visit(_ value: JSONValue) {
        _ = (value.string, value.integer, value.boolean, value.place)
        for (name, member) in value.members {
            precondition(value[member: name] != nil)
            visit(member)
        }
        for element in value.elements { visit(element) }
    }

    static func readTarget(_ bytes: [UInt8]) {
        guard let target = try? RequestTarget(parsing: bytes.span), target.form != .asterisk else { return }
        for segment in target.path.bytes.split(separator: 0, omittingEmptySubsequences: false) {
            let name = String(decoding: segment, as: UTF8.self)
            precondition(name != "." && name != "..")
            precondition(!segment.contains { $0 < 0x20 || $0 == UInt8(ascii: "\\") })
        }
        let request = Request(.get, target: target.path, query: target.query, headers: HeaderFields())
        _ = try? request.queryParameter("after")
    }

    static func readFields(_ bytes: [UInt8]) {
        var request = Request(.get, path: "/")
        let headers = fields(bytes.split(separator: UInt8(ascii: "\n"))[...])
        let path = Array("/".utf8)
        guard let target = try? RequestTarget(parsing: path.span) else { return }
        let head = RequestHead(method: "GET", target: .success(target), headers: headers)
        guard (try? head.check(bodyLimit: 65_536, into: &request)) != nil else { return }
        _ = Preference(request)
        request.peer = NetworkAddress("127.0.0.1")
        let proxies = TrustedProxies([AddressBlock("127.0.0.0/8")].compactMap(\.self))
        precondition(proxies.client(of: request) != nil)
    }

    /// Returns the fields of lines, with a colon between name and value.
    static func fields(_ lines: ArraySlice<ArraySlice<UInt8>>) -> HeaderFields {
        var headers = HeaderFields()
        for line in lines {
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            headers.append(
                name: String(decoding: parts[0], as: UTF8.self), value: String(decoding: parts[1], as: UTF8.self))
        }
        return headers
    }
}

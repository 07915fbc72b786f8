/// Finds the client's address in a request's forwarding field.
///
/// Each proxy appends the address from which it received the request. The hops are therefore reliable from the right,
/// as long as each hop is a trusted proxy. A client can forge everything to the left of the first untrusted hop.
package struct ForwardedChain {
    /// A field in which proxies report the addresses of their clients.
    package enum ForwardingField: Sendable {
        /// `Forwarded` (RFC 7239 §4).
        case forwarded
        /// `X-Forwarded-For`, which is older than `Forwarded` and more common.
        case forwardedFor

        package var name: FieldName { self == .forwarded ? .forwarded : .forwardedFor }
    }

    /// The farthest hop that trusted proxies report; nil if the farthest of these proxies reports no address.
    package private(set) var client: NetworkAddress?
    private let isTrusted: (NetworkAddress) -> Bool

    /// Creates a chain from all lines of a field, which form one list (RFC 9110 §5.3).
    package init(_ field: ForwardingField, of fields: HeaderFields, isTrusted: @escaping (NetworkAddress) -> Bool) {
        self.isTrusted = isTrusted
        for line in fields.values(of: field.name) {
            let hops = field == .forwarded ? ForwardedLine.hops(of: line) : Self.hops(of: line)
            // A malformed line is one unknown hop, because its addresses cannot be separated reliably.
            for hop in hops ?? [nil] { append(hop) }
        }
    }

    /// Appends the next hop; nil stands for a hop without an address or with a hidden address.
    private mutating func append(_ hop: NetworkAddress?) {
        guard let hop else { return client = nil }
        if client == nil || !isTrusted(hop) { client = hop }
    }

    /// Returns the hops of a line of `X-Forwarded-For`, without the list's empty elements (RFC 9110 §5.6.1.2).
    private static func hops(of line: ArraySlice<UInt8>) -> [NetworkAddress?] {
        line.split(separator: UInt8(ascii: ",")).compactMap { element in
            let node = element.span.withoutBlanks(0..<element.count)
            return node.isEmpty ? nil : .some(NetworkAddress(node: element.span.extracting(node)))
        }
    }
}

extension NetworkAddress {
    /// Parses a node (RFC 7239 §6): an address with an optional port; nil for an obfuscated, unknown or malformed node.
    ///
    /// The brackets around an IPv6 address are optional, too.
    init?(node: Span<UInt8>) {
        var end = node.count
        if node.count > 0, node[0] == UInt8(ascii: "[") {
            end = node.indices.first { node[$0] == UInt8(ascii: "]") } ?? node.count
            guard end < node.count, Self.isPort(node.extracting(end + 1..<node.count)) else { return nil }
            self.init(node.extracting(1..<end))
        } else {
            let colons = node.indices.filter { node[$0] == UInt8(ascii: ":") }
            if colons.count == 1 { end = colons[0] }
            guard Self.isPort(node.extracting(end..<node.count)) else { return nil }
            self.init(node.extracting(0..<end))
        }
    }

    private static func isPort(_ text: Span<UInt8>) -> Bool {
        text.isEmpty || Authority.isPort(text, needed: true)
    }
}

/// A reader for one line of `Forwarded`: a list of elements, each of them `name=value` pairs.
private struct ForwardedLine {
    private var rest: ArraySlice<UInt8>

    /// Returns the hops in the `for` pairs of a line; nil if the line violates the grammar of RFC 7239.
    static func hops(of line: ArraySlice<UInt8>) -> [NetworkAddress?]? {
        var reader = ForwardedLine(rest: line)
        var hops: [NetworkAddress?] = []
        repeat {
            guard let element = reader.element() else { return nil }
            if !element.isEmpty { hops.append(element.hop) }
        } while reader.take(UInt8(ascii: ","))
        return reader.rest.isEmpty ? hops : nil
    }

    private struct Element {
        var isEmpty = true
        var isNamed = false
        var hop: NetworkAddress?
    }

    /// Reads the pairs up to a comma, or returns nil if the pairs are malformed or contain two `for` pairs.
    private mutating func element() -> Element? {
        var element = Element()
        repeat {
            skipBlanks()
            let name = token()
            guard !name.isEmpty else { continue }
            guard take(UInt8(ascii: "=")), let value = value() else { return nil }
            element.isEmpty = false
            guard name.lazy.map(FieldGrammar.lowercased).elementsEqual("for".utf8) else { continue }
            guard !element.isNamed else { return nil }
            element.isNamed = true
            element.hop = NetworkAddress(node: value.span)
        } while takeBehindBlanks(UInt8(ascii: ";"))
        return element
    }

    /// Reads a token, or the content of a quoted string; does not decode escapes, because no address contains one.
    private mutating func value() -> ArraySlice<UInt8>? {
        guard take(UInt8(ascii: "\"")) else {
            let token = token()
            return token.isEmpty ? nil : token
        }
        var end = rest.startIndex
        while end < rest.endIndex, rest[end] != UInt8(ascii: "\"") {
            end += rest[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard end < rest.endIndex else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
    }

    private mutating func token() -> ArraySlice<UInt8> {
        let token = rest.prefix(while: FieldGrammar.isTokenCharacter)
        rest = rest[token.endIndex...]
        return token
    }

    private mutating func takeBehindBlanks(_ byte: UInt8) -> Bool {
        skipBlanks()
        return take(byte)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipBlanks() {
        rest = rest.drop(while: FieldGrammar.isBlank)
    }
}

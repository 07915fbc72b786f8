/// The hops that a request's forwarding field names, from the client's end to ours, as they are read.
///
/// Each proxy adds the address that it was asked from at the end. So the hops count from the right, for as long as the
/// one before is trusted to tell the truth: what stands left of the first that is not is a client's to write.
package struct ForwardedChain {
    /// A field that proxies tell of their clients in.
    package enum ForwardingField: Sendable {
        /// `Forwarded` (RFC 7239 §4).
        case forwarded
        /// `X-Forwarded-For`, which is older, and most used.
        case forwardedFor

        /// Its name.
        package var name: FieldName { self == .forwarded ? .forwarded : .forwardedFor }
    }

    /// The farthest hop that trusted proxies tell of; nil where the last of them tells none.
    package private(set) var client: NetworkAddress?
    private let isTrusted: (NetworkAddress) -> Bool

    /// Reads the hops of a field, whose lines are one list (RFC 9110 §5.3).
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - fields: The header section.
    ///   - isTrusted: Tells the proxies that may be believed.
    package init(_ field: ForwardingField, of fields: HeaderFields, isTrusted: @escaping (NetworkAddress) -> Bool) {
        self.isTrusted = isTrusted
        for line in fields.values(of: field.name) {
            let hops = field == .forwarded ? ForwardedLine.hops(of: line) : Self.hops(of: line)
            // Nobody can say where the addresses of a malformed line end.
            for hop in hops ?? [nil] { append(hop) }
        }
    }

    /// Takes the next hop; nil for one that has no address, or hides it.
    private mutating func append(_ hop: NetworkAddress?) {
        guard let hop else { return client = nil }
        if client == nil || !isTrusted(hop) { client = hop }
    }

    /// The hops of a line of `X-Forwarded-For`; a list may have empty elements (RFC 9110 §5.6.1.2).
    private static func hops(of line: ArraySlice<UInt8>) -> [NetworkAddress?] {
        line.split(separator: UInt8(ascii: ",")).compactMap { element in
            let node = element.span.withoutBlanks(0..<element.count)
            return node.isEmpty ? nil : .some(NetworkAddress(node: element.span.extracting(node)))
        }
    }
}

extension NetworkAddress {
    /// Reads a node (RFC 7239 §6): an address, one of version 6 in brackets or without, and perhaps a port behind it.
    ///
    /// - Returns: nil for an obfuscated or unknown node, and for anything else.
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

/// A line of `Forwarded` as it is read: elements of `name=value` pairs.
private struct ForwardedLine {
    private var rest: ArraySlice<UInt8>

    /// The hops that the elements name under `for`; nil for a line that is not of RFC 7239's grammar.
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

    /// The pairs up to a comma; nil if they are malformed, or name two hops.
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

    /// A token or the inside of a quoted string; its escapes stay, for no address has any.
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

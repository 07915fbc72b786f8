import UsherBytes

/// An IP address of version 4 or 6.
///
/// IPv4 addresses are stored as IPv4-mapped IPv6 addresses (RFC 4291 §2.5.5.2), as a dual-stack socket reports them.
package struct NetworkAddress: Hashable, Sendable {
    package let bits: UInt128

    /// Creates an IPv6 address, or an IPv4 address from its mapped form.
    package init(bits: UInt128) {
        self.bits = bits
    }

    package init(version4 number: UInt32) {
        bits = Self.mapped | UInt128(number)
    }

    /// Parses an IPv4 address such as `192.0.2.1`, or an IPv6 address (RFC 4291 §2.2); nil for anything else, such as a
    /// zone, a port, or a leading zero, which some parsers read as octal.
    package init?(_ text: Span<UInt8>) {
        guard let bits = text.networkAddress else { return nil }
        self.init(bits: bits)
    }

    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        self.init(bytes.span)
    }

    package var isVersion4: Bool { bits >> 32 == Self.mapped >> 32 }

    /// The network that counts as one client: the first 64 bits of an IPv6 address (RFC 6177 §2), or an IPv4 address.
    package var clientNetwork: NetworkAddress {
        isVersion4 ? self : NetworkAddress(bits: bits & (UInt128.max << 64))
    }

    private static let mapped: UInt128 = 0xFFFF << 32
}

extension StringProtocol {
    /// The text without the brackets that a URL puts around an IPv6 address (RFC 3986 §3.2.2).
    package var withoutBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : String(self)
    }
}

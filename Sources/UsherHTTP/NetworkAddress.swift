import UsherBytes

/// An IP address, of version 4 or 6.
///
/// One of version 4 is held as version 6 maps it (RFC 4291 §2.5.5.2): a socket for both versions gives no client two.
package struct NetworkAddress: Hashable, Sendable {
    /// The 128 bits of version 6.
    package let bits: UInt128

    /// An address of version 6, or a mapped one of version 4.
    package init(bits: UInt128) {
        self.bits = bits
    }

    /// An address of version 4.
    package init(version4 number: UInt32) {
        bits = Self.mapped | UInt128(number)
    }

    /// Reads the text form: `192.0.2.1`, or one of RFC 4291 §2.2.
    ///
    /// - Returns: nil for anything else: a zone, a port, a number with a leading zero, which some take for an octal one.
    package init?(_ text: Span<UInt8>) {
        guard let bits = text.networkAddress else { return nil }
        self.init(bits: bits)
    }

    /// Reads the text form.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        self.init(bytes.span)
    }

    /// True of an address of version 4.
    package var isVersion4: Bool { bits >> 32 == Self.mapped >> 32 }

    /// The network that one client has by itself, by its first address: of version 6 the first 64 bits (RFC 6177, section
    /// 2), of version 4 the address alone.
    package var clientNetwork: NetworkAddress {
        isVersion4 ? self : NetworkAddress(bits: bits & (UInt128.max << 64))
    }

    private static let mapped: UInt128 = 0xFFFF << 32
}

extension StringProtocol {
    /// The text without the brackets around it, which an address of version 6 has in a URL (RFC 3986 §3.2.2).
    package var withoutBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : String(self)
    }
}

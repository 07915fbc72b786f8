/// A block of IP addresses that share a prefix (CIDR, RFC 4632 §3.1), such as `10.0.0.0/8`.
package struct AddressBlock: Hashable, Sendable {
    private let base: NetworkAddress
    /// A mask with the bits of the prefix, out of the 128 bits of an IPv6 address.
    private let mask: UInt128

    /// Parses `ADDRESS/LENGTH`, or an address as a block of one address; nil if the text is malformed, the address has
    /// bits after the prefix, or the prefix has no bits.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let base = NetworkAddress(first) else { return nil }
        let width = base.isVersion4 ? 32 : 128
        guard let length = parts.count == 2 ? Self.length(parts[1]) : width, (1...width).contains(length) else {
            return nil
        }
        mask = UInt128.max << UInt128(width - length)
        self.base = base
        guard base.bits & ~mask == 0 else { return nil }
    }

    /// Returns a Boolean value that indicates whether the block contains an address of the same IP version.
    package func contains(_ address: NetworkAddress) -> Bool {
        address.bits & mask == base.bits && address.isVersion4 == base.isVersion4
    }

    private static func length(_ text: some StringProtocol) -> Int? {
        guard text.utf8.allSatisfy(FieldGrammar.isDigit), text.first != "0" else { return nil }
        return Int(text)
    }
}

extension AddressBlock {
    private static let loopback = ["127.0.0.0/8", "::1"].compactMap { AddressBlock($0) }

    /// Loopback, link-local, private and shared blocks, which are not routed on the Internet (RFC 6890).
    private static let local =
        loopback
        + [
            "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "fc00::/7", "fe80::/10",
        ].compactMap { AddressBlock($0) }

    /// Returns a Boolean value that indicates whether an address is a loopback address.
    package static func isLoopback(_ address: NetworkAddress) -> Bool {
        loopback.contains { $0.contains(address) }
    }

    /// Returns a Boolean value that indicates whether an address belongs to this machine or to a private network.
    ///
    /// Such an address may be a proxy's or a client's.
    package static func isLocal(_ address: NetworkAddress) -> Bool {
        local.contains { $0.contains(address) }
    }
}

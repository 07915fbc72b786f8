/// A block of IP addresses that share a prefix (CIDR, RFC 4632 §3.1), such as `10.0.0.0/8`.
package struct AddressBlock: Hashable, Sendable {
    private let base: NetworkAddress
    /// Set where the block's bits are, of the 128 of version 6.
    private let mask: UInt128

    /// Reads `ADDRESS/LENGTH`, or an address as the block of it alone.
    ///
    /// - Returns: nil for anything else; for an address with bits behind the prefix, where one of both is a mistake; and
    ///   for a prefix of no bits, which tells no address from others.
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

    /// True if an address is in the block; none of version 4 is in a block of version 6.
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

    /// The blocks that no address of the Internet is in: loopback, link-local, private and shared ones (RFC 6890).
    private static let local =
        loopback
        + [
            "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "fc00::/7", "fe80::/10",
        ].compactMap { AddressBlock($0) }

    /// True of an address of this machine alone.
    package static func isLoopback(_ address: NetworkAddress) -> Bool {
        loopback.contains { $0.contains(address) }
    }

    /// True of an address of this machine or of a private network, which may as well be a proxy's as a client's.
    package static func isLocal(_ address: NetworkAddress) -> Bool {
        local.contains { $0.contains(address) }
    }
}

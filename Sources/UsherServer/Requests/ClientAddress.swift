package import UsherHTTP

/// The proxies that may name the client of a request.
package struct TrustedProxies: Sendable {
    private let blocks: [AddressBlock]

    /// Creates the set of all proxies in some networks; even loopback and private networks are trusted only if named.
    package init(_ blocks: [AddressBlock] = []) {
        self.blocks = blocks
    }

    /// A Boolean value that indicates whether no proxy is trusted.
    package var isEmpty: Bool { blocks.isEmpty }

    /// Returns the client of a request: the peer, or the client that a trusted proxy's forwarding field names.
    ///
    /// A proxy writes either `Forwarded` or `X-Forwarded-For`, and leaves the other field as the client wrote it. If a
    /// request has both fields, they must therefore name the same client. If the fields name different clients, or if
    /// the last trusted proxy names no client, the proxy counts as the client.
    ///
    /// - Returns: nil for a request that did not arrive over a network.
    package func client(of request: Request) -> NetworkAddress? {
        guard let peer = request.peer, trusts(peer) else { return request.peer }
        let named = [ForwardedChain.ForwardingField.forwarded, .forwardedFor].lazy
            .filter { request.headers.contains($0.name) }
            .map { ForwardedChain($0, of: request.headers, isTrusted: trusts).client }
        guard let first = named.first, let client = first, named.dropFirst().allSatisfy({ $0 == client }) else {
            return peer
        }
        return client
    }

    /// Returns a Boolean value that indicates whether a proxy, trusted or not, seems to have forwarded a request.
    package static func wasForwarded(_ request: Request) -> Bool {
        request.headers.contains(.forwarded) || request.headers.contains(.forwardedFor)
    }

    func trusts(_ address: NetworkAddress) -> Bool {
        blocks.contains { $0.contains(address) }
    }
}

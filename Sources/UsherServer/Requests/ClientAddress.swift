package import UsherHTTP

/// The proxies that are believed where they name the client of a request.
package struct TrustedProxies: Sendable {
    private let blocks: [AddressBlock]

    /// Those of some networks; loopback and private ones are not among them unless they are named.
    package init(_ blocks: [AddressBlock] = []) {
        self.blocks = blocks
    }

    /// True where no proxy is trusted.
    package var isEmpty: Bool { blocks.isEmpty }

    /// The client of a request: the connection's other end, or behind a trusted proxy the hop that its forwarding field
    /// names.
    ///
    /// A proxy writes one of the two fields, and lets the other pass as its client wrote it: where both are there, they
    /// must name the same. Where they do not, or the last trusted proxy names nobody, that proxy is taken for the client.
    ///
    /// - Returns: nil for a request that came over no network.
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

    /// True of a request that a proxy seems to have passed on, trusted or not.
    package static func wasForwarded(_ request: Request) -> Bool {
        request.headers.contains(.forwarded) || request.headers.contains(.forwardedFor)
    }

    /// True of the address of a trusted proxy.
    func trusts(_ address: NetworkAddress) -> Bool {
        blocks.contains { $0.contains(address) }
    }
}

internal import Synchronization
internal import UsherHTTP

/// Counts the open connections of each peer and limits their number.
final class PeerConnections: Sendable {
    enum Room {
        case free
        /// The connection is above the limit: its first request gets a 429.
        case refused
        /// The connection is far above the limit: it is closed at once.
        case none
    }

    private let counts = Mutex<[NetworkAddress: Int]>([:])
    private let limit: Int
    private let isLimited: @Sendable (NetworkAddress) -> Bool
    private let refusals = Atomic(0)

    /// The number of connections above a peer's limit that still get a 429.
    private static let spare = 16

    /// Creates a count with a limit per peer (0 for no limit); `isLimited` returns `false` for a proxy, for example.
    init(limit: Int, isLimited: @escaping @Sendable (NetworkAddress) -> Bool) {
        self.limit = limit
        self.isLimited = isLimited
    }

    var refusalCount: Int { refusals.load(ordering: .relaxed) }

    /// Called when a connection was opened; the connection counts until `leave` is called.
    func enter(_ peer: NetworkAddress?) -> Room {
        guard let peer, limits(peer) else { return .free }
        let count = counts.withLock { counts in
            counts[peer.clientNetwork, default: 0] += 1
            return counts[peer.clientNetwork] ?? 0
        }
        guard count > limit else { return .free }
        refusals.add(1, ordering: .relaxed)
        return count > limit + Self.spare ? .none : .refused
    }

    func leave(_ peer: NetworkAddress?) {
        guard let peer, limits(peer) else { return }
        counts.withLock { counts in
            guard let count = counts[peer.clientNetwork] else { return }
            counts[peer.clientNetwork] = count > 1 ? count - 1 : nil
        }
    }

    private func limits(_ peer: NetworkAddress) -> Bool { limit > 0 && isLimited(peer) }

    var refusal: Problem {
        .tooMuchFromAddress(
            "this address has \(limit) open connections, the most allowed; close some, and try again", retryAfter: 5
        )
    }
}

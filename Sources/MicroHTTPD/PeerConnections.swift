internal import Synchronization
internal import UsherHTTP

/// The connections that each peer has open, and the bound of their number.
final class PeerConnections: Sendable {
    /// The room that a peer has for another connection.
    enum Room {
        case free
        /// None: its first request is answered with 429, which says so.
        case refused
        /// None even for that: it is closed at once.
        case none
    }

    private let counts = Mutex<[NetworkAddress: Int]>([:])
    private let limit: Int
    private let isLimited: @Sendable (NetworkAddress) -> Bool
    private let refusals = Atomic(0)

    /// Connections of one peer beyond its limit that are told so.
    private static let spare = 16

    /// - Parameters:
    ///   - limit: Connections of one peer; 0 for no limit.
    ///   - isLimited: True of a peer that is not exempt, as a proxy is.
    init(limit: Int, isLimited: @escaping @Sendable (NetworkAddress) -> Bool) {
        self.limit = limit
        self.isLimited = isLimited
    }

    /// The number of connections that had no room.
    var refusalCount: Int { refusals.load(ordering: .relaxed) }

    /// A connection was opened; it counts until it leaves.
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

    /// A connection was closed.
    func leave(_ peer: NetworkAddress?) {
        guard let peer, limits(peer) else { return }
        counts.withLock { counts in
            guard let count = counts[peer.clientNetwork] else { return }
            counts[peer.clientNetwork] = count > 1 ? count - 1 : nil
        }
    }

    private func limits(_ peer: NetworkAddress) -> Bool { limit > 0 && isLimited(peer) }

    /// The answer on a connection that has no room.
    var refusal: Problem {
        .tooMuchFromAddress(
            "this address has \(limit) connections open, and may have no more; close some, and try again", retryAfter: 5
        )
    }
}

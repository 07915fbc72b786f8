private import Glibc

/// Looks which peers have closed their connections.
///
/// One that only says that it sends no more looks the same; a client that still waits for an answer leaves that open.
enum HungUpSockets {
    /// The positions of those sockets whose peers are gone.
    static func indices(of sockets: [Int32]) -> [Int] {
        guard !sockets.isEmpty else { return [] }
        var polls = sockets.map { pollfd(fd: $0, events: hangUp, revents: 0) }
        guard unsafe poll(&polls, nfds_t(polls.count), 0) > 0 else { return [] }
        return polls.indices.filter { polls[$0].revents & (hangUp | Int16(POLLHUP) | Int16(POLLERR)) != 0 }
    }

    // POLLRDHUP, which is Linux's own.
    private static let hangUp: Int16 = 0x2000
}

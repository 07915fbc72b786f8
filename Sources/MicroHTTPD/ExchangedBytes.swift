internal import Synchronization
internal import UsherHTTP

/// The memory of all bodies that come in and answers that go out, and the bound of their sum.
///
/// Small ones, which are most, cost a comparison and no more. In place in what has it: an object would be counted by
/// reference at each request.
struct ExchangedBytes: ~Copyable, Sendable {
    private let bytes = Atomic(0)
    private let refusals = Atomic(0)
    private let limit: Int

    /// Bodies of at most so many bytes do not count: all connections together cannot hold much of these.
    private static let small = 4 * 1024

    init(limit: Int) {
        self.limit = limit
    }

    /// The bytes that count now.
    var count: Int { bytes.load(ordering: .relaxed) }

    /// The number of bodies and answers that had no room.
    var refusalCount: Int { refusals.load(ordering: .relaxed) }

    /// Refuses a body at its head for which there is no room now.
    ///
    /// It takes room only as it comes: nobody has to send what he has promised.
    ///
    /// - Throws: `Problem` 503.
    func check(_ count: Int) throws(Problem) {
        if count > Self.small { try checkRoom(for: count) }
    }

    /// Takes room for a body that has come to so many bytes, which its connection gives back.
    ///
    /// - Throws: `Problem` 503 where there is none.
    func reserve(_ count: Int, for share: inout ExchangeShare) throws(Problem) {
        guard count > Self.small, count > share.bytes else { return }
        try checkRoom(for: count - share.bytes)
        add(count - share.bytes, to: &share)
    }

    /// Counts an answer that is sent in any case.
    func count(_ count: Int, in share: inout ExchangeShare) {
        if count > Self.small { add(count, to: &share) }
    }

    /// Takes back all that a connection had.
    func release(_ share: inout ExchangeShare) {
        guard share.bytes > 0 else { return }
        bytes.subtract(share.bytes, ordering: .relaxed)
        share.bytes = 0
    }

    private func checkRoom(for count: Int) throws(Problem) {
        guard self.count > limit - min(limit, count) else { return }
        refusals.add(1, ordering: .relaxed)
        throw Self.full
    }

    private func add(_ count: Int, to share: inout ExchangeShare) {
        share.bytes += count
        bytes.add(count, ordering: .relaxed)
    }

    static let full = Problem.serverFull(
        "this server has no memory left for this now, so nothing was done; try again later", retryAfter: 2)
}

/// One connection's part of the exchanged bytes.
struct ExchangeShare {
    fileprivate(set) var bytes = 0
}

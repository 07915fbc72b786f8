internal import Synchronization
internal import UsherHTTP

/// Counts the memory of all request and response bodies, and limits their sum.
///
/// Most bodies are small and cost only a comparison. The type is noncopyable and stored inline, because an object would
/// cost reference counting at each request.
struct ExchangedBytes: ~Copyable, Sendable {
    private let bytes = Atomic(0)
    private let refusals = Atomic(0)
    private let limit: Int

    /// Bodies up to this size in bytes are not counted; even all connections together have few such bytes.
    private static let small = 4 * 1024

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { bytes.load(ordering: .relaxed) }

    var refusalCount: Int { refusals.load(ordering: .relaxed) }

    /// Throws a 503 if there is no room now for a body of a declared size.
    ///
    /// Nothing is reserved, because the client may never send the body.
    func check(_ count: Int) throws(Problem) {
        if count > Self.small { try checkRoom(for: count) }
    }

    /// Reserves room for bytes that have arrived, until the share is released; throws a 503 if there is no room.
    func reserve(_ count: Int, for share: inout ExchangeShare) throws(Problem) {
        guard count > Self.small, count > share.bytes else { return }
        try checkRoom(for: count - share.bytes)
        add(count - share.bytes, to: &share)
    }

    /// Counts the body of a response, which is sent even if the limit is exceeded.
    func count(_ count: Int, in share: inout ExchangeShare) {
        if count > Self.small { add(count, to: &share) }
    }

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
        "this server is short of memory, so the request had no effect; try again later", retryAfter: 2)
}

/// The number of bytes that one connection has reserved.
struct ExchangeShare {
    fileprivate(set) var bytes = 0
}

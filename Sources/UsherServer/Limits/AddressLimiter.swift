import Synchronization
import UsherHTTP
import UsherMetrics
import UsherProcess

/// The limiter of what clients use, by their address: streams, new sessions, bytes in the journal, wrong secrets.
///
/// Only requests that open a session or a stream, that are journalled, or that show a secret of the operator or the backend
/// come here; and those of exempt addresses see no lock.
final class AddressLimiter: Sendable {
    /// The things that are limited.
    enum Measure: Int, CaseIterable {
        case session
        case stream
        case bytes
        case secret
    }

    private let limits: AddressLimits
    private let proxies: TrustedProxies
    private let log: Log
    private let now: @Sendable () -> Int64
    private let table: AddressTable
    private let refusals = Counters()
    private let hasWarned = Atomic(false)

    /// Makes a limiter.
    ///
    /// - Parameters:
    ///   - limits: The limits of one address.
    ///   - proxies: The proxies that are believed where they name a client.
    ///   - log: Is told, once, where a proxy seems to be in front that is not trusted.
    ///   - now: The time in nanoseconds.
    init(
        _ limits: AddressLimits, behind proxies: TrustedProxies, log: Log,
        now: @escaping @Sendable () -> Int64 = { MonotonicClock.now }
    ) {
        self.limits = limits
        self.proxies = proxies
        self.log = log
        self.now = now
        table = AddressTable { time in
            AddressTable.Account(
                sessions: TokenBucket(capacity: limits.sessionRate.capacity, now: time),
                bytes: TokenBucket(capacity: limits.byteRate.capacity, now: time),
                secrets: TokenBucket(capacity: AddressLimits.secretRate.capacity, now: time))
        }
    }

    /// The number of requests that were refused.
    func refusals(of measure: Measure) -> Int { refusals[measure.rawValue] }

    /// The number of addresses that are known.
    var addressCount: Int { table.count }

    /// The client that a request is counted under; nil for one that is not limited.
    ///
    /// Without a trusted proxy, a peer on this machine or in a private network may be a proxy that stands for many.
    func client(of request: Request) -> LimitedClient? {
        guard let peer = request.peer else { return nil }
        if proxies.isEmpty, limits.scope == .public, AddressBlock.isLocal(peer) {
            if TrustedProxies.wasForwarded(request) { warn() }
            return nil
        }
        return proxies.client(of: request).map { LimitedClient(address: $0.address.clientNetwork, limiter: self) }
    }

    private func warn() {
        guard !hasWarned.load(ordering: .relaxed), !hasWarned.exchange(true, ordering: .relaxed) else { return }
        log.write(
            .warning, "limits by address are off",
            ["reason": "requests come through a proxy; name it with --trusted-proxy, and its clients are limited"])
    }

    /// Compares a secret that a request shows, unless its address has shown too many wrong ones: it learns then of none
    /// whether it is right.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isRight: Compares the secret.
    /// - Returns: True for the right one.
    /// - Throws: `Problem` 429.
    func allowsSecret(of request: Request, _ isRight: () -> Bool) throws(Problem) -> Bool {
        guard let address = client(of: request)?.address else { return isRight() }
        let (time, rate) = (now(), AddressLimits.secretRate)
        let wait = table.update(address, now: time) { $0.secrets.wait(for: 1, rate, now: time) }
        if let wait { throw refuse(.secret, "has shown too many wrong secrets", wait) }
        guard !isRight() else { return true }
        table.update(address, now: time) { $0.secrets.take(1, rate, now: time) }
        return false
    }

    // MARK: A client's requests

    fileprivate func admitSession(_ address: NetworkAddress) throws(Problem) {
        try admitInput(address)
        guard limits.sessions > 0 else { return }
        let time = now()
        let wait = table.update(address, now: time) { use -> Int? in
            if let wait = use.sessions.wait(for: 1, limits.sessionRate, now: time) { return wait }
            use.sessions.take(1, limits.sessionRate, now: time)
            return nil
        }
        if let wait { throw refuse(.session, "has opened sessions faster than it may", wait) }
    }

    fileprivate func admitInput(_ address: NetworkAddress) throws(Problem) {
        guard limits.bytes > 0 else { return }
        let time = now()
        guard let wait = table.update(address, now: time, { $0.bytes.wait(for: 1, limits.byteRate, now: time) })
        else { return }
        throw refuse(.bytes, "has sent as many bytes of inputs as it may in a day", wait)
    }

    fileprivate func charge(_ bytes: Int, to address: NetworkAddress) {
        guard limits.bytes > 0 else { return }
        let time = now()
        table.update(address, now: time) { $0.bytes.take(Double(bytes), limits.byteRate, now: time) }
    }

    fileprivate func openStream(_ address: NetworkAddress) throws(Problem) {
        guard limits.streams > 0 else { return }
        let isFree = table.update(address, now: now()) { use in
            guard use.streams < limits.streams else { return false }
            use.streams += 1
            return true
        }
        if !isFree { throw refuse(.stream, "has \(limits.streams) streams open, and may have no more", 5) }
    }

    fileprivate func closeStream(_ address: NetworkAddress) {
        guard limits.streams > 0 else { return }
        table.update(address, now: now()) { $0.streams = max(0, $0.streams - 1) }
    }

    private func refuse(_ measure: Measure, _ reason: String, _ wait: Int) -> Problem {
        refusals.add(at: measure.rawValue)
        return .tooMuchFromAddress("this address \(reason); try again later", retryAfter: wait)
    }
}

/// A client whose address is limited.
struct LimitedClient: Sendable {
    fileprivate let address: NetworkAddress
    fileprivate let limiter: AddressLimiter

    /// It wants to open a session.
    ///
    /// - Throws: `Problem` 429.
    func admitSession() throws(Problem) { try limiter.admitSession(address) }

    /// It sends an input.
    ///
    /// - Throws: `Problem` 429.
    func admitInput() throws(Problem) { try limiter.admitInput(address) }

    /// Bytes of it were journalled.
    func charge(_ bytes: Int) { limiter.charge(bytes, to: address) }

    /// It wants to open a stream, which counts until it is closed.
    ///
    /// - Throws: `Problem` 429.
    func openStream() throws(Problem) { try limiter.openStream(address) }

    /// A stream of it was closed.
    func closeStream() { limiter.closeStream(address) }
}

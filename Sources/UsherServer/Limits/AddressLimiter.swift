import Synchronization
import UsherHTTP
import UsherMetrics
import UsherProcess

/// Limits the use of the server by each client address: streams, new sessions, journalled bytes, and wrong secrets.
///
/// The limiter is called only for requests that open a session or a stream, that are journalled, or that have a secret
/// of the operator or the backend. Requests from exempt addresses take no lock.
final class AddressLimiter: Sendable {
    enum Measure: Int, CaseIterable {
        case session
        case stream
        case bytes
        case secret
    }

    fileprivate let limits: AddressLimits
    private let proxies: TrustedProxies
    private let log: Log
    fileprivate let now: @Sendable () -> Int64
    fileprivate let table: AddressTable
    private let refusals = Counters()
    private let hasWarned = Atomic(false)

    /// Creates a limiter, which logs a warning once if requests seem to pass through an untrusted proxy.
    ///
    /// `now` returns the time in nanoseconds.
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

    func refusals(of measure: Measure) -> Int { refusals[measure.rawValue] }

    var addressCount: Int { table.count }

    /// Returns the client to which a request is charged; nil if the request is not limited.
    ///
    /// Without a trusted proxy, a peer on this machine or in a private network is not limited, because it may be a
    /// proxy for many clients.
    func client(of request: Request) -> LimitedClient? {
        guard let peer = request.peer else { return nil }
        if proxies.isEmpty, limits.scope == .public, AddressBlock.isLocal(peer) {
            if TrustedProxies.wasForwarded(request) { warn() }
            return nil
        }
        return proxies.client(of: request).map { LimitedClient(address: $0.clientNetwork, limiter: self) }
    }

    private func warn() {
        guard !hasWarned.load(ordering: .relaxed), !hasWarned.exchange(true, ordering: .relaxed) else { return }
        log.write(
            .warning, "limits by address are off",
            [
                "reason":
                    "requests come through a proxy; name the proxy with --trusted-proxy, so that its clients are limited"
            ])
    }

    /// Returns `true` if the secret in a request is right, as `isRight` decides.
    ///
    /// If the address has sent too many wrong secrets, the secret is not compared, so that the client cannot learn
    /// whether the secret is right.
    ///
    /// - Throws: `Problem` 429 if the secret is not compared.
    func allowsSecret(of request: Request, _ isRight: () -> Bool) throws(Problem) -> Bool {
        guard let address = client(of: request)?.address else { return isRight() }
        let (time, rate) = (now(), AddressLimits.secretRate)
        let wait = table.update(address, now: time) { $0.secrets.wait(for: 1, rate, now: time) }
        if let wait { throw refuse(.secret, "has sent too many wrong secrets", wait) }
        guard !isRight() else { return true }
        table.update(address, now: time) { $0.secrets.take(1, rate, now: time) }
        return false
    }

    fileprivate func refuse(_ measure: Measure, _ reason: String, _ wait: Int) -> Problem {
        refusals.add(at: measure.rawValue)
        return .tooMuchFromAddress("this address \(reason); try again later", retryAfter: wait)
    }
}

/// A client with limits for its address.
struct LimitedClient: Sendable {
    fileprivate let address: NetworkAddress
    fileprivate let limiter: AddressLimiter

    private var limits: AddressLimits { limiter.limits }

    /// Counts a new session; throws `Problem` 429 if the client must wait.
    func admitSession() throws(Problem) {
        try admitInput()
        guard limits.sessions > 0 else { return }
        let wait = update { account, time -> Int? in
            if let wait = account.sessions.wait(for: 1, limits.sessionRate, now: time) { return wait }
            account.sessions.take(1, limits.sessionRate, now: time)
            return nil
        }
        if let wait { throw limiter.refuse(.session, "opens sessions too fast", wait) }
    }

    /// Checks that the client may send an input; throws `Problem` 429 if the client must wait.
    func admitInput() throws(Problem) {
        guard limits.bytes > 0, let wait = update({ $0.bytes.wait(for: 1, limits.byteRate, now: $1) }) else { return }
        throw limiter.refuse(.bytes, "has sent more bytes of inputs than it may send in a day", wait)
    }

    func charge(_ bytes: Int) {
        if limits.bytes > 0 { update { $0.bytes.take(Double(bytes), limits.byteRate, now: $1) } }
    }

    /// Counts a new stream until `closeStream` is called; throws `Problem` 429 if the client has too many streams.
    func openStream() throws(Problem) {
        guard limits.streams > 0 else { return }
        let isFree = update { account, _ in
            guard account.streams < limits.streams else { return false }
            account.streams += 1
            return true
        }
        if !isFree { throw limiter.refuse(.stream, "has \(limits.streams) open streams, the most allowed", 5) }
    }

    func closeStream() {
        if limits.streams > 0 { update { account, _ in account.streams = max(0, account.streams - 1) } }
    }

    private func update<Value>(_ body: (inout AddressTable.Account, Int64) -> Value) -> Value {
        let time = limiter.now()
        return limiter.table.update(address, now: time) { body(&$0, time) }
    }
}

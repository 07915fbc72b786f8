import Synchronization
import Testing
import UsherHTTP

@testable import UsherServer

@Suite("Limits for each client address")
struct AddressLimiterTests {
    private let lines = LogLines()
    private let time = Ticks()

    private func limiter(
        behind proxies: [String] = [], _ configure: (inout AddressLimits) -> Void = { _ in }
    ) -> AddressLimiter {
        var limits = AddressLimits()
        (limits.sessions, limits.streams, limits.bytes) = (2, 3, 86_400)
        configure(&limits)
        return AddressLimiter(
            limits, behind: TrustedProxies(proxies.compactMap { AddressBlock($0) }),
            log: Log(.text, milliseconds: { 0 }, sink: lines.add), now: { [time] in time.now })
    }

    private func request(from peer: String, _ fields: HeaderFields = [:]) -> Request {
        var request = Request(headers: fields)
        request.peer = NetworkAddress(peer)
        return request
    }

    private func pass(_ seconds: Int64) {
        time.pass(seconds)
    }

    /// A clock that stops until a test moves it.
    private final class Ticks: Sendable {
        private let time = Atomic<Int64>(0)

        var now: Int64 { time.load(ordering: .relaxed) }

        func pass(_ seconds: Int64) { time.add(seconds * 1_000_000_000, ordering: .relaxed) }
    }

    private func wait(_ body: () throws(Problem) -> Void) -> Int? {
        do throws(Problem) {
            try body()
            return nil
        } catch {
            #expect(error.status.code == 429)
            return error.headers["Retry-After"].flatMap { Int($0) } ?? -1
        }
    }

    @Test func `each address may open sessions only up to a rate and a burst`() throws {
        let limiter = limiter()
        let client = try #require(limiter.client(of: request(from: "203.0.113.1")))
        for _ in 0..<20 { #expect(wait(client.admitSession) == nil) }
        #expect(wait(client.admitSession) == 1)
        pass(1)
        #expect(wait(client.admitSession) == nil)
        #expect(wait(client.admitSession) == nil)
        #expect(wait(client.admitSession) == 1)
        let other = try #require(limiter.client(of: request(from: "203.0.113.2")))
        #expect(wait(other.admitSession) == nil)
        #expect(limiter.refusals(of: .session) == 2)
    }

    @Test func `an address may send a limited number of bytes per day, and a refusal says when to try again`() throws {
        let limiter = limiter()
        let client = try #require(limiter.client(of: request(from: "203.0.113.1")))
        client.charge(86_399)
        #expect(wait(client.admitInput) == nil)
        client.charge(100)
        #expect(wait(client.admitInput) == 100)
        #expect(wait(client.admitSession) == 100)
        // The response names the exceeded limit, and only this limit is counted.
        #expect(limiter.refusals(of: .bytes) == 2 && limiter.refusals(of: .session) == 0)
        pass(100)
        #expect(wait(client.admitInput) == nil)
    }

    @Test func `each stream counts for its client's address until the stream is closed`() throws {
        let limiter = limiter()
        let client = try #require(limiter.client(of: request(from: "203.0.113.1")))
        for _ in 0..<3 { #expect(wait(client.openStream) == nil) }
        #expect(wait(client.openStream) == 5)
        client.closeStream()
        #expect(wait(client.openStream) == nil)
    }

    @Test func `the limit 0 means that there is no limit`() throws {
        let limiter = limiter { ($0.sessions, $0.streams, $0.bytes) = (0, 0, 0) }
        let client = try #require(limiter.client(of: request(from: "203.0.113.1")))
        for _ in 0..<1_000 {
            client.charge(1 << 30)
            #expect(wait(client.admitSession) == nil)
            #expect(wait(client.admitInput) == nil)
            #expect(wait(client.openStream) == nil)
        }
    }

    @Test func `the limits of an IPv6 client apply to its network of 64 bits`() throws {
        let limiter = limiter { $0.streams = 1 }
        let client = try #require(limiter.client(of: request(from: "2001:db8:1:2::1")))
        let sibling = try #require(limiter.client(of: request(from: "2001:db8:1:2:ffff::9")))
        let other = try #require(limiter.client(of: request(from: "2001:db8:1:3::1")))
        #expect(wait(client.openStream) == nil)
        #expect(wait(sibling.openStream) == 5)
        #expect(wait(other.openStream) == nil)
    }

    @Test(arguments: ["127.0.0.1", "::1", "10.1.2.3", "192.168.0.1", "fd00::1"])
    func `clients at local or private addresses are exempt if there is no trusted proxy`(peer: String) {
        #expect(limiter().client(of: request(from: peer)) == nil)
        #expect(lines.all.isEmpty)
        #expect(limiter { $0.scope = .all }.client(of: request(from: peer)) != nil)
        #expect(limiter(behind: ["198.51.100.1"]).client(of: request(from: peer)) != nil)
    }

    @Test func `a proxy that is not trusted is logged once`() {
        let limiter = limiter()
        for _ in 0..<3 {
            #expect(limiter.client(of: request(from: "127.0.0.1", ["X-Forwarded-For": "203.0.113.1"])) == nil)
        }
        #expect(lines.all.count == 1)
        #expect(lines.all.first?.contains("--trusted-proxy") ?? false)
    }

    @Test func `behind a trusted proxy, the limits apply to the forwarded address`() throws {
        let limiter = limiter(behind: ["127.0.0.1"]) { $0.streams = 1 }
        func client(_ address: String) throws -> LimitedClient {
            try #require(limiter.client(of: request(from: "127.0.0.1", ["X-Forwarded-For": address])))
        }
        #expect(wait(try client("203.0.113.1").openStream) == nil)
        #expect(wait(try client("203.0.113.1").openStream) == 5)
        #expect(wait(try client("203.0.113.2").openStream) == nil)
    }

    @Test func `the number of addresses that are stored is limited, but addresses with open streams stay`() throws {
        let table = AddressTable(capacity: 160) { now in
            AddressTable.Account(
                sessions: TokenBucket(capacity: 1, now: now), bytes: TokenBucket(capacity: 1, now: now),
                secrets: TokenBucket(capacity: 1, now: now))
        }
        let watching = NetworkAddress(version4: 1)
        table.update(watching, now: 0) { $0.streams = 1 }
        for number in 2..<10_000 { table.update(NetworkAddress(version4: UInt32(number)), now: Int64(number)) { _ in } }
        #expect(table.count <= 160)
        #expect(table.update(watching, now: 0) { $0.streams } == 1)
    }

    @Test func `a refusal by a limit has its own type and a remedy`() async throws {
        var options = ServeOptions()
        options.addressLimits.sessions = 1
        let application = Application(apps: [TrialApp.self], options: options, log: Log(.text, sink: { _ in }))
        var request = Request(
            .post, path: "/sessions", headers: ["Content-Type": "application/json"],
            body: Array(#"{"app":"trial"}"#.utf8))
        request.peer = NetworkAddress("203.0.113.1")
        for _ in 0..<10 { #expect(await application.respond(to: request).status.code == 201) }
        let response = await application.respond(to: request)
        #expect(response.status.code == 429)
        #expect(String(decoding: response.body, as: UTF8.self).contains("urn:usher:problem:too-much-from-address"))
        #expect(response.headers["Retry-After"] == "1")
    }

    @Test func `a request that gets a stored answer does not count against its address's limit of bytes`() async throws
    {
        var options = ServeOptions()
        options.addressLimits.bytes = 4_000
        let application = Application(apps: [TrialApp.self], options: options, log: Log(.text, sink: { _ in }))
        var request = Request(
            .post, path: "/sessions", headers: ["Content-Type": "application/json", "Idempotency-Key": "a"],
            body: Array(#"{"app":"trial"}"#.utf8))
        request.peer = NetworkAddress("203.0.113.1")
        #expect(await application.respond(to: request).status.code == 201)
        for _ in 0..<60 {
            let again = await application.respond(to: request)
            #expect(again.status.code == 201)
            #expect(again.headers["Idempotent-Replayed"] == "true")
        }
    }

    @Test func `the limits for addresses do not apply to a backend and the operator`() async throws {
        var options = ServeOptions()
        options.addressLimits.sessions = 1
        options.backendKey = "the-backend-of-tests"
        options.adminToken = "the-operator-of-tests"
        let application = Application(apps: [TrialApp.self], options: options, log: Log(.text, sink: { _ in }))
        for (path, key) in [("/sessions", "the-backend-of-tests"), ("/admin/sessions", "the-operator-of-tests")] {
            var request = Request(
                .post, path: path,
                headers: ["Content-Type": "application/json", "Authorization": "Bearer \(key)"],
                body: Array(#"{"app":"trial"}"#.utf8))
            request.peer = NetworkAddress("203.0.113.1")
            for _ in 0..<30 { #expect(await application.respond(to: request).status.code == 201) }
        }
    }

    @Test(arguments: [
        Request(.get, path: "/admin/sessions"), Request(.get, path: "/metrics"),
        Request(.get, path: "/sessions", query: "subject=kim"),
        Request(
            .post, path: "/login", headers: ["Content-Type": "application/json"],
            body: Array(#"{"token":"a-guess-of-the-token"}"#.utf8)),
        Request(.get, path: "/login", query: "token=a-guess-of-the-token"),
    ])
    func `wrong tokens delay only requests from the same address`(guess: Request) async throws {
        var options = ServeOptions()
        options.backendKey = "the-backend-of-tests"
        options.adminToken = "the-operator-of-tests"
        let application = Application(apps: [TrialApp.self], options: options, log: Log(.text, sink: { _ in }))
        var guess = guess
        guess.headers.append(name: "Authorization", value: "Bearer a-guess-of-the-secret")
        guess.peer = NetworkAddress("203.0.113.1")
        let start = ContinuousClock.now
        var statuses: [Int: Int] = [:]
        for _ in 0..<200 { statuses[await application.respond(to: guess).status.code, default: 0] += 1 }
        let seconds = Int((ContinuousClock.now - start) / .seconds(1))
        #expect(statuses.keys.sorted() == [403, 429])
        #expect(statuses[403].map { (10...11 + seconds).contains($0) } == true, "\(statuses)")
        // If the right key were accepted from this address, a guess would be confirmed.
        for (address, status) in [("203.0.113.1", 429), ("203.0.113.2", 200)] {
            for secret in ["the-operator-of-tests", "the-backend-of-tests"] {
                var request = Request(
                    path: "/sessions", query: "subject=kim", headers: ["Authorization": "Bearer \(secret)"])
                request.peer = NetworkAddress(address)
                let answer = await application.respond(to: request)
                #expect(answer.status.code == status || seconds > 0 && status == 429)
            }
        }
    }
}

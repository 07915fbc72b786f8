import Glibc
import LocalhostClient
import Programs
import SeededRandom
import ServerCluster
import UsherJSON

/// A client of a cluster, which uses any server, repeats requests without a response, and records all responses.
struct LoadClient {
    /// All requests with their responses.
    private(set) var observations: [Observation] = []
    /// The responses that no client should get.
    private(set) var surprises: [String] = []
    /// The number of attempts that got no response, or a response that asks for a retry.
    private(set) var failures = 0
    private let name: Int
    private let round: Int
    private let cluster: ServerCluster
    private let progress: LoadProgress
    private var random: SplitMix64
    private var connections: [Int: LocalhostClient] = [:]
    private var count = 0
    /// The places of keys whose requests were answered by one server, but may still reach another.
    private var late: [(session: LoadSession, place: Int)] = []
    /// The newest revision of each session that the client knows.
    private var known: [String: Int] = [:]

    /// The seconds that the client waits for a response before it asks another server.
    private static let timeout = 4
    /// The nanoseconds after which the client gives up.
    private static let patience: Int64 = 90_000_000_000

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - name: The client's name, which is part of its numbers and keys.
    ///   - cluster: The servers.
    ///   - round: The number of the load's run, so that clients of different runs send different numbers.
    ///   - progress: Counts the client's requests.
    init(_ name: Int, on cluster: ServerCluster, round: Int = 1, _ progress: LoadProgress = LoadProgress()) {
        self.name = name
        self.round = round
        self.cluster = cluster
        self.progress = progress
        random = SplitMix64(seed: UInt64(round * 1_000 + name))
    }

    // MARK: Requests

    /// Opens a session.
    mutating func open() -> LoadSession? {
        let key = nextNumber()
        let headers = [("Idempotency-Key", "opening-\(key)")]
        guard let first = settle("POST", "/sessions", headers, #"{"app":"ledger"}"#),
            let id = Self.id(of: first.response)
        else { return nil }
        note(id, .opening, first)
        if let again = settle("POST", "/sessions", headers, #"{"app":"ledger"}"#),
            again.response.body != first.response.body
        {
            surprises.append("an opening was answered by \(first.response.text), and then by \(again.response.text)")
        }
        return LoadSession(id: id)
    }

    /// Performs a random action on one of several sessions.
    mutating func step(on sessions: SharedSessions) {
        settleLate()
        let session = sessions.choose()
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<55: send(.add, on: session)
        case 55..<60: send(.add, on: session, mayAbandon: true)
        case 60..<70: send(.add, on: session, isConditional: true)
        case 70..<73: send(.wait, on: session)
        case 73..<76: send(.deliver, on: session)
        case 76..<78: send(.refuse, on: session)
        case 78..<86: repeatEvent(on: session)
        case 86..<96: look(at: session)
        case 96..<98: renew(sessions)
        default: visit()
        }
    }

    /// Sends an event until there is a response, by default to any server.
    mutating func send(
        _ kind: LedgerEvent.Kind, on session: LoadSession, at server: ClusterServer? = nil, mayAbandon: Bool = false,
        isConditional: Bool = false
    ) {
        guard let place = session.begin() else { return look(at: session) }
        let number = nextNumber()
        let event = LedgerEvent(kind, number)
        var headers = [("Idempotency-Key", key(number))]
        if isConditional, let revision = known[session.id] { headers.append(("If-Match", "\"\(revision)\"")) }
        let before = failures
        let request = kind == .deliver ? Observation.Request.lastingEvent(number) : .event(number)
        let exchange = settle(
            "POST", "\(session.path)/events", headers, event.body, at: server, mayAbandon: mayAbandon)
        guard let exchange else {
            settle(place, of: session, isLate: true)
            return observe(session.id, request, .none)
        }
        note(session.id, request, exchange)
        let isAcknowledged = exchange.response.status == 200
        settle(
            place, of: session, acknowledged: isAcknowledged && kind == .add ? number : nil,
            isLate: failures > before)
        guard isAcknowledged, let following = event.following else { return }
        observe(session.id, .following(following), .none)
    }

    /// Releases a place, or keeps it while a server may handle the request later.
    ///
    /// After sixteen other keys, the late request would count again.
    private mutating func settle(
        _ place: Int, of session: LoadSession, acknowledged number: Int? = nil, isLate: Bool
    ) {
        guard isLate, progress.isHeldUp else { return session.settle(place, acknowledged: number) }
        late.append((session, place))
    }

    private mutating func settleLate() {
        guard !progress.isHeldUp else { return }
        for (session, place) in late { session.settle(place) }
        late = []
    }

    /// Repeats an acknowledged event, which another client may have sent.
    private mutating func repeatEvent(on session: LoadSession) {
        guard let (place, number) = session.repetition() else { return look(at: session) }
        let before = failures
        defer { settle(place, of: session, isLate: failures > before) }
        let event = LedgerEvent(.add, number)
        let headers = [("Idempotency-Key", key(number))]
        guard let exchange = settle("POST", "\(session.path)/events", headers, event.body) else { return }
        note(session.id, .repetition(number), exchange)
    }

    /// Reads the state.
    mutating func look(at session: LoadSession) {
        let revision = Bool.random(using: &random) ? known[session.id] : nil
        let headers = revision.map { [("If-None-Match", "\"\($0)\"")] } ?? []
        guard let exchange = settle("GET", session.path, headers, nil) else { return }
        guard exchange.response.status == 304, let revision else { return note(session.id, .look, exchange) }
        observe(session.id, .look, .unchanged(revision: revision), from: exchange.begin)
    }

    /// Opens a session, uses it, ends it, and reads it again.
    private mutating func visit() {
        guard let session = open() else { return }
        for _ in 0..<3 { send(.add, on: session) }
        end(session)
    }

    /// Ends the session that may be ended while others use it, and opens another.
    mutating func renew(_ sessions: SharedSessions) {
        let session = sessions.mortal
        end(session)
        if let another = open() { sessions.replace(session, by: another) }
    }

    private mutating func end(_ session: LoadSession) {
        if let exchange = settle("DELETE", session.path, [], nil) { note(session.id, .end, exchange) }
        look(at: session)
    }

    private mutating func nextNumber() -> Int {
        count += 1
        return LedgerEvent.number(round: round, client: name, count: count)
    }

    /// Returns the key of an event, which contains its number and thereby its client.
    private func key(_ number: Int) -> String { "event-\(number)" }

    // MARK: Responses

    /// Returns the newest revision of a session that the client knows.
    func newest(of session: LoadSession) -> Int { known[session.id] ?? 0 }

    /// A request with its final response.
    private struct Exchange {
        let response: RawResponse
        let begin: Int64
    }

    /// Sends a request until a response shows what has happened.
    private mutating func settle(
        _ method: String, _ path: String, _ headers: [(String, String)], _ body: String?,
        at server: ClusterServer? = nil, mayAbandon: Bool = false
    ) -> Exchange? {
        let start = Self.now
        while Self.now < start + Self.patience {
            let begin = Self.now
            let client = server?.client() ?? connection()
            let response = progress.request(to: client.port) {
                try? client.request(method, path, headers: headers, body: body)
            }
            if let response, response.status < 502 { return Exchange(response: response, begin: begin) }
            failures += 1
            if mayAbandon { return nil }
            // Pause like a real client, because busy clients would take the servers' processors.
            usleep(10_000)
        }
        surprises.append("\(method) \(path) was not answered in time")
        return nil
    }

    /// Returns a connection to HAProxy or a server.
    private mutating func connection() -> LocalhostClient {
        let choice = Int.random(in: -cluster.servers.count..<cluster.servers.count, using: &random)
        if let connection = connections[choice] { return connection }
        let timeout = Self.timeout
        let made = choice < 0 ? cluster.client(timeout: timeout) : cluster.servers[choice].client(timeout: timeout)
        connections[choice] = made
        return made
    }

    private mutating func note(_ session: String, _ request: Observation.Request, _ exchange: Exchange) {
        let response = exchange.response
        guard let answer = Self.answer(to: request, response) else {
            surprises.append("\(request) on \(session): \(response.status) \(response.text)")
            return
        }
        if let shown = answer.shown { known[session] = max(known[session] ?? 0, shown.revision) }
        observe(session, request, answer, from: exchange.begin, body: response.body)
    }

    private mutating func observe(
        _ session: String, _ request: Observation.Request, _ answer: Observation.Answer, from begin: Int64 = now,
        body: [UInt8] = []
    ) {
        observations.append(
            Observation(
                session: session, request: request, begin: begin, end: Self.now, answer: answer, body: body))
    }

    static func answer(to request: Observation.Request, _ response: RawResponse) -> Observation.Answer? {
        switch response.status {
        case 200, 201:
            guard let state = LedgerState(response.body) else { return nil }
            let isKept = response["Idempotent-Replayed"] != nil
            return isKept
                ? .kept(revision: state.revision, numbers: state.numbers)
                : .state(revision: state.revision, numbers: state.numbers)
        case 204, 410: return .gone
        case 404: return .unknown
        case 409, 412, 422:
            guard let state = LedgerState(response.body, under: "current") else { return nil }
            return .refused(revision: state.revision, numbers: state.numbers)
        default: return nil
        }
    }

    static func id(of response: RawResponse) -> String? {
        response["Location"]?.split(separator: "/").last.map(String.init)
    }

    static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

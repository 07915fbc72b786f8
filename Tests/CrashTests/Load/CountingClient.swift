import Glibc
import LocalhostClient
import Synchronization
import UsherJSON

/// A client that counts in its own session, one event after the other.
///
/// It repeats each event with its key until there is a response.
struct CountingClient {
    /// The time from the first attempt of a request to its response.
    struct Wait {
        let begin: ContinuousClock.Instant
        let duration: Duration
    }

    /// The results of one client.
    struct Tally {
        /// The number of events with the response 200.
        var acknowledged = 0
        /// The number that the session shows at the end.
        var count = 0
        var waits: [Wait] = []
        /// The number of refused connections.
        var refusals = 0
        /// The first response that was no acknowledgement.
        var surprise: String?
    }

    private let path: String
    private let name: Int
    private var connection: InsistentClient
    private var tally = Tally()

    private init(_ name: Int, _ port: Int) throws {
        self.name = name
        connection = InsistentClient(port)
        let opened = try connection.request(
            "POST", "/sessions", headers: [("Idempotency-Key", "open-\(name)")], body: #"{"app":"crash"}"#)
        path = opened["Location"] ?? ""
    }

    /// Lets one client count for each name, until a closure ends.
    ///
    /// - Returns: The clients' results.
    static func run(
        _ names: Range<Int>, port: Int, while body: () async throws -> Void
    ) async throws -> [Tally] {
        let isOver = Flag()
        return try await withThrowingTaskGroup(of: Tally.self) { group in
            for name in names {
                group.addTask {
                    var client = try CountingClient(name, port)
                    return try client.count(until: isOver)
                }
            }
            do {
                defer { isOver.raise() }
                try await body()
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private mutating func count(until isOver: Flag) throws -> Tally {
        var number = 0
        while !isOver.isRaised {
            number += 1
            let begin = ContinuousClock.now
            let answer = try connection.request(
                "POST", "\(path)/events", headers: [("Idempotency-Key", "\(name)-\(number)")],
                body: #"{"event":"count"}"#)
            tally.waits.append(Wait(begin: begin, duration: .now - begin))
            if answer.status == 200 { tally.acknowledged += 1 } else { note(answer) }
        }
        let answer = try connection.request("GET", path)
        let stack = try JSONDocument(parsing: answer.body).root[member: "stack"]
        tally.count = stack.flatMap { Array($0.elements).first }?[member: "state"]?[member: "count"]?.integer ?? -1
        tally.refusals = connection.refusals
        return tally
    }

    private mutating func note(_ answer: RawResponse) {
        if tally.surprise == nil { tally.surprise = "\(answer.status) \(answer.text)" }
    }
}

/// A client that repeats a request until there is a response.
struct InsistentClient {
    /// The number of refused connections.
    private(set) var refusals = 0
    /// The start of each attempt that was cut off.
    private(set) var cuts: [ContinuousClock.Instant] = []
    private let port: Int
    private var client: LocalhostClient

    init(_ port: Int) {
        self.port = port
        client = LocalhostClient(port: port)
    }

    mutating func request(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: String? = nil
    ) throws -> RawResponse {
        while true {
            let begin = ContinuousClock.now
            do throws(ClientError) {
                return try client.request(method, path, headers: headers, body: body)
            } catch {
                switch error {
                case .cannotConnect: refusals += 1
                case .malformed: throw error
                case .cannotSend, .timedOut, .closed: cuts.append(begin)
                }
            }
            // Pause like a real client, because eight busy clients would take the server's processors.
            usleep(1_000)
        }
    }
}

/// A flag that is set once, and can be read by all threads.
final class Flag: Sendable {
    private let value = Atomic(false)

    var isRaised: Bool { value.load(ordering: .acquiring) }

    func raise() {
        value.store(true, ordering: .releasing)
    }
}

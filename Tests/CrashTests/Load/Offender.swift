import LocalhostClient
import Testing
import UsherJSON

/// A kind of input that runs a bad handler.
enum Way: String, CaseIterable, Sendable {
    case event, timer, result, creation, replay
}

/// A client that sends inputs for a bad handler again and again.
struct Offender {
    private let way: Way
    private let deed: String
    private var client: InsistentClient
    /// The sessions whose replay runs the bad handler.
    private var traps: [String] = []

    init(_ way: Way, _ deed: String, port: Int) {
        self.way = way
        self.deed = deed
        client = InsistentClient(port)
    }

    /// The start of each request that the end of the process cut off; the handler cannot have run earlier.
    var cuts: [ContinuousClock.Instant] { client.cuts }

    /// Creates the sessions whose replay runs the bad handler once the server is armed.
    ///
    /// Other kinds of input need no such sessions.
    mutating func prepare(_ count: Int) throws {
        guard way == .replay else { return }
        for _ in 0..<count {
            let path = try open()
            for event in [#"{"replay":{"deed":"\#(deed)"}}"#, #""count""#] {
                let answer = try send(event, to: path, key: nil)
                try #require(answer.status == 200)
            }
            traps.append(path)
        }
    }

    /// Sends an input for the bad handler until it is rejected.
    ///
    /// - Parameters:
    ///   - number: The number of the input; each number has its own session and payload.
    ///   - repeats: How often the same input is sent again afterwards.
    mutating func offend(_ number: Int, repeats: Int) throws {
        switch way {
        case .event: try offendByEvent(number, repeats)
        case .timer, .result: try offendLater(number)
        case .creation: try offendByCreation(number, repeats)
        case .replay: try offendByReplay(number, repeats)
        }
    }

    private mutating func offendByEvent(_ number: Int, _ repeats: Int) throws {
        let path = try open()
        for _ in 0...repeats {
            let answer = try send(#"{"event":{"deed":"\#(deed)","note":"\#(number)"}}"#, to: path, key: nil)
            try Self.expect(answer, 422, "input-crashes")
        }
    }

    /// Sends an event whose timer or result runs the bad handler.
    ///
    /// No client needs to repeat it, because it is durable: the event is acknowledged, and the timer or result is
    /// rejected later.
    private mutating func offendLater(_ number: Int) throws {
        let path = try open()
        let event = #"{"\#(way)":{"deed":"\#(deed)","note":"\#(number)"}}"#
        let acknowledged = try send(event, to: path, key: "\(number)")
        try #require(acknowledged.status == 200)
        while true {
            let answer = try client.request("GET", path)
            // The session is on hold until the input has been tried.
            if answer.status == 503 { continue }
            try #require(answer.status == 200)
            let state = try JSONDocument(parsing: answer.body).root
            guard state[member: "pending"].map({ Array($0.elements).isEmpty }) ?? false else { continue }
            #expect(state[member: "warnings"].map { Array($0.elements).count } == 1)
            return
        }
    }

    private mutating func offendByCreation(_ number: Int, _ repeats: Int) throws {
        for _ in 0...repeats {
            let body = #"{"app":"crash","options":{"deed":"\#(deed)","note":"\#(number)"}}"#
            try Self.expect(try settled("POST", "/sessions", body), 422, "input-crashes")
        }
    }

    private mutating func offendByReplay(_ number: Int, _ repeats: Int) throws {
        for _ in 0...repeats {
            try Self.expect(try settled("GET", traps[number], nil), 503, "session-held")
        }
    }

    private mutating func open() throws -> String {
        let answer = try settled("POST", "/sessions", #"{"app":"crash"}"#)
        return try #require(answer["Location"], "\(answer.status) \(answer.text)")
    }

    private mutating func send(_ event: String, to path: String, key: String?) throws -> RawResponse {
        try settled("POST", "\(path)/events", #"{"event":\#(event)}"#, key: key)
    }

    /// Returns the first response that does not ask for a retry, as the server does while it tries an input.
    private mutating func settled(
        _ method: String, _ path: String, _ body: String?, key: String? = nil
    ) throws -> RawResponse {
        while true {
            let answer = try client.request(
                method, path, headers: key.map { [("Idempotency-Key", $0)] } ?? [], body: body)
            guard answer.status == 503, let time = answer["Retry-After"].flatMap({ Int($0) }), time < 60 else {
                return answer
            }
        }
    }

    private static func expect(_ answer: RawResponse, _ status: Int, _ problem: String) throws {
        let type = try JSONDocument(parsing: answer.body).root[member: "type"]?.string
        #expect(answer.status == status && type?.hasSuffix(problem) == true, "\(answer.status) \(answer.text)")
    }
}

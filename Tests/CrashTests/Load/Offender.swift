import LocalhostClient
import Testing
import UsherJSON

/// A way by which a bad handler comes to run.
enum Way: String, CaseIterable, Sendable {
    case event, timer, result, creation, replay
}

/// A client that has a bad handler run, and sends what does so again and again.
struct Offender {
    private let way: Way
    private let deed: String
    private var client: InsistentClient
    /// The sessions whose replay does the deed.
    private var traps: [String] = []

    init(_ way: Way, _ deed: String, port: Int) {
        self.way = way
        self.deed = deed
        client = InsistentClient(port)
    }

    /// When each request began that the end of the process cut off: no sooner did the handler run.
    var cuts: [ContinuousClock.Instant] { client.cuts }

    /// Makes the sessions that are trapped once the server is armed; there are none for other ways.
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

    /// Does it, with a payload and in a session of its own, until it is refused.
    ///
    /// - Parameters:
    ///   - number: Which one it is; each has a session and a payload of its own.
    ///   - repeats: How often the same is sent again after that.
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

    /// What is durable needs no client: the event is acknowledged, and its timer or result refused some time.
    private mutating func offendLater(_ number: Int) throws {
        let path = try open()
        let event = #"{"\#(way)":{"deed":"\#(deed)","note":"\#(number)"}}"#
        let acknowledged = try send(event, to: path, key: "\(number)")
        try #require(acknowledged.status == 200)
        while true {
            let answer = try client.request("GET", path)
            // Held until it is tried, for as long as that takes.
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

    /// An answer that is no request to come back soon, as there is while something is tried.
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

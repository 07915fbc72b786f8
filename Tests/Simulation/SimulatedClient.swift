import Usher
import UsherHTTP
import UsherSessions

/// A session of a simulation, which several clients share.
final class SharedSession: @unchecked Sendable {  // because all runs on the scheduler's one thread
    let name: Int
    let history = History()
    var id: String?
    /// The number of the last event; no other session uses the same numbers.
    var number: Int
    /// Whether a build may resume the session at an earlier revision, or hold it.
    let mayResume: Bool
    /// Whether a client has tried to end the session.
    var mayHaveEnded = false
    var hasEnded = false

    init(_ name: Int, mayResume: Bool) {
        self.name = name
        self.mayResume = mayResume
        number = name * 10_000
    }
}

/// A client of a simulation.
///
/// It sends random requests, repeats requests that get no response, and passes everything that it sees to the history.
final class SimulatedClient: @unchecked Sendable {  // because all runs on the scheduler's one thread
    private let name: Int
    private let server: SimulatedServer
    private let scheduler: Scheduler
    private let clock: SimulatedClock
    private let session: SharedSession
    private var keys = 0

    /// The names of normal events; events that end the process are rarer.
    private static let kinds = ["add", "ask", "wait", "open", "refuse", "keep"]
    private static let traps = ["trap", "askAndTrap", "waitAndTrap"]

    /// The number of attempts after which a request counts as never answered.
    ///
    /// The attempts take minutes, which is longer than any outage of the server.
    private static let patience = 2_000

    /// - Parameter clock: The client's own clock, which outlives the server.
    init(
        _ name: Int, _ session: SharedSession, _ server: SimulatedServer, _ scheduler: Scheduler,
        _ clock: SimulatedClock
    ) {
        self.name = name
        self.session = session
        self.server = server
        self.scheduler = scheduler
        self.clock = clock
    }

    /// Uses the session for some steps.
    ///
    /// - Parameter trapsOneIn: One in so many events ends the process; nil if none does.
    func run(steps: Int, trapsOneIn: Int?) async throws {
        try await open()
        for _ in 0..<steps where !session.hasEnded {
            try await step(trapsOneIn)
            try await clock.rest(upTo: scheduler.oneIn(8) ? 30_000 : 300)
        }
    }

    /// Waits until the session's work has ended, and compares the session with the history.
    ///
    /// - Parameter builds: The builds, at least one of which can follow the session.
    func settle(among builds: [SimulatedChange]) async throws {
        guard let id = session.id else { return }
        var others = builds.filter { $0 != server.change }
        for _ in 0..<400 {
            let floor = session.history.newest
            guard let answer = try await ask(.get, "/sessions/\(id)") else { continue }
            if answer.status == 410 { return try noteEnd() }
            if answer.problem == "session-held" || answer.resumed != nil && answer.isUnwritten {
                if answer.status == 200 { try await see(answer, since: floor) }
                guard session.mayResume, let next = others.popLast() else {
                    throw Contradiction("no build follows the session \(session.name): \(Self.summary(of: answer))")
                }
                server.kill()
                server.change = next
                server.start()
                continue
            }
            guard answer.status == 200 else {
                try await clock.rest(upTo: 500)
                continue
            }
            try await see(answer, since: floor)
            if answer.isPending {
                try await clock.rest(upTo: 2_000)
            } else if let numbers = answer.numbers {
                _ = try await learnResumptions()
                return try session.history.expectAll(in: numbers)
            }
        }
        throw Contradiction("the session \(session.name) never came to rest")
    }

    // MARK: Steps

    private func open() async throws {
        for _ in 0..<Self.patience where session.id == nil {
            let key = "open-\(session.name)"
            guard let answer = try await ask(.post, "/sessions", body: #"{"app":"log"}"#, key: key) else { continue }
            guard answer.status == 201, let id = answer.session else {
                try expect([503, 504], answer, "opening")
                try await clock.rest(upTo: 300)
                continue
            }
            guard session.id == nil || session.id == id else { throw Contradiction("one key has opened two sessions") }
            session.id = id
            try await see(answer, since: 0, isReplay: true)
        }
        if session.id == nil { throw Contradiction("the session \(session.name) is never opened") }
    }

    private func step(_ trapsOneIn: Int?) async throws {
        guard let id = session.id else { return }
        switch Int.random(in: 0..<12, using: &scheduler.random) {
        case 0...5:
            let kinds = trapsOneIn.map { scheduler.oneIn($0) } ?? false ? Self.traps : Self.kinds
            // After a session has started over, the model cannot tell what a resumption has dropped.
            if !session.mayResume, scheduler.oneIn(10) {
                session.history.mayStartOver()
                return try await send("startOver", id)
            }
            try await send(kinds.randomElement(using: &scheduler.random) ?? "add", id)
        case 6: try await gesture(id)
        case 7: try await poll(id)
        case 8 where scheduler.oneIn(40): try await end(id)
        default: try await look(id)
        }
    }

    private func send(_ kind: String, _ id: String) async throws {
        session.number += 1
        let number = session.number
        let screen = scheduler.oneIn(2) ? nil : session.history.top
        let speaker = screen.map { #""screen":\#($0),"# } ?? ""
        let body = #"{\#(speaker)"event":{"\#(kind)":{"number":\#(number)}}}"#
        let key = scheduler.oneIn(3) ? nil : nextKey
        let floor = session.history.newest
        if ["refuse", "trap"].contains(kind) { session.history.refuse(number) }
        if kind == "askAndTrap" { session.history.refuse(number + Offset.result) }
        if kind == "waitAndTrap" { session.history.refuse(number + Offset.timer) }
        var isRepeated = false
        for _ in 0..<Self.patience {
            let answer = try await ask(.post, "/sessions/\(id)/events", body: body, key: key)
            // Without a key, it is unknown whether the event was accepted.
            guard let answer else { if key == nil { return } else { isRepeated = true; continue } }
            if answer.status == 503 || answer.status == 504 {
                // Only after a 504 may the event have happened.
                if answer.status == 504 { isRepeated = true }
                if key == nil, !isRepeated { session.history.refuse(number) }
                // The next build may be able to follow the session.
                try await clock.rest(upTo: answer.problem == "session-held" ? 5_000 : 300)
                if key == nil { return } else { continue }
            }
            try await note(answer, of: number, kind, floor: floor, key: key, isRepeated: isRepeated)
            guard let key, answer.status == 200, !isRepeated, scheduler.oneIn(5) else { return }
            // A repetition must have no effect, and return the first response.
            if let again = try await ask(.post, "/sessions/\(id)/events", body: body, key: key), again.status == 200 {
                try session.history.see(again, under: key)
            }
            return
        }
        throw Contradiction("\(kind) of \(number) is never answered")
    }

    private func note(
        _ answer: SeenAnswer, of number: Int, _ kind: String, floor: Int, key: String?, isRepeated: Bool
    ) async throws {
        let history = session.history
        switch answer.status {
        case 200:
            try await see(answer, since: floor, isReplay: isRepeated)
            if kind != "keep" { try history.acknowledge(number, kind, answer, isRepeated: isRepeated) }
            // A response that waited for effects is stored only when it is sent. After a crash, a repetition returns
            // the current state.
            if let key, !isRepeated { try history.see(answer, under: key) }
        case 409, 422:
            // If the input was sent twice, the server may have accepted the first copy before the screen left.
            if !isRepeated { history.refuse(number) }
            guard answer.problem != "input-crashes" || kind == "trap" else {
                throw Contradiction("\(kind) of \(number) is refused for a crash that it has not caused")
            }
        case 410: try noteEnd()
        default: try expect([200, 409, 410, 422], answer, kind)
        }
    }

    private func gesture(_ id: String) async throws {
        try await use(.post, "/sessions/\(id)/events", body: #"{"back":true}"#, [200, 410, 422, 503, 504])
    }

    private func look(_ id: String) async throws {
        try await use(.get, "/sessions/\(id)", [200, 410, 503, 504])
    }

    private func poll(_ id: String) async throws {
        let headers: HeaderFields = ["If-None-Match": "\"\(session.history.newest)\"", "Prefer": "wait=5"]
        try await use(.get, "/sessions/\(id)", headers: headers, [200, 304, 410, 503, 504])
    }

    private func end(_ id: String) async throws {
        session.mayHaveEnded = true
        if scheduler.oneIn(2) {
            try await use(
                .post, "/sessions/\(id)/events", body: #"{"event":"finish"}"#, [200, 409, 410, 422, 503, 504])
        } else {
            try await use(.delete, "/sessions/\(id)", [204, 410, 503, 504])
        }
    }

    private func use(
        _ method: Method, _ path: String, headers: HeaderFields = HeaderFields(), body: String? = nil,
        _ statuses: [Int]
    ) async throws {
        let floor = session.history.newest
        guard let answer = try await ask(method, path, headers: headers, body: body) else { return }
        try expect(statuses, answer, method.rawValue)
        if answer.status == 200 { try await see(answer, since: floor) }
        if answer.status == 204 || answer.status == 410 { try noteEnd() }
    }

    /// Passes a state to the history.
    private func see(_ answer: SeenAnswer, since floor: Int, isReplay: Bool = false) async throws {
        // If the clock was set ahead, a new build counts that time as an absence of the previous build.
        let ahead = Duration.milliseconds(scheduler.farthestSkew)
        if ahead >= SessionBounds().confirmationTime { session.history.mayBeConfirmed = true }
        do {
            try session.history.see(answer, since: floor, isReplay: isReplay)
        } catch {
            // A build may have resumed the session, which the history does not know yet.
            guard try await learnResumptions() else { throw error }
            try session.history.see(answer, since: floor, isReplay: isReplay)
        }
    }

    /// Reads the resumptions from the session's journal, as the operator.
    ///
    /// - Returns: `false` if there are no new ones.
    private func learnResumptions() async throws -> Bool {
        guard session.mayResume, let id = session.id else { return false }
        for _ in 0..<Self.patience {
            let response = await server.ask("/admin/sessions/\(id)/journal", query: "limit=1000")
            guard let answer = try response.map(SeenAnswer.init), answer.status == 200 else {
                try await clock.rest(upTo: 200)
                continue
            }
            var isNews = false
            for resumption in answer.resumptions { isNews = try session.history.note(resumption) || isNews }
            return isNews
        }
        throw Contradiction("the journal of the session \(session.name) is never shown")
    }

    private func noteEnd() throws {
        session.hasEnded = true
        guard session.mayHaveEnded || server.startsAhead else {
            throw Contradiction("the session \(session.name) has ended, and nobody has ended it")
        }
    }

    // MARK: Requests

    private func ask(
        _ method: Method, _ path: String, headers: HeaderFields = HeaderFields(), body: String? = nil,
        key: String? = nil
    ) async throws -> SeenAnswer? {
        var headers = headers
        if let key { headers.set(name: "Idempotency-Key", value: key) }
        let label = "client \(name) session \(session.name) \(method.rawValue) \(body ?? "") \(key ?? "")"
        scheduler.tell("\(label) …")
        if let failure = server.failure { throw failure }
        let response = await server.send(method, path, headers: headers, body: body)
        scheduler.tell("\(label): \(Self.summary(of: response))")
        guard let response else {
            try await clock.rest(upTo: 200)
            return nil
        }
        scheduler.note(response.status.code)
        for byte in response.body { scheduler.note(byte) }
        return try SeenAnswer(response)
    }

    private static func summary(of answer: SeenAnswer) -> String {
        "\(answer.status) \(String(decoding: answer.body.prefix(600), as: UTF8.self))"
    }

    private static func summary(of response: Response?) -> String {
        guard let response else { return "cut" }
        return "\(response.status.code) \(String(decoding: response.body.prefix(600), as: UTF8.self))"
    }

    private var nextKey: String {
        keys += 1
        return "\(name)-\(keys)"
    }

    private func expect(_ statuses: [Int], _ answer: SeenAnswer, _ what: String) throws {
        guard !statuses.contains(answer.status) else { return }
        throw Contradiction(
            "\(what) was answered with \(answer.status): \(String(decoding: answer.body, as: UTF8.self))")
    }
}

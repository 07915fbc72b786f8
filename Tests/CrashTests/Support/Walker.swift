import LocalhostClient
import Testing
import UsherJSON

/// A client with one session, which records what was acknowledged.
final class Walker {
    private let model: Model
    private let name: Int
    private let app: WalkedApp
    private var id = ""
    private var state: JSONValue?
    private var dice: Dice
    private var keys = 0
    /// The request that was sent without a response.
    private var unanswered: (action: String, key: String)?
    /// Whether effects whose results the model has may still run, because the read that waits for them was cut off.
    private var isAhead = false
    /// The number of responses so far.
    private(set) var acknowledged = 0
    /// The number of events that were applied without a response.
    private(set) var extras = 0
    /// The number of refused connections.
    private(set) var refusals = 0

    init(_ name: Int, through app: WalkedApp = .tudy) async throws {
        self.name = name
        self.app = app
        dice = Dice(state: UInt64(name) &* 7_919 &+ 1)
        model = try await Model(of: app)
    }

    /// Opens its session, again and again under one key until that is answered.
    func open(_ port: Int) throws -> Bool {
        guard id.isEmpty else { return true }
        let body = #"{"app":"\#(app.rawValue)"}"#
        guard let answer = answered(port, "POST", "/sessions", body, key: "open-\(name)") else { return false }
        try #require(answer.status == 201, "\(answer.status)")
        try note(answer)
        id = state?[member: "session"]?.string ?? ""
        return true
    }

    /// Sends a random request.
    ///
    /// - Returns: `false` if there was no response, because the server is gone.
    func step(_ port: Int) async throws -> Bool {
        guard try await hasCaughtUp(port) else { return false }
        keys += 1
        let action = nextAction
        unanswered = (action, "\(name)-\(keys)")
        return try await send(port)
    }

    /// Sends a random request, for which the server may have no room.
    ///
    /// - Returns: Whether it had room.
    func hasRoom(_ port: Int) async throws -> Bool {
        keys += 1
        let action = nextAction
        let answer = try request(port, "POST", "/sessions/\(id)/events", action, key: "\(name)-\(keys)")
        guard answer.status != 503 else { return false }
        try await acknowledge(answer, to: action, port)
        return true
    }

    /// Repeats the request without a response, with the same key.
    ///
    /// - Returns: `false` if there was no response.
    func retry(_ port: Int) async throws -> Bool {
        guard unanswered != nil else { return true }
        return try await send(port)
    }

    /// Checks that the session has the model's state, or the state after the request without a response.
    func expectAcknowledged(_ port: Int) async throws {
        let answer = try settled(port)
        let found = try Outline(answer.body).text
        if found != (try await model.outline), let unanswered {
            try await model.handle(unanswered.action)
            extras += 1
        }
        #expect(found == (try await model.outline), "client \(name)")
        unanswered = nil
        try note(answer)
    }

    /// The number of times that the root of `LapsApp` has started over, as far as the client knows.
    var beginnings: Int {
        let screens = state?[member: "stack"]?.elements.map(\.self)
        return screens?.first?[member: "state"]?[member: "beginnings"]?.integer ?? 0
    }

    /// What the session must show after all that was acknowledged.
    var expected: String {
        get async throws { try await model.outline }
    }

    /// Returns the session's state on a server; nil if the server does not know the session.
    func shown(_ port: Int) throws -> String? {
        guard try LocalhostClient(port: port).request("GET", "/sessions/\(id)").status != 404 else { return nil }
        return try Outline(try settled(port).body).text
    }

    /// Returns the session's state when no work is pending, because work that a kill cut off runs again.
    private func settled(_ port: Int) throws -> RawResponse {
        let client = LocalhostClient(port: port)
        var answer = try client.request("GET", "/sessions/\(id)")
        while try isPending(answer) {
            let headers = [("If-None-Match", answer["ETag"] ?? ""), ("Prefer", "wait=5")]
            let next = try client.request("GET", "/sessions/\(id)", headers: headers)
            if next.status != 304 { answer = next }
        }
        return answer
    }

    private func isPending(_ answer: RawResponse) throws -> Bool {
        try #require(answer.status == 200, "\(answer.status)")
        let pending = try JSONDocument(parsing: answer.body).root[member: "pending"]
        return pending.map { !Array($0.elements).isEmpty } ?? false
    }

    private func send(_ port: Int) async throws -> Bool {
        guard let (action, key) = unanswered,
            let answer = answered(port, "POST", "/sessions/\(id)/events", action, key: key)
        else { return false }
        unanswered = nil
        try await acknowledge(answer, to: action, port)
        return true
    }

    private func acknowledge(_ answer: RawResponse, to action: String, _ port: Int) async throws {
        acknowledged += 1
        let counted = try await model.handle(action)
        try #require([200, 409, 422].contains(answer.status), "\(answer.status)")
        #expect(
            (answer.status == 200) == counted,
            "client \(name): \(action) was answered with \(answer.status) \(answer.text)")
        guard answer.status == 200 else { return }
        // A repetition whose first attempt was cut off returns the session's current state.
        isAhead = true
        try await catchUp(try isPending(answer) ? settled(port) : answer, action)
    }

    /// Waits for the effects for which a cut-off read did not wait.
    ///
    /// - Returns: `false` if there was no response.
    private func hasCaughtUp(_ port: Int) async throws -> Bool {
        guard isAhead else { return true }
        do {
            try await catchUp(try settled(port), "a look that was cut off")
            return true
        } catch let error as ClientError {
            note(error)
            return false
        }
    }

    private func catchUp(_ answer: RawResponse, _ action: String) async throws {
        isAhead = false
        try note(answer)
        #expect(try Outline(answer.body).text == (await model.outline), "client \(name) after \(action)")
    }

    /// Returns the response, if there is one.
    private func answered(
        _ port: Int, _ method: String, _ path: String, _ body: String?, key: String
    ) -> RawResponse? {
        do {
            return try request(port, method, path, body, key: key)
        } catch {
            note(error)
            return nil
        }
    }

    /// Counts an error if it is a refused connection.
    func note(_ error: any Error) {
        if case ClientError.cannotConnect = error { refusals += 1 }
    }

    private func request(
        _ port: Int, _ method: String, _ path: String, _ body: String?, key: String?
    ) throws -> RawResponse {
        try LocalhostClient(port: port).request(
            method, path, headers: key.map { [("Idempotency-Key", $0)] } ?? [], body: body)
    }

    private func note(_ answer: RawResponse) throws {
        state = try JSONDocument(parsing: answer.body).root
    }

    /// An event of the visible screen, back, or another tab.
    ///
    /// The events have only names, because the model has other ids.
    private var nextAction: String {
        let visible = state?[member: "stack"].flatMap { Array($0.elements).last }
        let events = visible?[member: "events"]?.members.map { name, payload in
            "{\"event\":{\"\(name)\":\(String(decoding: payload.bytes, as: UTF8.self).replacing("…", with: "usher"))}}"
        }
        let tabs = state?[member: "tabs"]?[member: "names"]?.elements.compactMap(\.string) ?? []
        let others = [#"{"back":true}"#] + tabs.map { #"{"select":"\#($0)"}"# }
        return ((events ?? []) + others).randomElement(using: &dice) ?? #"{"back":true}"#
    }
}

struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
    }
}

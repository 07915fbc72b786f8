import Foundation
import Synchronization
import Testing

@testable import UsherClient

/// The conformance kit.
///
/// The client must send the requests that the kit's files contain, and pass the files' updates to its view.
struct ConformanceTests {
    private static let folder = URL(filePath: #filePath).appending(path: "../../../../Conformance").standardized
    private static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".json") }.sorted()

    @Test("the conformance kit has at least ten files")
    func files() {
        #expect(Self.names.count >= 10)
    }

    @Test("the client gets the recorded results", arguments: names)
    func passes(name: String) async throws {
        let file = try JSONDecoder().decode(JSON.self, from: Data(contentsOf: Self.folder.appending(path: name)))
        let performer = ConformancePerformer(hasStream: file["stream"] != false)
        for (number, step) in (file["steps"]?.elements ?? []).enumerated() {
            let done = try await performer.perform(step)
            #expect(done.request == step["request"], "the request of step \(number)")
            #expect(.array(done.operations) == step["operations"], "the operations of step \(number)")
            #expect(performer.screens == performer.stack, "the view after step \(number)")
            if let newest = Self.newest(of: step) {
                #expect(performer.session?.state == newest, "after step \(number)")
            }
        }
        performer.close()
    }

    /// Returns the state with which a step ends, or `nil` if the step contains no state.
    private static func newest(of step: JSON) -> SessionState? {
        let told = step["stream"]?.elements?.last { $0["event"] == "state" }?["data"]
        let answer = step["answer"]?["body"]
        let state = told ?? answer?["current"] ?? answer
        guard let state, state["stack"] != nil else { return nil }
        return try? JSONDecoder().decode(SessionState.self, from: JSONEncoder().encode(state))
    }
}

/// Performs the steps of a dialogue on a server that gives the responses in the file.
private final class ConformancePerformer: Sendable {
    private struct Script {
        /// The outcomes of the earlier attempts of the request that is answered now.
        var before: [JSON] = []
        var answer: JSON = .null
        var keys: Set<String> = []
        var spentKeys: Set<String> = []
        var requests: [JSON] = []
        /// The state that a stream begins with.
        var opened: JSON = .null
        var live = ScriptedStream()
        var session: Session?
        var view = ScreenList()
    }

    private let script = Mutex(Script())
    /// The long polls, or `nil` if the client uses a stream.
    private let polls: ScriptedPolls?

    init(hasStream: Bool) {
        polls = hasStream ? nil : ScriptedPolls()
    }

    var session: Session? { script.withLock { $0.session } }
    var screens: [Screen]? { session.map { _ in script.withLock { $0.view }.screens } }
    /// The session's stack; empty if the session has ended and the view shows nothing, nil without a session.
    var stack: [Screen]? { screens?.isEmpty == true && session?.ending != nil ? [] : session?.state.stack }

    func close() { session?.close() }

    func perform(_ step: JSON) async throws -> (request: JSON?, operations: [JSON]) {
        if let polls, step["call"] == nil {
            try await poll(polls, before: step["before"]?.elements ?? [], answer: step["answer"] ?? .null)
            return take()
        }
        script.withLock { script in
            script.before = step["before"]?.elements ?? []
            script.answer = step["answer"] ?? .null
        }
        if let call = step["call"] {
            do {
                try await perform(call: call)
            } catch let problem as Problem {
                // A client may also answer by throwing an error.
                #expect(problem.status > 0)
            }
        } else {
            try await follow(step["stream"]?.elements ?? [])
        }
        return take()
    }

    /// Returns the request that a step has sent, and the operations that the view received, and forgets both.
    private func take() -> (request: JSON?, operations: [JSON]) {
        script.withLock { script in
            #expect(script.before.isEmpty, "each attempt was made")
            #expect(script.requests.count <= 1, "one request is answered")
            defer {
                script.requests = []
                script.spentKeys.formUnion(script.keys)
                script.keys = []
            }
            return (script.requests.first, script.view.takeOperations())
        }
    }

    private func perform(call: JSON) async throws {
        if let opening = call["open"] {
            let session = try await Session.open(
                opening["app"]?.text ?? "", on: server, options: opening["options"], link: opening["link"]?.elements,
                settings: settings(wait: opening["wait"]))
            await show(session)
        } else if let id = call["resume"]?.text {
            session?.close()
            do {
                await show(
                    try await Session.resume(
                        id, on: server, token: call["token"]?.text, settings: settings(wait: call["wait"])))
            } catch let problem as Problem {
                script.withLock { script in
                    script.session = nil
                    script.view = ScreenList()
                    script.view.hear(.gone(problem))
                }
            }
        } else if call["end"] != nil {
            try await session?.end()
        } else {
            _ = try await session?.enqueue(try #require(Self.input(of: call))).state
        }
    }

    private static func input(of call: JSON) -> Input? {
        if let send = call["send"], let event = send["event"]?.text {
            return .event(named: event, send["payload"], screen: send["screen"]?.int)
        }
        if let screen = call["popped"]?.int { return .popped(screen) }
        if let screen = call["dismissed"]?.int { return .dismissed(screen) }
        if let tab = call["select"]?.text { return .select(tab) }
        if let flows = call["follow"]?.elements { return .open(flows) }
        return call["back"] == true ? .back(screen: call["screen"]?.int) : nil
    }

    /// Sends the events of other clients' inputs by the stream, and waits until the client has the last event's state.
    private func follow(_ events: [JSON]) async throws {
        let session = try #require(session)
        let live = script.withLock { $0.live }
        for event in events { live.send(event) }
        // An event that arrives late must change nothing.
        if events.isEmpty { return }
        let revision = events.last?["data"]?["revision"]?.int
        await until(session, { $0.ending != nil || $0.state.revision == revision }, "other clients' changes arrive")
    }

    /// Answers a poll with the inputs of other clients, after polls that bring nothing new.
    private func poll(_ polls: ScriptedPolls, before: [JSON], answer: JSON) async throws {
        let session = try #require(session)
        for failure in before {
            await polls.next()?.answer(
                failure["lost"] == true ? .failure(Unreachable()) : .success(Self.response(failure)))
        }
        let poll = try #require(await polls.next())
        note(poll.request)
        let revision = answer["body"]?["revision"]?.int
        if revision != nil { polls.state = answer["body"] ?? .null }
        poll.answer(.success(Self.response(answer)))
        await until(session, { $0.ending != nil || $0.state.revision == revision }, "other clients' changes arrive")
    }

    private func show(_ session: Session) async {
        let view = ScreenList(following: session)
        script.withLock { script in
            script.session = session
            script.view = view
        }
        await until(session, { $0.connection == .live }, "the session is live")
    }

    private func settings(wait: JSON?) -> Session.Settings {
        var settings = Session.Settings.scripted(
            ScriptedTransport { [self] request, _ in try await answer(request) }, clock: HastyClock(divisor: 1_000))
        settings.wait = wait?.int
        return settings
    }

    private func answer(_ request: ScriptedTransport.Request) async throws -> TransportResponse {
        if polls != nil, request.isStream {
            return .text("<h1>Please wait</h1>", status: 200, headers: ["Content-Type": "text/html"])
        }
        if let polls, request.method == "GET" { return try await polls.take(request) }
        return try answerAtOnce(request)
    }

    private func answerAtOnce(_ request: ScriptedTransport.Request) throws -> TransportResponse {
        try script.withLock { script in
            if request.isStream {
                script.live = ScriptedStream(script.opened)
                return script.live.response
            }
            Self.check(keyOf: request, in: &script)
            if !script.before.isEmpty {
                let failure = script.before.removeFirst()
                if failure["lost"] == true || failure["held"] == true { throw Unreachable() }
                return Self.response(failure)
            }
            script.requests.append(Self.description(of: request))
            if let body = script.answer["body"], body["stack"] != nil { polls?.state = body }
            if !request.isEvent, let body = script.answer["body"] { script.opened = body }
            return Self.response(script.answer)
        }
    }

    private func note(_ request: ScriptedTransport.Request) {
        script.withLock { $0.requests.append(Self.description(of: request)) }
    }

    /// Returns a request as a file writes it.
    ///
    /// The header fields are included only if a preference, a condition or a token matters.
    private static func description(of request: ScriptedTransport.Request) -> JSON {
        var sent: [String: JSON] = ["method": .string(request.method), "path": .string(request.path)]
        let told = request.headers.filter { ["Authorization", "If-None-Match", "Prefer"].contains($0.key) }
        if !told.isEmpty { sent["headers"] = .object(told.mapValues(JSON.string)) }
        sent["body"] = request.body
        return .object(sent)
    }

    private static func response(_ answer: JSON) -> TransportResponse {
        var headers: [String: String] = [:]
        if case .object(let fields)? = answer["headers"] { headers = fields.compactMapValues(\.text) }
        return .json(answer["body"], status: answer["status"]?.int ?? 0, headers: headers)
    }

    /// Checks that all attempts at an opening or an input have the same key, and that no other request has this key.
    private static func check(keyOf request: ScriptedTransport.Request, in script: inout Script) {
        let key = request.headers["Idempotency-Key"]
        #expect((request.method == "POST") == (key != nil))
        guard let key else { return }
        script.keys.insert(key)
        #expect(script.keys.count == 1, "another attempt has another key")
        #expect(!script.spentKeys.contains(key), "another input has another key")
    }
}

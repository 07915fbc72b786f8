import Foundation
import Synchronization
import Testing

@testable import UsherClient

/// Tests of how a session handles the responses that a server or a proxy may send to inputs.
struct SessionTests {
    /// A session whose inputs get the answers of a script in order, and then the last answer forever.
    private struct Subject {
        let session: Session
        let transport: ScriptedTransport
        let clock = HastyClock()

        init(mostWaiting: Int = 32, _ answers: [@Sendable () throws -> TransportResponse]) async throws {
            let place = Mutex(0)
            let script = ScriptedTransport { request, _ in
                if request.isOpening { return .json(state(1), status: 201) }
                let now = place.withLock { place in
                    defer { place += 1 }
                    return min(place, answers.count - 1)
                }
                return try answers[now]()
            }
            transport = script
            var settings = Session.Settings.scripted(script, clock: clock, isWatching: false)
            settings.mostWaiting = mostWaiting
            session = try await Session.open("a", on: server, settings: settings)
        }
    }

    private static let offline: @Sendable () throws -> TransportResponse = { throw Unreachable() }

    struct Transient: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: @Sendable () throws -> TransportResponse

        init(_ name: String, _ answer: @escaping @Sendable () throws -> TransportResponse) {
            testDescription = name
            self.answer = answer
        }
    }

    private static let transients = [
        Transient("no answer", offline), Transient("503") { .refusal(503, "server-full") },
        Transient("429") { .refusal(429, "too-much-from-address") },
        Transient("a proxy's 502") { .text("<html>", status: 502) },
        Transient("a proxy's 500") { .text("oops", status: 500) },
        Transient("an answer that is cut") { .text("{\"session\":\"s1\",\"rev", status: 200) },
        Transient("an empty answer") { .text("", status: 200) },
        Transient("504 outcome-unknown") { .refusal(504, "outcome-unknown") },
    ]

    @Test("after each kind of temporary failure, an input is sent again with the same key", arguments: transients)
    func sentAgain(after transient: Transient) async throws {
        let subject = try await Subject([transient.answer, transient.answer, { .json(state(2)) }])
        #expect(try await subject.session.send("go", ["to": 1]).revision == 2)
        let events = subject.transport.events
        #expect(events.compactMap(\.body) == Array(repeating: ["screen": 1, "event": ["go": ["to": 1]]], count: 3))
        #expect(Set(events.map { $0.headers["Idempotency-Key"] }).count == 1)
    }

    @Test(
        "a refusal rejects an input and brings the current state",
        arguments: [
            (409, "stale-screen"), (422, "refused"), (412, "revision-mismatch"), (500, "handler-failed"),
            (400, "malformed-body"), (401, "token-needed"), (403, "wrong-token"),
        ])
    func refused(status: Int, name: String) async throws {
        let current = state(4, stack: [screen(1), screen(7)])
        let subject = try await Subject([{ .refusal(status, name, current: current, more: ["code": "no"]) }])
        let view = ScreenList(following: subject.session)
        let problem = await problem { try await subject.session.back() }
        #expect(problem?.status == status)
        #expect(problem?.type == "urn:usher:problem:\(name)")
        #expect(problem?.title == "Refused")
        #expect(problem?.detail == "\(name) it is")
        #expect(problem?.code == "no")
        #expect(problem?.current?.revision == 4)
        #expect(subject.transport.events.count == 1)
        #expect(subject.session.state.revision == 4)
        #expect(view.screens.map(\.id) == [1, 7])
    }

    @Test("an input to a held session, and the session's resumption, fail at once and are not tried again")
    func held() async throws {
        let subject = try await Subject([{ .refusal(503, "session-held") }, { .json(state(2)) }])
        #expect(await problem { try await subject.session.back() }?.isHeld == true)
        #expect(subject.transport.events.count == 1)
        #expect(subject.session.ending?.isHeld == true)
        #expect(subject.session.connection == .ended)
        let transport = ScriptedTransport { _, _ in .refusal(503, "session-held") }
        let settings = Session.Settings.scripted(transport)
        #expect(await problem { _ = try await Session.resume("1", on: server, settings: settings) }?.isHeld == true)
        #expect(transport.requests.count == 1)
    }

    @Test("an input is retried after the time in Retry-After")
    func retryAfter() async throws {
        let subject = try await Subject([
            { .refusal(503, "server-full", headers: ["Retry-After": "3"]) }, { .json(state(2)) },
        ])
        try await subject.session.back()
        #expect(subject.clock.pauses.contains { $0 > .milliseconds(2_900) && $0 < .milliseconds(3_500) })
    }

    @Test("the pauses between retries grow up to a limit, with jitter")
    func pauses() async throws {
        let subject = try await Subject(Array(repeating: Self.offline, count: 9) + [{ .json(state(2)) }])
        try await subject.session.back()
        let pauses = subject.clock.pauses
        #expect(pauses.count == 9)
        let first = try #require(pauses.first)
        let last = try #require(pauses.last)
        #expect(first <= .milliseconds(400) && first > .milliseconds(190))
        #expect(last <= .seconds(15) && last > .milliseconds(7_400))
        #expect(last != pauses[7])
    }

    @Test("waiting inputs are sent in order, and their number is limited")
    func bound() async throws {
        let revision = Mutex<Int64?>(nil)
        let subject = try await Subject(
            mostWaiting: 3,
            [
                {
                    let next: Int64? = revision.withLock { revision in
                        revision = revision.map { $0 + 1 }
                        return revision
                    }
                    guard let next else { throw Unreachable() }
                    return .json(state(next))
                }
            ])
        let view = ScreenList(following: subject.session)
        let sent = ["a", "b", "c"].map { subject.session.enqueue(.select($0)) }
        let refused = await problem { try await subject.session.select("d") }
        #expect(refused?.type == "urn:usher:client:queue-full")
        #expect(subject.session.waiting == 3)
        revision.withLock { $0 = 1 }
        subject.session.retryNow()
        var revisions: [Int] = []
        for delivery in sent { revisions.append(try await delivery.state.revision) }
        #expect(revisions == [2, 3, 4])
        let tabs = subject.transport.events.compactMap { $0.body?["select"]?.text }
        #expect(tabs.drop { $0 == "a" } == ["b", "c"])
        let counts = view.updates.compactMap { if case .waiting(let count) = $0 { count } else { nil } }
        #expect(counts == [1, 2, 3, 2, 1, 0])
    }

    @Test(
        "an event or a request to go back names the screen that was visible when the user sent it",
        arguments: [
            Input.event(named: "go"), .back(),
        ])
    func visibleScreen(input: Input) async throws {
        let subject = try await Subject([{ .json(state(2, stack: [screen(1), screen(2)])) }])
        let deliveries = [subject.session.enqueue(input), subject.session.enqueue(input)]
        for delivery in deliveries { _ = try await delivery.state }
        #expect(subject.transport.events.compactMap { $0.body?["screen"] } == [1, 1])
    }

    @Test("closing a session refuses its waiting inputs without another attempt")
    func closing() async throws {
        let subject = try await Subject([Self.offline])
        let delivery = subject.session.enqueue(.back())
        await until(subject.session, { _ in !subject.transport.events.isEmpty }, "it was tried")
        subject.session.close()
        #expect(await problem { _ = try await delivery.state }?.type == "urn:usher:client:closed")
        #expect(await problem { try await subject.session.back() }?.type == "urn:usher:client:closed")
    }

    @Test("releasing a session refuses its waiting inputs and ends its sequences")
    func released() async throws {
        var subject: Subject? = try await Subject([Self.offline])
        let delivery = try #require(subject?.session.enqueue(.back()))
        let updates = try #require(subject?.session.updates)
        subject = nil
        #expect(await problem { _ = try await delivery.state }?.type == "urn:usher:client:closed")
        for await _ in updates {}
    }

    @Test("ending a session sets the session's ending, and ending it again changes nothing")
    func end() async throws {
        let subject = try await Subject([{ .json(nil, status: 204) }, { .refusal(410, "session-ended") }])
        try await subject.session.end()
        try await subject.session.end()
        #expect(subject.session.ending?.type == "urn:usher:client:ended")
        #expect(subject.session.connection == .ended)
    }

    @Test("an input to an ended session sets the session's ending")
    func gone() async throws {
        let subject = try await Subject([{ .refusal(410, "session-ended", more: ["reason": "expired"]) }])
        let updates = subject.session.updates
        #expect(await problem { try await subject.session.back() }?.isGone == true)
        #expect(subject.session.ending?.members["reason"] == "expired")
        var last: SessionUpdate?
        for await update in updates { last = update }
        guard case .connection(.ended)? = last else { return #expect(Bool(false), "\(String(describing: last))") }
    }
}

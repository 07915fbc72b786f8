import HelloBye
import StartLoginMain
import Synchronization
import Testing
import Usher
import UsherJSON
import UsherSessions

@Suite("Sessions")
struct SessionTests {
    private let clock = ManualClock()

    @Test func `an input changes nothing if its precondition fails`() async throws {
        let session = try await registry().open("hello-bye").session
        guard case .preconditionFailed(let current) = try await session.error(of: bye, if: .revision(oneOf: [2, 3]))
        else {
            Issue.record("it held")
            return
        }
        #expect(current.revision == 1)
        #expect(try await session.send(bye, if: .revision(oneOf: [5, 1])).revision == 2)
    }

    @Test func `a precondition fails if it names a revision of another epoch`() async throws {
        let session = try await registry().open("hello-bye").session
        let precondition = Precondition.revision(oneOf: [1], epoch: "before the failover")
        guard case .preconditionFailed(let current) = try await session.error(of: bye, if: precondition) else {
            Issue.record("it held")
            return
        }
        #expect(current.revision == 1)
    }

    @Test func `an input's precondition is checked before its screen, and its screen before its event`() async throws {
        let session = try await registry().open("hello-bye").session
        guard
            case .preconditionFailed = try await session.error(
                of: #"{"screen":9,"event":"x"}"#, if: .revision(oneOf: [2]))
        else {
            Issue.record("the screen was looked at first")
            return
        }
        guard case .rejected(let rejection, _) = try await session.error(of: #"{"screen":9,"event":"x"}"#) else {
            Issue.record("nothing was wrong")
            return
        }
        #expect(rejection.kind == .stale)
    }

    @Test func `no session opens if the app is unknown, the options are invalid, or the app refuses`() async throws {
        let registry = registry()
        for (app, options, words) in [
            ("nope", "{}", "unknownApp"), ("hello-bye", #"{"greeting":5}"#, "/greeting"),
            ("hello-bye", #"{"colour":"red"}"#, "colour"), ("ledger", #"{"closed":true}"#, "closed"),
        ] {
            do {
                _ = try await registry.open(app, options: Array(options.utf8))
                Issue.record("\(app) \(options) opened")
            } catch {
                #expect("\(error)".contains(words), "\(error)")
            }
        }
        #expect(registry.sessionCount == 0)
        #expect(registry.coordinatorCounts == CoordinatorCounts())
    }

    @Test func `options that a request omits have the app's defaults`() async throws {
        let registry = registry()
        let session = try await registry.open("ledger", options: Array(#"{"owner":"lee"}"#.utf8)).session
        #expect(try await session.snapshot().text.contains(#""owner":"lee""#))
    }

    @Test func `when the root coordinator finishes, the session ends, and the last answer has the result`()
        async throws
    {
        let registry = registry()
        let session = try await registry.open("ledger").session
        try await session.send(#"{"event":{"add":{"_0":"tea"}}}"#)
        clock.advance(by: 77)
        let last = try await session.send(#"{"event":"finish"}"#)
        #expect(last.text.contains(#""ended":{"reason":"finished","result":["tea at 0"]}"#))
        #expect(last.text.contains(#""stack":[]"#))
        guard case .ended(let tombstone) = try await session.error(of: #"{"back":true}"#) else {
            Issue.record("no tombstone")
            return
        }
        #expect(tombstone.reason == .finished)
        #expect(tombstone.time.milliseconds == 77)
        #expect(registry.sessionCount == 0)
    }

    @Test func `a full server opens no session until another session ends`() async throws {
        var bounds = SessionRegistry.Configuration()
        bounds.sessionLimit = 2
        let registry = SessionRegistry(apps: [HelloByeApp.self], configuration: bounds, clock: clock)
        let first = try await registry.open("hello-bye").session
        _ = try await registry.open("hello-bye")
        await #expect(throws: SessionError.self) { try await registry.open("hello-bye") }
        _ = try await registry.end(first.id)
        _ = try await registry.open("hello-bye")
        #expect(registry.sessionCount == 2)
    }

    @Test func `a session accepts inputs up to its limit of inputs`() async throws {
        var bounds = SessionRegistry.Configuration()
        bounds.inputLimit = 3
        let session = try await SessionRegistry(apps: [HelloByeApp.self], configuration: bounds, clock: clock)
            .open("hello-bye").session
        try await session.send(bye)
        try await session.send(hello)
        guard case .rejected(let rejection, let current) = try await session.error(of: bye) else {
            Issue.record("it was accepted")
            return
        }
        #expect(rejection.kind == .limit)
        #expect(current.revision == 3)
    }

    @Test func `at its limit of inputs, a session still answers inputs to old screens and repeated reports`()
        async throws
    {
        var bounds = SessionRegistry.Configuration()
        bounds.inputLimit = 3
        let session = try await SessionRegistry(apps: [StepsApp.self], configuration: bounds, clock: clock)
            .open("steps").session
        try await session.send(#"{"event":"push"}"#)
        try await session.send(#"{"back":true}"#)
        #expect(try await session.send(#"{"popped":2}"#).revision == 3)
        #expect(try await session.send(#"{"dismissed":2}"#).revision == 3)
        let kinds: [(input: String, kind: Rejection.Kind)] = [
            (#"{"screen":2,"event":"push"}"#, .stale), (#"{"popped":9}"#, .stale), (#"{"dismissed":9}"#, .stale),
            (#"{"screen":1,"event":"push"}"#, .limit), (#"{"event":"push"}"#, .limit), (#"{"popped":1}"#, .limit),
            (#"{"back":true}"#, .limit), (#"{"select":"home"}"#, .limit), (#"{"open":["home"]}"#, .limit),
        ]
        for (input, kind) in kinds {
            guard case .rejected(let rejection, let current) = try await session.error(of: input) else {
                Issue.record("\(input) was accepted")
                continue
            }
            #expect(rejection.kind == kind, "\(input)")
            #expect(current.revision == 3)
        }
    }

    @Test func `once 80 % of the limit of inputs are used, a session's state has a warning for the client`()
        async throws
    {
        var bounds = SessionRegistry.Configuration()
        bounds.inputLimit = 10
        let session = try await SessionRegistry(apps: [LedgerApp.self], configuration: bounds, clock: clock)
            .open("ledger").session
        for _ in 0..<6 { #expect(try await !session.send(#"{"event":"roll"}"#).text.contains("warnings")) }
        let text = try await session.send(#"{"event":"roll"}"#).text
        #expect(text.contains(#""warnings":["the session has used 8 of 10 inputs"#), "\(text)")
        #expect(try await session.snapshot().text.contains("8 of 10 inputs"))
    }

    @Test func `the inputs of a session may have a limited number of bytes in total`() async throws {
        var bounds = SessionRegistry.Configuration()
        bounds.recordLimit = 4_096
        let session = try await SessionRegistry(apps: [HelloByeApp.self], configuration: bounds, clock: clock)
            .open("hello-bye").session
        try await session.send(#"{"event":{"bye":{\#(String(repeating: " ", count: 4_096))}}}"#)
        guard case .rejected(let rejection, let current) = try await session.error(of: hello) else {
            Issue.record("it was accepted")
            return
        }
        #expect(rejection.kind == .limit)
        #expect(rejection.reason.contains("4096 bytes"))
        #expect(current.revision == 2)
    }

    @Test func `a leak is reported in the answer, in the operator's report and in the server's counts`() async throws {
        let registry = registry()
        let session = try await registry.open("ledger").session
        let snapshot = try await session.send(#"{"event":"leak"}"#)
        #expect(snapshot.newLeaks.map(\.type) == ["LeakyCoordinator"])
        #expect(snapshot.text.contains(#""leaks":[{"type":"LeakyCoordinator""#))
        #expect(try await session.send(#"{"event":"roll"}"#).newLeaks.isEmpty)
        #expect(registry.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 1))
    }

    @Test func `a repeated report of a closed screen returns the current state and its changes`() async throws {
        let session = try await registry().open("hello-bye").session
        let before = try await session.send(bye)
        let answer = try await session.send(#"{"popped":1}"#)
        #expect(answer.revision == 2)
        #expect(answer.text == before.text)
    }

    @Test func `16 clients of one session see its inputs in the same order`() async throws {
        let session = try await registry().open("ledger").session
        let revisions = await withTaskGroup(of: [Int].self) { group in
            for client in 0..<16 {
                group.addTask {
                    var revisions: [Int] = []
                    for turn in 0..<50 {
                        let snapshot = try? await session.send(#"{"event":{"add":{"_0":"\#(client)-\#(turn)"}}}"#)
                        if let snapshot { revisions.append(snapshot.revision) }
                    }
                    return revisions
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(revisions.sorted() == Array(2...801))
        #expect(try await session.snapshot().revision == 801)
    }

    private var bye: String { #"{"event":"bye"}"# }
    private var hello: String { #"{"event":"hello"}"# }

    private func registry() -> SessionRegistry {
        SessionRegistry(
            apps: [HelloByeApp.self, StartLoginMainApp.self, LedgerApp.self], clock: clock, random: CountingRandom())
    }
}

@Suite("The search for leaks' holders in a session")
struct LeakInquiryTests {
    private let errands = Errands()

    @Test func `the object that holds a leak is found after the answer, by a replay that counts no further leak`()
        async throws
    {
        let registry = SessionRegistry(
            apps: [LedgerApp.self], clock: ManualClock(), random: CountingRandom(), background: errands.add)
        let session = try await registry.open("ledger").session
        #expect(try await !session.send(#"{"event":"leak"}"#).text.contains("holder"))
        await errands.run()
        #expect(try await session.snapshot().text.contains(#""holder":"LeakyCoordinator.itself""#))
        #expect(registry.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 1))
    }

    @Test func `if a leak occurs again, the object that holds it is known without a new search`() async throws {
        let registry = SessionRegistry(
            apps: [LedgerApp.self], clock: ManualClock(), random: CountingRandom(),
            background: errands.add)
        let session = try await registry.open("ledger").session
        for _ in 0..<5 {
            try await session.send(#"{"event":"leak"}"#)
            await errands.run()
        }
        #expect(errands.count.load(ordering: .relaxed) == 1)
        #expect(try await session.snapshot().text.components(of: #""holder":"LeakyCoordinator.itself""#) == 5)
    }

    @Test func `a refused input does not remove the leaks that are already known`() async throws {
        let registry = SessionRegistry(
            apps: [LedgerApp.self], clock: ManualClock(), random: CountingRandom(), background: errands.add)
        let session = try await registry.open("ledger").session
        try await session.send(#"{"event":"leak"}"#)
        await errands.run()
        let before = try await session.snapshot().text
        _ = try await session.error(of: #"{"event":"refuse"}"#)
        #expect(try await session.snapshot().text == before)
        #expect(registry.coordinatorCounts.leaked == 1)
    }
}

extension String {
    /// How often a text stands in it.
    fileprivate func components(of text: String) -> Int {
        ranges(of: text).count
    }
}

import Programs
import Testing
import UsherProcess
import UsherServer
import UsherSessions

@Suite("An isolated run in a child process", .timeLimit(.minutes(5)))
struct IsolatedProcessTests {
    @Test(arguments: [
        ("index", "SIGILL"), ("recurse", "SIGSEGV"), ("abort", "SIGABRT"), ("exit", "exit 3"),
    ])
    func `for an input that crashes, an isolated run reports the signal and the function`(deed: String, cause: String)
        async throws
    {
        let subject = try await IsolatedSubject()
        try await subject.handle(#""count""#)
        let run = try await subject.run(#"{"event":{"event":{"deed":"\#(deed)"}}}"#)
        let crash = try #require(await IsolatedSubject.place().outcome(of: run).crash)
        #expect(crash.cause == cause)
        #expect(crash.revision == nil)
        #expect(crash.symbol?.contains("Deed.") == true, "\(crash)")
    }

    @Test(arguments: [("loop", "timeout"), ("block", "timeout"), ("allocate", "memory")])
    func `an isolated run stops an input that exceeds a limit, and reports the function that was running`(
        deed: String, cause: String
    )
        async throws
    {
        let subject = try await IsolatedSubject()
        let run = try await subject.run(#"{"event":{"event":{"deed":"\#(deed)"}}}"#)
        let limits = WatchLimits(handlerTime: .milliseconds(500), memory: 64 * 1024 * 1024)
        let place = IsolatedSubject.place(within: limits)
        let crash = try #require(await place.outcome(of: run).crash)
        #expect(crash.cause == cause)
        #expect(crash.symbol?.contains("Deed.") == true, "\(crash)")
    }

    @Test func `an input that does not crash survives its isolated run, whatever the app answers`() async throws {
        let subject = try await IsolatedSubject()
        let place = IsolatedSubject.place()
        for payload in [#"{"event":"count"}"#, #"{"event":"unheardOf"}"#, #"{"popped":77}"#, #"{"effect":1}"#] {
            #expect(await place.outcome(of: try await subject.run(payload)) == .ended(.restored))
        }
        #expect(await place.outcome(of: try await subject.run()) == .ended(.restored))
        #expect(await place.outcome(of: try await subject.run()) == .ended(.restored))
    }

    @Test(arguments: [
        #"{"event":{"encode":{"deed":"index"}}}"#, #"{"event":{"leave":{"deed":"index"}}}"#,
        #"{"event":{"stay":{"deed":"index"}}}"#,
    ])
    func `an isolated run reports a crash that occurs while a state is encoded or a coordinator is released`(
        payload: String
    ) async throws {
        let subject = try await IsolatedSubject()
        let outcome = await IsolatedSubject.place().outcome(of: try await subject.run(payload))
        #expect(outcome.crash?.cause == "SIGILL")
    }

    @Test func `the creation of a session can run isolated before the session exists`() async throws {
        let place = IsolatedSubject.place()
        let crash = await place.outcome(of: IsolatedSubject.creation(#"{"deed":"abort"}"#)).crash
        #expect(crash?.cause == "SIGABRT")
        #expect(await place.outcome(of: IsolatedSubject.creation("{}")) == .ended(.restored))
    }

    @Test func `an isolated run of a replay reports the journal entry that crashed`() async throws {
        let folder = try TemporaryFolder()
        let subject = try await IsolatedSubject()
        try await subject.handle(#""count""#, #"{"replay":{"deed":"index"}}"#, #""count""#)
        let place = IsolatedSubject.place(environment: ["USHER_TEST_REPLAY": folder("armed")])
        let run = try await subject.run(#"{"event":"count"}"#)
        #expect(await place.outcome(of: run) == .ended(.restored))
        try folder.write([], to: "armed")
        let crash = await place.outcome(of: run).crash
        #expect(crash?.cause == "SIGILL")
        #expect(crash?.revision == 3)
    }

    @Test func `an isolated run begins no effects, and does not take printed text for its result`() async throws {
        let subject = try await IsolatedSubject()
        let outcome = await IsolatedSubject.place().outcome(
            of: try await subject.run(#"{"event":{"effect":{"deed":"index"}}}"#))
        #expect(outcome == .ended(.restored))
    }

    @Test func `several isolated runs can be made at once, and a new child process replaces one that died`()
        async throws
    {
        let subject = try await IsolatedSubject()
        let place = IsolatedSubject.place(width: 2)
        let (good, bad) = (
            try await subject.run(), try await subject.run(#"{"event":{"event":{"deed":"abort"}}}"#)
        )
        let areRight = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let outcome = await place.outcome(of: number.isMultiple(of: 8) ? bad : good)
                    return (outcome.crash != nil) == number.isMultiple(of: 8)
                }
            }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(areRight)
        // One child runs all, and a new child runs those after a crash.
        let outcomes = await place.outcomes(of: [good, good, bad, good, bad])
        #expect(outcomes.map { $0.crash != nil } == [false, false, true, false, true])
    }

    @Test func `an input counts as untried if the child process cannot be started or is another program`() async throws
    {
        let run = try await IsolatedSubject().run()
        for program in ["no-such-program", "../../../../../../../../../bin/false"] {
            let outcome = await IsolatedSubject.place(program).outcome(of: run)
            guard case .untried(let reason) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(reason.contains("start") || reason.contains("before it began"))
        }
    }
}

extension IsolatedOutcome {
    /// The crash, if there was one.
    var crash: Crash? { if case .crashes(let crash) = self { crash } else { nil } }
}

import Programs
import Testing
import UsherProcess
import UsherServer
import UsherSessions

@Suite("A trial in a child", .timeLimit(.minutes(5)))
struct ChildTrialTests {
    @Test(arguments: [
        ("index", "SIGILL"), ("recurse", "SIGSEGV"), ("abort", "SIGABRT"), ("exit", "exit 3"),
    ])
    func `an input that ends the process is named with its signal and the function`(deed: String, cause: String)
        async throws
    {
        let subject = try await TrialSubject()
        try await subject.handle(#""count""#)
        let trial = try await subject.trial(#"{"event":{"event":{"deed":"\#(deed)"}}}"#)
        let crash = try #require(await TrialSubject.place().finding(of: trial).crash)
        #expect(crash.cause == cause)
        #expect(crash.revision == nil)
        #expect(crash.symbol?.contains("Deed.") == true, "\(crash)")
    }

    @Test(arguments: [("loop", "timeout"), ("block", "timeout"), ("allocate", "memory")])
    func `an input that goes beyond a limit is ended, and named with the function`(deed: String, cause: String)
        async throws
    {
        let subject = try await TrialSubject()
        let trial = try await subject.trial(#"{"event":{"event":{"deed":"\#(deed)"}}}"#)
        let place = TrialSubject.place(within: TrialLimits(time: .milliseconds(500), memory: 64 * 1024 * 1024))
        let crash = try #require(await place.finding(of: trial).crash)
        #expect(crash.cause == cause)
        #expect(crash.symbol?.contains("Deed.") == true, "\(crash)")
    }

    @Test func `what survives does so, whatever the app answers`() async throws {
        let subject = try await TrialSubject()
        let place = TrialSubject.place()
        for payload in [#"{"event":"count"}"#, #"{"event":"unheardOf"}"#, #"{"popped":77}"#, #"{"effect":1}"#] {
            #expect(await place.finding(of: try await subject.trial(payload)) == .ended(.restored))
        }
        #expect(await place.finding(of: try await subject.trial()) == .ended(.restored))
        #expect(await place.verdict(on: try await subject.trial()) == .survives)
    }

    @Test(arguments: [
        #"{"event":{"encode":{"deed":"index"}}}"#, #"{"event":{"leave":{"deed":"index"}}}"#,
        #"{"event":{"stay":{"deed":"index"}}}"#,
    ])
    func `also what ends the process when it is encoded, or when its coordinators go`(payload: String) async throws {
        let subject = try await TrialSubject()
        let finding = await TrialSubject.place().finding(of: try await subject.trial(payload))
        #expect(finding.crash?.cause == "SIGILL")
    }

    @Test func `a creation is tried without a session`() async throws {
        let place = TrialSubject.place()
        let crash = await place.finding(of: TrialSubject.creation(#"{"deed":"abort"}"#)).crash
        #expect(crash?.cause == "SIGABRT")
        #expect(await place.verdict(on: TrialSubject.creation("{}")) == .survives)
    }

    @Test func `a replay that ends the process names the entry`() async throws {
        let folder = try TemporaryFolder()
        let subject = try await TrialSubject()
        try await subject.handle(#""count""#, #"{"replay":{"deed":"index"}}"#, #""count""#)
        let place = TrialSubject.place(environment: ["USHER_TEST_REPLAY": folder("armed")])
        let trial = try await subject.trial(#"{"event":"count"}"#)
        #expect(await place.verdict(on: trial) == .survives)
        try folder.write([], to: "armed")
        let crash = await place.finding(of: trial).crash
        #expect(crash?.cause == "SIGILL")
        #expect(crash?.revision == 3)
    }

    @Test func `effects do not begin, and nothing that an app prints is taken for an answer`() async throws {
        let subject = try await TrialSubject()
        let finding = await TrialSubject.place().finding(
            of: try await subject.trial(#"{"event":{"effect":{"deed":"index"}}}"#))
        #expect(finding == .ended(.restored))
    }

    @Test func `a child makes one trial after the other, and another takes the place of one that died`() async throws {
        let subject = try await TrialSubject()
        let place = TrialSubject.place(width: 2)
        let (good, bad) = (
            try await subject.trial(), try await subject.trial(#"{"event":{"event":{"deed":"abort"}}}"#)
        )
        let findings = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let finding = await place.finding(of: number.isMultiple(of: 8) ? bad : good)
                    return (finding.crash != nil) == number.isMultiple(of: 8)
                }
            }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(findings)
    }

    @Test func `a child that cannot be started, or is no child of ours, leaves its trial unmade`() async throws {
        let trial = try await TrialSubject().trial()
        for program in ["no-such-program", "../../../../../../../../../bin/false"] {
            let finding = await TrialSubject.place(program).finding(of: trial)
            guard case .untried(let reason) = finding else {
                Issue.record("\(finding)")
                continue
            }
            #expect(reason.contains("start") || reason.contains("before it began"))
        }
    }
}

extension TrialFinding {
    /// The crash, where it is one.
    var crash: Crash? { if case .crashes(let crash) = self { crash } else { nil } }
}

import Testing

@testable import UsherServer

@Suite("The limits of a trial")
struct TrialLimitTests {
    private let limits = TrialLimits(time: .seconds(1), memory: 1_000)
    private let start = TrialMoment(time: 0, processorTime: 0, residentBytes: 5_000, isWaiting: false)

    private func excess(
        after seconds: Double, used: Double, bytes: Int = 5_000, isWaiting: Bool = false
    ) -> TrialExcess? {
        limits.excess(
            start,
            TrialMoment(
                time: Int64(seconds * 1e9), processorTime: Int64(used * 1e9), residentBytes: bytes, isWaiting: isWaiting
            ))
    }

    @Test(arguments: [Duration.milliseconds(1), .seconds(5), .seconds(3600), .seconds(86_400), .seconds(Int64.max)])
    func `a child may be told of any time that a handler may take`(time: Duration) throws {
        let seconds = TrialLimits(time: time).seconds
        _ = try TryCommand(["\(seconds)", "sessions"])
        #expect(seconds >= 190)
    }

    @Test func `processor time and growth are bounded`() {
        #expect(excess(after: 1, used: 0.9) == nil)
        #expect(excess(after: 1, used: 1) == .time)
        #expect(excess(after: 0.1, used: 0.1, bytes: 6_000) == nil)
        #expect(excess(after: 0.1, used: 0.1, bytes: 6_001) == .memory)
    }

    @Test func `one that waits is at fault, and one that gets no processor is not`() {
        #expect(excess(after: 0.9, used: 0, isWaiting: true) == nil)
        #expect(excess(after: 1, used: 0, isWaiting: true) == .time)
        #expect(excess(after: 1, used: 0.6, isWaiting: true) == nil)
        #expect(excess(after: 59, used: 0.2) == nil)
        #expect(excess(after: 60, used: 0.2) == .starved)
    }

    @Test func `a child outlives its parent by a bounded time`() {
        #expect(limits.seconds == 190)
    }
}

@Suite("A crash report")
struct CrashReportTests {
    @Test func `lines of other kinds are no part of it, and all that follow its first are`() {
        var report = CrashReport(of: "/proc/self/exe")
        for line in ["started", "crash", "crash x 1", "{\"restored\":true}", ""] {
            let isPart = report.read(line)
            #expect(!isPart)
        }
        #expect(report.signal == nil && report.symbol == nil)
        let hasBegun = report.read("crash 4 12")
        #expect(hasBegun)
        #expect(report.signal == 4 && report.revision == 12)
        for line in ["usher(+0x", "usher(+0xzz)[0x1]", "usher(", "libc.so.6(abort+0xd3)[0x7f]", "usher(main+0x6)[0x1]"]
        {
            let isPart = report.read(line)
            #expect(isPart)
        }
        // None of these is an author's function.
        #expect(report.symbol == nil)
    }

    @Test func `a revision of 0 is no entry's`() {
        var report = CrashReport(of: "/no/such/file")
        let hasBegun = report.read("crash 11 0")
        #expect(hasBegun)
        #expect(report.signal == 11 && report.revision == nil && report.symbol == nil)
    }
}

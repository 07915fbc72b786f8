import LocalhostClient
import Programs
import Testing

/// Tests that an exploration finds handlers that end the process or never return, and explores the rest of the app.
@Suite("An exploration of an app with crashing handlers", .blocking, .timeLimit(.minutes(5)))
struct ExplorationCrashTests {
    @Test func `an exploration reports how each bad handler ended, and continues with the other handlers`() throws {
        let program = "\(Program.products)/CrashProgram"
        let end = try Program.run([program, "explore", "crash", "--depth", "1"])
        #expect(end.status == 1)
        for line in [
            "wrong: crash: crash: event ends the process: SIGILL in ",
            "wrong: crash: crash: encode ends the process: timeout",
            "wrong: crash: crash: leave ends the process: SIGILL in ",
            "wrong: crash: crash: stay ends the process: SIGILL in ",
            "    way: event\n", "wrong: incomplete: the exploration reached its limit of depth, with 3 states found",
        ] {
            #expect(end.error.contains(line), "\(line): \(end.error)")
        }
        #expect(end.error.hasPrefix("crash (not complete): 3 states, 9 of "))
        #expect(end.output.hasPrefix("flowchart TD\n"))
    }

    @Test func `an exploration reports an app that crashes when it is opened`() throws {
        let program = "\(Program.products)/CrashProgram"
        let end = try Program.run([program, "explore", "crash", "--options", #"{"deed":"abort"}"#])
        #expect(end.status == 1)
        #expect(end.error.contains("wrong: unopened: opening the app ends the process: SIGABRT in "), "\(end.error)")
    }
}

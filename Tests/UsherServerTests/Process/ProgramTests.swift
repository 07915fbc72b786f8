import Glibc
import LocalhostClient
import Programs
import Testing

/// Tests of the class that runs programs in tests.
@Suite("Programs that a test runs", .blocking, .timeLimit(.minutes(5)))
struct ProgramTests {
    @Test(arguments: [("exit 3", 3), ("kill -KILL $$", -SIGKILL), ("kill -PIPE $$", -SIGPIPE)])
    func `the result of a program distinguishes an exit status from a signal`(script: String, status: Int32) throws {
        #expect(try Program.run(["bash", "-c", script]).status == status)
    }

    @Test func `a program that writes much to both of its outputs is not blocked by the test`() throws {
        let script = "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"
        let end = try Program.run(["bash", "-c", script])
        #expect(end.output.utf8.count == 300_000)
        #expect(end.error.utf8.count == 600_000)
    }

    @Test func `a program is ended when the test releases it`() throws {
        var program: Program? = try Program(["bash", "-c", "echo $$; exec sleep 60"])
        let id = try #require(program.flatMap { pid_t($0.readLine()) })
        withExtendedLifetime(program) { #expect(kill(id, 0) == 0) }
        program = nil
        #expect(kill(id, 0) == -1)
    }

    @Test func `running a missing program throws an error`() {
        let error = #expect(throws: ProgramError.self) { try Program(["/nowhere/at-all"]) }
        #expect(error?.errorNumber == ENOENT)
    }

    @Test func `a program can be started even if the test has thousands of open files`() throws {
        let files = (0..<3000).map { _ in fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0) }
        defer { for file in files where file >= 0 { close(file) } }
        for _ in 0..<50 { #expect(try Program.run(["true"]).status == 0) }
    }
}

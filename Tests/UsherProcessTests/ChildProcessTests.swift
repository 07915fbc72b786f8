import Foundation
import Programs
import Testing
import UsherProcess

@Suite("Child processes", .timeLimit(.minutes(5)))
struct ChildProcessTests {
    @Test func `a child process gets its arguments, and its exit status is returned`() throws {
        let (end, output) = try run("echo \"$0 $1\"; exit 7", "one", "two")
        #expect(end == .exited(status: 7))
        #expect(output == "one two\n")
        #expect(end.description == "exit 7")
    }

    @Test(arguments: [(SIGSEGV, "SIGSEGV"), (SIGKILL, "SIGKILL"), (SIGTRAP, "SIGTRAP")])
    func `the signal that ended a child process is returned`(signal: Int32, name: String) throws {
        let child = try ChildProcess(shell("kill -\(signal) $$"))
        #expect(child.wait() == .killed(signal: signal))
        #expect(child.wait().description == name)
    }

    @Test func `a child process gets only the named environment variables`() throws {
        var command = shell("/usr/bin/env")
        command.environment = ["ONE": "a=b", "PATH": "/usr/bin"]
        let (_, output) = try run(command)
        let own = Set(output.split(separator: "\n").map { String($0) }).subtracting(["PWD=\(Self.folder)"])
        #expect(own.isSuperset(of: ["ONE=a=b", "PATH=/usr/bin"]))
        #expect(own.allSatisfy { !$0.hasPrefix("HOME=") && !$0.hasPrefix("USER=") })
    }

    @Test func `a variable has the same value in the list of environment variables as when it is read by name`() {
        #expect(ProcessEnvironment.variables["PATH"] == ProcessEnvironment.variable("PATH"))
    }

    @Test func `file descriptors get the requested numbers in the child process, even if two are swapped`() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("first".utf8), to: "first")
        try folder.write(Array("second".utf8), to: "second")
        let first = unsafe open(folder("first"), O_RDONLY | O_CLOEXEC)
        let second = unsafe open(folder("second"), O_RDONLY | O_CLOEXEC)
        defer { [first, second].forEach { close($0) } }
        let (low, high) = (min(first, second), max(first, second))
        var command = shell("cat /proc/self/fd/\(low) /proc/self/fd/\(high)")
        command.descriptors = [low: high, high: low]
        let (_, output) = try run(command)
        #expect(output == (low == first ? "secondfirst" : "firstsecond"))
    }

    @Test func `a child process inherits no other file descriptors, whatever their flags`() throws {
        let file = unsafe open("/dev/null", O_RDONLY)
        defer { close(file) }
        var command = shell("ls /proc/$$/fd")
        command.descriptors = [9: file]
        let (_, output) = try run(command)
        #expect(output.split(separator: "\n") == ["0", "1", "2", "9"])
    }

    @Test func `signals that this process ignores are not ignored in its children`() throws {
        let before = signal(SIGUSR2, SIG_IGN)
        defer { signal(SIGUSR2, before) }
        #expect(try ChildProcess(shell("kill -USR2 $$; exit 1")).wait() == .killed(signal: SIGUSR2))
    }

    @Test func `starting a missing program fails with the system's reason`() throws {
        var command = ChildCommand(["nothing"])
        command.executable = "/nonexistent/nothing"
        let error = #expect(throws: SystemError.self) { try ChildProcess(command) }
        #expect(error?.description == "cannot start /nonexistent/nothing: No such file or directory")
    }

    @Test func `a wait for a child process ends at the deadline, and the child process continues until a signal`()
        throws
    {
        let child = try ChildProcess(shell("read line <&3; read line", holding: 3))
        #expect(child.wait(until: MonotonicClock.now + 1_000_000) == nil)
        #expect(child.currentEnd == nil)
        child.send(SIGTERM)
        #expect(child.wait(until: nil) == .killed(signal: SIGTERM))
        child.send(SIGKILL)  // Sent to no process, because the number may belong to another one by now.
        #expect(child.currentEnd == .killed(signal: SIGTERM))
    }

    @Test func `releasing the last reference to a child process ends the process`() throws {
        var child: ChildProcess? = try ChildProcess(shell("read line <&3", holding: 3))
        let id = try #require(child?.id)
        #expect(kill(id, 0) == 0)
        child = nil
        #expect(kill(id, 0) == -1)
    }

    private static let folder = FileManager.default.currentDirectoryPath

    private func shell(_ script: String) -> ChildCommand {
        var command = ChildCommand(["sh", "-c", script])
        command.executable = "/bin/sh"
        return command
    }

    /// Returns a script that can wait at a descriptor on which nothing ever arrives.
    private func shell(_ script: String, holding descriptor: Int32) -> ChildCommand {
        var command = shell(script)
        command.descriptors[descriptor] = Self.silence.fileHandleForReading.fileDescriptor
        return command
    }

    private func run(_ script: String, _ arguments: String...) throws -> (ChildEnd, output: String) {
        var command = shell(script)
        command.arguments += arguments
        return try run(command)
    }

    private func run(_ command: ChildCommand) throws -> (ChildEnd, output: String) {
        let folder = try TemporaryFolder()
        let output = unsafe open(folder("output"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(output) }
        var command = command
        command.descriptors[STDIN_FILENO] = command.descriptors[STDIN_FILENO] ?? Self.nothing
        command.descriptors[STDOUT_FILENO] = output
        let end = try ChildProcess(command).wait()
        return (end, String(decoding: folder.bytes(of: "output"), as: UTF8.self))
    }

    private static let nothing = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    /// A pipe on which nothing ever arrives, because this process keeps the writing end.
    private static let silence = Pipe()
}

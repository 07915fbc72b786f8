private import Foundation
private import Glibc

/// A program that runs as a separate process, and ends with this object at the latest.
///
/// Foundation's `Process` reads beyond the list of open files if there are thousands, as in tests of streams.
public final class Program {
    /// The destinations of a program's standard error.
    public enum Errors: Sendable {
        /// A separate pipe, which tests can read.
        case apart
        /// The pipe of standard output.
        case together
        /// Nowhere.
        case nowhere
        /// The end of a file.
        case file(String)
    }

    private let id: pid_t
    private let output: ReadingEnd
    private let errors: ReadingEnd
    private var end: Int32?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - command: The path, or a name that is looked up in `PATH`, and the arguments.
    ///   - environment: The environment variables; by default those of this process.
    ///   - input: The file for standard input.
    ///   - errors: The destination of standard error.
    /// - Throws: `ProgramError`.
    public init(
        _ command: [String], environment: [String: String] = Program.environment, input: String = "/dev/null",
        errors: Errors = .apart
    ) throws {
        let outputPipe = try ProgramPipe()
        let errorPipe = try ProgramPipe()
        var launch = Launch()
        launch.open(input, as: STDIN_FILENO)
        launch.copy(outputPipe.writing, as: STDOUT_FILENO)
        switch errors {
        case .apart: launch.copy(errorPipe.writing, as: STDERR_FILENO)
        case .together: launch.copy(outputPipe.writing, as: STDERR_FILENO)
        case .nowhere: launch.open("/dev/null", as: STDERR_FILENO)
        case .file(let path): launch.open(path, as: STDERR_FILENO)
        }
        id = try launch.start(command, environment: environment)
        output = outputPipe.reading
        self.errors = errorPipe.reading
    }

    deinit {
        guard end == nil else { return }
        kill()
    }

    /// The variables of this process.
    ///
    /// By default, servers then open sessions by their ids alone.
    public static var environment: [String: String] {
        ProcessInfo.processInfo.environment.merging(["USHER_SESSION_ACCESS": "id"]) { given, _ in given }
    }

    /// The folder of the programs that were built with the tests, or the folder in `USHER_PROGRAMS`.
    public static var products: String {
        environment["USHER_PROGRAMS"] ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    }

    /// The ids of the processes that it has started, such as a supervisor's worker.
    public var children: [Int32] {
        let list = try? String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)
        return (list ?? "").split(separator: " ").compactMap { Int32($0) }
    }

    /// Runs a program to its end.
    ///
    /// - Returns: The program's end and its output.
    /// - Throws: `ProgramError`.
    public static func run(_ command: [String], input: String = "/dev/null", errors: Errors = .apart) throws
        -> ProgramEnd
    {
        try Program(command, input: input, errors: errors).finish()
    }

    /// Waits for the next line of standard output; empty if standard output is closed.
    public func readLine() -> String { output.line() }

    /// Waits for the line in which a server prints its address.
    ///
    /// - Returns: The port at the end of the line; nil if there is none.
    public func readPort() -> Int? { readLine().split(separator: ":").last.flatMap { Int($0) } }

    /// Waits for the next line of standard error.
    public func readErrorLine() -> String { errors.line() }

    /// Sends a signal, unless the program's end is already known.
    public func send(_ signal: Int32) {
        if end == nil { Glibc.kill(id, signal) }
    }

    /// Kills the program, and waits for its end; its own children continue.
    public func kill() {
        send(SIGKILL)
        wait()
    }

    /// The bytes of resident memory; 0 after the end.
    public var residentBytes: Int {
        let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }
            .map { $0 * 1_024 } ?? 0
    }

    /// The number of times that its threads have waited and were woken so far.
    public var wakeUps: Int {
        let tasks = "/proc/\(id)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return threads.reduce(0) { sum, thread in
            let status = (try? String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }

    /// Waits for the program's end.
    ///
    /// - Returns: The program's end, and the output that was not read yet.
    public func finish() -> ProgramEnd {
        let (output, errors) = ReadingEnd.rest(of: output, and: errors)
        return ProgramEnd(status: wait(), output: output, error: errors)
    }

    @discardableResult
    private func wait() -> Int32 {
        if let end { return end }
        var state: Int32 = 0
        while unsafe waitpid(id, &state, 0) == -1, errno == EINTR {}
        // These lines replace WIFSIGNALED and similar C macros, which Swift does not import.
        let signal = state & 0x7f
        let status = signal == 0 ? (state >> 8) & 0xff : -signal
        end = status
        return status
    }
}

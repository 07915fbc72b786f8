private import Foundation
private import Glibc

/// A program that runs as a process of its own, and no longer than this object lives.
///
/// Not Foundation's `Process`: it reads past the end of the list of open files where there are thousands, and tests of
/// streams have as many.
public final class Program {
    /// Where what it writes to its standard error goes.
    public enum Errors: Sendable {
        /// To whoever asks for it.
        case apart
        /// Where its standard output goes.
        case together
        /// Nowhere.
        case nowhere
        /// Behind what is in a file.
        case file(String)
    }

    private let id: pid_t
    private let output: ReadingEnd
    private let errors: ReadingEnd
    private var end: Int32?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - command: Its path, or a name that is looked for in `PATH`, and its arguments.
    ///   - environment: Its variables; this process's own unless told.
    ///   - input: The file that it reads from its standard input.
    ///   - errors: Where its standard error goes.
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

    /// The variables of this process; servers open sessions by their ids alone, unless a test says otherwise.
    public static var environment: [String: String] {
        ProcessInfo.processInfo.environment.merging(["USHER_SESSION_ACCESS": "id"]) { given, _ in given }
    }

    /// The folder of the programs: those that were built with the tests, or what `USHER_PROGRAMS` names instead.
    public static var products: String {
        environment["USHER_PROGRAMS"] ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    }

    /// The numbers of the processes that it has started, such as a supervisor's worker.
    public var children: [Int32] {
        let list = try? String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)
        return (list ?? "").split(separator: " ").compactMap { Int32($0) }
    }

    /// Runs a program to its end.
    ///
    /// - Returns: How it ended, and what it wrote.
    /// - Throws: `ProgramError`.
    public static func run(_ command: [String], input: String = "/dev/null", errors: Errors = .apart) throws
        -> ProgramEnd
    {
        try Program(command, input: input, errors: errors).finish()
    }

    /// Waits for the next line of its standard output; empty where it has closed that.
    public func readLine() -> String { output.line() }

    /// Waits for the line in which a server says where it listens.
    ///
    /// - Returns: The port at its end; nil where there is none.
    public func readPort() -> Int? { readLine().split(separator: ":").last.flatMap { Int($0) } }

    /// Waits for the next line of its standard error.
    public func readErrorLine() -> String { errors.line() }

    /// Sends it a signal, unless it was seen to have ended.
    public func send(_ signal: Int32) {
        if end == nil { Glibc.kill(id, signal) }
    }

    /// Kills it, and waits until it is gone; what it has started goes on.
    public func kill() {
        send(SIGKILL)
        wait()
    }

    /// The bytes of memory that it has now; 0 once it has ended.
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

    /// Waits for its end.
    ///
    /// - Returns: How it ended, and what it wrote that was not read yet.
    public func finish() -> ProgramEnd {
        let (output, errors) = ReadingEnd.rest(of: output, and: errors)
        return ProgramEnd(status: wait(), output: output, error: errors)
    }

    @discardableResult
    private func wait() -> Int32 {
        if let end { return end }
        var state: Int32 = 0
        while unsafe waitpid(id, &state, 0) == -1, errno == EINTR {}
        // As WIFSIGNALED and its like have it; Swift does not see C's macros.
        let signal = state & 0x7f
        let status = signal == 0 ? (state >> 8) & 0xff : -signal
        end = status
        return status
    }
}

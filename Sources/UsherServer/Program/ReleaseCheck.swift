import Usher
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions
import UsherSupervisor

/// The check before a takeover: how this build would continue the running server's sessions.
///
/// The running server continues to serve. The check runs in a child process with the lowest priority: this executable
/// with the same command line. If the journal is a file, only the running server can read the file, so the running
/// server makes a copy first.
struct ReleaseCheck {
    /// The journal that a child checks.
    enum Subject: Equatable {
        /// The copy of a journal in a file.
        case copy(path: String)
        /// The database in the options.
        case database
    }

    private let options: ServeOptions
    private let log: Log

    init(_ options: ServeOptions, _ log: Log) {
        (self.options, self.log) = (options, log)
    }

    /// Checks the sessions of the running server, if there is one and the options limit held or resumed sessions.
    ///
    /// - Returns: `false` if this process must stop.
    /// - Throws: `ReleaseRefusal` if this build would hold or resume more sessions than allowed, or if the check fails.
    func run(before place: LocalSocketPath) throws -> Bool {
        do {
            guard options.releaseLimits.isSet, let subject = try subject(at: place) else { return true }
            defer { subject.remove() }
            let sample = try sample(of: subject)
            if let refusal = sample.refusal(by: options.releaseLimits) { throw ReleaseRefusal(refusal) }
            let (held, resumed) = (sample.text(for: sample.held), sample.text(for: sample.resumed))
            log.write(.info, "release checked", ["held": held, "resumed": resumed])
            return true
        } catch is Interruption {
            return false
        }
    }

    /// Returns the journal to check; nil if no server is running.
    private func subject(at place: LocalSocketPath) throws -> Subject? {
        switch options.journal {
        case .database: return try place.connect() == nil ? nil : .database
        case .memory: return nil
        case .file(let path), .standard(let path):
            guard let request = try CopyRequest(at: place) else { return nil }
            log.write(.info, "waiting for a copy of the journal")
            switch try wait({ request.answer(until: MonotonicClock.now + Self.pause.nanoseconds) }) {
            case .made(let name):
                let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
                return .copy(path: "\(folder)/backups/\(name)")
            case .failed(let reason): throw ReleaseRefusal("the journal could not be copied for the check: \(reason)")
            }
        }
    }

    private func sample(of subject: Subject) throws -> ReleaseSample {
        var command = ChildCommand(CommandLine.arguments)
        command.environment[Self.variable] = subject.text
        let child = try ReportingChild(command)
        let end = options.releaseLimits.checksAll ? .max : MonotonicClock.now + 2 * ReleaseSample.time.nanoseconds
        return try wait {
            switch child.next(within: Int32(Self.pause.nanoseconds / 1_000_000)) {
            case .line(Self.opened)?:
                // The child has opened the copy. If the file is deleted now, no crash can leave it behind.
                subject.remove()
            case .line(let line)?:
                if let sample = ReleaseSample(json: line) { return sample }
                throw ReleaseRefusal("the check has failed: \(line)")
            case .end(let end)?: throw ReleaseRefusal("the process that checks the sessions has ended with \(end)")
            case nil where MonotonicClock.now > end:
                throw ReleaseRefusal("the check has not ended within two minutes; the machine may be too busy for it")
            case nil: break
            }
            return nil
        }
    }

    /// Repeats a step until it returns a value; throws the step's errors, and `Interruption` if this process must stop.
    private func wait<Value>(_ step: () throws -> Value?) throws -> Value {
        while !SignalQueue.isToldToEnd {
            if let value = try step() { return value }
        }
        throw Interruption()
    }

    /// The error if this process must stop during a wait.
    private struct Interruption: Error {}

    private static let pause = Duration.milliseconds(100)
    private static let variable = "USHER_CHECKS"
    private static let opened = "opened"
}

// MARK: The child

extension ReleaseCheck {
    /// Returns the journal that this child process must check, as the environment names it; nil in any other process.
    ///
    /// Call this function before any thread starts, because the function changes the environment.
    static func takeSubject() -> Subject? { ProcessEnvironment.takeVariable(variable).map { Subject(text: $0) } }

    /// Checks the sessions of a journal, writes one line to standard output (the result as JSON, or an error), and
    /// returns the exit status.
    func runInChild(on subject: Subject, apps: [any App.Type]) -> Int32 {
        let answers = ExpendableProcess.become()
        ProcessEnvironment.takeName()
        do {
            let location = if case .copy(let path) = subject { JournalLocation.file(path) } else { options.journal }
            let journal = try location.inspect(keyFile: options.shared.sealing?.keyFile)
            answers.write(line: Self.opened)
            let time = options.releaseLimits.checksAll ? nil : ReleaseSample.time
            let sample = try BlockingTask.value {
                var random = SystemRandomNumberGenerator()
                let runner = IsolatedProcesses(width: ProcessEnvironment.processorCount)
                return try await ReleaseSample(of: journal, by: runner, within: time, random: &random)
            }
            answers.write(line: sample.json)
            return 0
        } catch {
            answers.write(line: "\(error)")
            return 1
        }
    }
}

extension ReleaseCheck.Subject {
    private static let word = "database"

    /// Parses the text that names the journal for a child.
    init(text: String) { self = text == Self.word ? .database : .copy(path: text) }

    var text: String {
        switch self {
        case .copy(let path): path
        case .database: Self.word
        }
    }

    func remove() {
        if case .copy(let path) = self { PrivateFile.remove(path) }
    }
}

/// The reason why a build does not take over, as one sentence.
struct ReleaseRefusal: Error, CustomStringConvertible {
    let description: String

    init(_ reason: String) { description = "--replace: \(reason)" }
}

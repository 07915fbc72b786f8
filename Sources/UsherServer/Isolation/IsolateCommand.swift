import Usher
import UsherExploration
import UsherProcess
import UsherSessions

/// The work of a child process.
enum IsolationSubject: String, CaseIterable {
    case sessions
    /// Probes of an app for an exploration.
    case probes
}

/// `usher isolate`: a child process that reads sessions or probes from standard input, runs each of them, and exits at
/// the end of the input.
///
/// For each message, the child writes a line of JSON: how the run ended, or the report of a probe. The child marks the
/// current run in the flight record that it inherited from its parent. The runs use the first thread, because the
/// parent can observe this thread.
package struct IsolateCommand: Sendable {
    private let subject: IsolationSubject

    /// Parses the command's operand, `sessions` or `probes`.
    init(_ words: CommandWords) throws(UsageError) {
        guard words.arguments.count == 1,
            let subject = words.arguments.first.flatMap({ IsolationSubject(rawValue: $0) })
        else {
            throw UsageError("isolate is only for the server itself, which passes sessions or probes")
        }
        self.subject = subject
    }

    /// Runs each message until the end of the input, then exits the process.
    func run(apps: [any App.Type]) async -> Never {
        let answers = ExpendableProcess.become()
        do {
            let record = try FlightRecord(inherited: WatchedChild.recordDescriptor)
            record.noteCrashes()
            while let message = try Self.message() {
                switch subject {
                case .sessions:
                    answers.write(line: try await IsolatedRun(message: message).end(in: apps, marking: record).json)
                case .probes:
                    let probe = try InputProbe(json: message)
                    guard let app = apps.first(where: { $0.name == probe.opening.app }) else {
                        throw UsageError("there is no app \"\(probe.opening.app)\"")
                    }
                    let begin = { record.begin(.input, of: (0, 0), app: app.name, upon: 0) }
                    begin()
                    let line = ProbeRun(probe, of: app, willTry: begin).report().json
                    record.end()
                    answers.write(line: line)
                }
            }
            ExpendableProcess.exit(0)
        } catch {
            StandardStream.error.write(line: "usher: \(error)")
            ExpendableProcess.exit(2)
        }
    }

    /// Reads a message, or returns nil at the end of standard input.
    private static func message() throws(IsolatedRun.Malformed) -> [UInt8]? {
        let length = StandardInput.read(IsolatedRun.lengthSize)
        return length.isEmpty ? nil : StandardInput.read(try IsolatedRun.length(length[...]))
    }
}

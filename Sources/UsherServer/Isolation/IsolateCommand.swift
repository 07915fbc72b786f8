import Usher
import UsherExploration
import UsherProcess
import UsherSessions

/// The work of a child process.
enum IsolationSubject: String, CaseIterable {
    /// Sessions and creations.
    case sessions
    /// Probes of an app for an exploration.
    case probes
}

/// `usher isolate`: a child process that runs sessions or probes from standard input until the input ends.
///
/// The child writes a line of JSON for each message: the end of the run, or the report of a probe. It marks the current
/// run in the flight record that it inherited from its parent. It runs on the first thread, which the parent can
/// observe while it waits.
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
    ///
    /// - Parameter apps: The apps of this build.
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

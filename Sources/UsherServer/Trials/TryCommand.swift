import Synchronization
import Usher
import UsherExploration
import UsherProcess
import UsherSessions

/// `usher try`: the child's side of trials, which reads them from standard input until that ends.
///
/// For each it writes lines: `started`; `replaying` now and then; `replayed BYTES` with its memory once the session stands
/// and the input is about to be handled; and the restoration as JSON at the end, or the report of a probe, which it is sent
/// where an app is explored. Dying writes a crash report in their place. It runs on the first thread, so that a signal that asks for a report finds there what hangs.
package struct TryCommand: Sendable {
    /// Seconds that a trial may take at most, should nobody be there to end it.
    private let seconds: Int
    private let subject: ChildSubject

    private static let standardSeconds = 600

    /// Reads the command's operands: the seconds, and `sessions` or `probes`.
    ///
    /// - Throws: `UsageError`.
    init(_ arguments: ArraySlice<String>) throws(UsageError) {
        let words = Array(arguments)
        let subject = words.count == 2 ? ChildSubject(rawValue: words[1]) : .sessions
        let seconds = words.isEmpty ? Self.standardSeconds : Int(words[0])
        guard let seconds, let subject, (1...Int(TrialLimits.longest)).contains(seconds), words.count <= 2 else {
            throw UsageError("try takes the seconds that a trial may take, not \"\(words.joined(separator: " "))\"")
        }
        self.seconds = seconds
        self.subject = subject
    }

    /// Makes trials until there are no more, and ends the process.
    ///
    /// - Parameter apps: The apps of this build.
    func run(apps: [any App.Type]) async -> Never {
        let answers = ExpendableProcess.become()
        CrashReporter.start(to: answers)
        do throws(TrialMessage.Malformed) {
            switch subject {
            case .sessions: try await run(apps: apps, answers)
            case .probes: try probe(apps: apps, answers)
            }
            CrashReporter.exit(0)
        } catch {
            StandardStream.error.write(line: "usher: \(error)")
            CrashReporter.exit(2)
        }
    }

    private func run(apps: [any App.Type], _ answers: AnswerStream) async throws(TrialMessage.Malformed) {
        while let trial = try Self.next() {
            ExpendableProcess.end(afterSeconds: seconds)
            answers.write(line: "started")
            let (beat, hasInput) = (Heartbeat(), trial.input != nil)
            let run = TrialRun(trial, apps: apps) { progress in
                switch progress {
                case .replaying(let revision):
                    CrashReporter.note(revision: revision)
                    if beat.isDue { answers.write(line: "replaying") }
                case .replayed:
                    CrashReporter.note(revision: 0)
                    if hasInput { answers.write(line: "replayed \(ResidentMemory().bytes ?? 0)") }
                }
            }
            answers.write(line: await run.ending().json)
            ExpendableProcess.end(afterSeconds: 0)
        }
    }

    /// Makes probes until there are no more.
    private func probe(apps: [any App.Type], _ answers: AnswerStream) throws(TrialMessage.Malformed) {
        while let message = try Self.message() {
            ExpendableProcess.end(afterSeconds: seconds)
            answers.write(line: "started")
            // A message that this build has not written, or of an app that it has not: nothing else can be said.
            guard let probe = try? InputProbe(json: message),
                let app = apps.first(where: { $0.name == probe.opening.app })
            else { CrashReporter.exit(2) }
            let run = ProbeRun(probe, of: app) { answers.write(line: "replayed \(ResidentMemory().bytes ?? 0)") }
            answers.write(line: run.report().json)
            ExpendableProcess.end(afterSeconds: 0)
        }
    }

    private static func next() throws(TrialMessage.Malformed) -> Trial? {
        try message().map { message throws(TrialMessage.Malformed) in try TrialMessage.trial(message) }
    }

    /// Reads a message; nil at the end of standard input.
    private static func message() throws(TrialMessage.Malformed) -> [UInt8]? {
        let length = StandardInput.read(TrialMessage.lengthSize)
        guard !length.isEmpty else { return nil }
        return StandardInput.read(try TrialMessage.length(length[...]))
    }
}

/// The beat of a replay that goes on: its parent gives each stretch the time of one input.
private final class Heartbeat: Sendable {
    private let last = Atomic(MonotonicClock.now)
    private static let interval: Int64 = 100_000_000

    /// True now and then.
    var isDue: Bool {
        let now = MonotonicClock.now
        guard now - last.load(ordering: .relaxed) > Self.interval else { return false }
        last.store(now, ordering: .relaxed)
        return true
    }
}

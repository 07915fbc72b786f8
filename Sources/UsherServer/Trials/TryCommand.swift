import Synchronization
import Usher
import UsherProcess
import UsherSessions

/// `usher try`: the child's side of trials, which reads them from standard input until that ends.
///
/// For each it writes lines: `started`; `replaying` now and then; `replayed BYTES` with its memory once the session stands
/// and the input is about to be handled; and the restoration as JSON at the end. Dying writes a crash report in their
/// place. It runs on the first thread, so that a signal that asks for a report finds there what hangs.
package struct TryCommand: Sendable {
    /// Seconds that a trial may take at most, should nobody be there to end it.
    private let seconds: Int

    private static let standardSeconds = 600

    /// Reads the command's operand: the seconds.
    ///
    /// - Throws: `UsageError`.
    init(_ arguments: ArraySlice<String>) throws(UsageError) {
        guard let text = arguments.first else {
            seconds = Self.standardSeconds
            return
        }
        guard let seconds = Int(text), (1...86_400).contains(seconds), arguments.count == 1 else {
            throw UsageError("try takes the seconds that a trial may take, not \"\(arguments.joined(separator: " "))\"")
        }
        self.seconds = seconds
    }

    /// Makes trials until there are no more, and ends the process.
    ///
    /// - Parameter apps: The apps of this build.
    func run(apps: [any App.Type]) async -> Never {
        let answers = ExpendableProcess.become()
        CrashReporter.start(to: answers)
        do throws(TrialMessage.Malformed) {
            try await run(apps: apps, answers)
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
            answers.write(line: await run.restoration().json)
            ExpendableProcess.end(afterSeconds: 0)
        }
    }

    private static func next() throws(TrialMessage.Malformed) -> Trial? {
        let length = StandardInput.read(TrialMessage.lengthSize)
        guard !length.isEmpty else { return nil }
        return try TrialMessage.trial(StandardInput.read(try TrialMessage.length(length[...])))
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

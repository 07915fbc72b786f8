import Synchronization
package import Usher
import UsherJSON
import UsherJournal

/// A trial as it is made in this process: the session is replayed, the input handled, and all described, encoded and ended
/// as a server would.
///
/// Nothing of it goes anywhere: no effect begins, and no journal is written.
package struct TrialRun {
    /// The steps that are told of while it runs.
    package enum Step: Equatable, Sendable {
        /// The entry of a revision is about to be handled again.
        case replaying(revision: Int)
        /// The session stands, and the input is about to be handled.
        case replayed(revision: Int)
    }

    private let trial: Trial
    private let apps: [any App.Type]
    private let stateLimit: Int
    private let note: @Sendable (Step) -> Void

    /// Prepares a trial.
    ///
    /// - Parameters:
    ///   - trial: The trial.
    ///   - apps: The apps of this build.
    ///   - stateLimit: Bytes of state that an app's limits may allow.
    ///   - note: Is told of each step before it is made.
    package init(
        _ trial: Trial, apps: [any App.Type], stateLimit: Int = .max,
        note: @escaping @Sendable (Step) -> Void = { _ in }
    ) {
        self.trial = trial
        self.apps = apps
        self.stateLimit = stateLimit
        self.note = note
    }

    /// Makes the trial.
    ///
    /// - Returns: The restoration of the session, and what its client could not draw; whatever came of the input is no
    ///   matter here.
    package func ending() async -> TrialEnding {
        guard let session = trial.session, let record = trial.record else {
            if let input = trial.input { tryCreation(input) }
            return .restored
        }
        let undrawn = UndrawnScreens()
        let replay = Replay(
            record.entries, apps: apps, stateLimit: stateLimit, marking: nil, staysOnThread: true,
            note: { [note] in note(.replaying(revision: $0)) }, noteUndrawn: undrawn.add)
        do {
            let (tree, divergence) = try await restore(replay)
            note(.replayed(revision: tree.revision))
            let last = try await handle(on: tree, replay)
            if let time = trial.copiedAt { Self.endWork(on: last, at: time) }
            show(last, of: session, record.head.app)
            return TrialEnding(divergence.map { .diverges($0) } ?? .restored, undrawn: undrawn.all)
        } catch {
            return TrialEnding(.unavailable(cause: SessionError(restoring: error).cause), undrawn: undrawn.all)
        }
    }

    private func restore(_ replay: Replay) async throws -> (tree: Tree, divergence: Divergence?) {
        let time = trial.input?.time ?? Timestamp(milliseconds: replay.entries.last?.time ?? 0)
        let result = try await replay.restore(at: time)
        return (result.tree, result.divergence)
    }

    /// Handles the input; as in a session, again on another tree where only a link was at fault.
    ///
    /// - Returns: The tree that was handled on at last.
    private func handle(on first: Tree, _ replay: Replay) async throws -> Tree {
        var tree = first
        guard let trialed = trial.input, var input = try? trialed.input else { return tree }
        while true {
            do throws(Rejection) {
                _ = try tree.handle(input)
                return tree
            } catch {
                guard tree.isBroken, let next = error.retry(of: input) else { return tree }
                input = next
            }
            tree = try await restore(replay).tree
            note(.replayed(revision: tree.revision))
        }
    }

    /// Does what comes by itself where a copy begins; what is refused then, the session records.
    private static func endWork(on tree: Tree, at time: Timestamp) {
        for work in tree.work where !tree.isBroken && work.due ?? time <= time {
            let content: InputContent =
                work.due == nil ? .result(work.id, .failure(.forked)) : .timer(work.id)
            _ = try? tree.handle(Input(content, at: time))
        }
    }

    private func tryCreation(_ input: TrialInput) {
        note(.replayed(revision: 0))
        guard let json = try? JSONDocument(parsing: input.payload).root,
            var creation = try? Creation(json, input.entry, apps: apps),
            let tree = try? creation.open(stateLimit: stateLimit)
        else { return }
        show(tree, of: SessionID(JournalKey(high: 0, low: 0)), trial.app)
    }

    /// Does all with the tree that an answer and an operator ask of it, and lets it go.
    private func show(_ tree: Tree, of session: SessionID, _ app: String) {
        var writer = JSONWriter(reservingCapacity: tree.stateBytes + 512)
        tree.writeState(of: session, app: app, into: &writer)
        _ = tree.report
        tree.end()
    }
}

/// The screens that a trial's client could not draw, each once, in the order in which they were found.
private final class UndrawnScreens: Sendable {
    private let found = Mutex<[UndrawableScreen]>([])

    var all: [UndrawableScreen] { found.withLock(\.self) }

    func add(_ screen: UndrawableScreen) {
        found.withLock { if !$0.contains(screen) { $0.append(screen) } }
    }
}

extension TrialInput {
    /// The input as the journal would have it.
    fileprivate var entry: Entry {
        Entry(
            kind == .creation ? .creation : .input, revision: revision + 1, time: time.milliseconds,
            before: .init(screen: 1, coordinator: 1), after: .init(screen: 1, coordinator: 1), digest: 0,
            payload: payload)
    }

    fileprivate var input: Input {
        get throws { Input(try Input(entry).content, at: time, link: link) }
    }
}

extension SessionError {
    /// The cause for the log of a session that cannot be restored.
    var cause: String {
        if case .onHold(let reason) = self { reason.cause } else { "\(self)" }
    }
}

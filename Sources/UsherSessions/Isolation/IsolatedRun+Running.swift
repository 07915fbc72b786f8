import Synchronization
package import Usher
import UsherJSON
import UsherJournal
package import UsherProcess

extension IsolatedRun {
    /// Performs the run in this process.
    ///
    /// The run replays the session and handles the input. Then the run describes, encodes and ends the tree, as a
    /// server would. The run starts no effect, and writes nothing to a journal.
    ///
    /// - Parameters:
    ///   - apps: The apps of this build.
    ///   - record: The flight record in which to mark the run; `nil` to mark nothing.
    /// - Returns: How this build would continue the session, and the screens that its client could not draw. The result
    ///   does not depend on whether the input succeeds.
    package func end(in apps: [any App.Type], marking record: FlightRecord? = nil) async -> IsolatedEnd {
        let session = session ?? SessionID(JournalKey(high: 0, low: 0))
        let flight = SessionFlight(record, of: session.journalKey, app: app)
        defer { flight.end() }
        let undrawn = UndrawnScreens()
        do {
            guard !entries.isEmpty else {
                if let tree = create(in: apps, flight) { show(tree, of: session) }
                return .restored
            }
            let replay = Replay(
                entries, apps: apps, stateLimit: .max, by: BuildIdentity.current, marking: flight, staysOnThread: true,
                noteUndrawn: undrawn.add)
            let restored = try await handled(replay, flight)
            let (tree, (fate, cause)) = (restored.tree, try CheckedSession.verdict(on: restored, of: entries))
            if let copiedAt { Self.endWork(on: tree, at: copiedAt, flight) }
            let (renewed, changes) = (renewedEffects(of: tree, in: replay), tree.changeNeeds)
            flight.begin(.look)
            let state = show(tree, of: session)
            return IsolatedEnd(
                fate, cause, undrawn: undrawn.all, renewed: renewed, changes: changes,
                state: showsState ? String(decoding: state, as: UTF8.self) : nil)
        } catch {
            let isEnd = apps.endSession(of: app, after: error)
            let (fate, cause) = CheckedSession.verdict(on: error, endingSession: isEnd)
            return IsolatedEnd(fate, cause, undrawn: undrawn.all)
        }
    }

    /// Restores the session and handles the input; if the input's deep link fails, retries the input, as a session
    /// does.
    private func handled(_ replay: Replay, _ flight: SessionFlight) async throws -> ReplayResult {
        let time = Timestamp(milliseconds: input?.time ?? entries.last?.time ?? 0)
        var input = input.flatMap { try? Input($0) }
        while true {
            let restored = try await replay.restore(at: time)
            guard let next = input else { return restored }
            flight.begin(next, upon: revision, [])
            do throws(Rejection) {
                _ = try restored.tree.handle(next)
                input = nil
            } catch {
                input = restored.tree.isBroken ? error.retry(of: next) : nil
            }
            if input == nil { return restored }
        }
    }

    /// Ends the pending work of a copied session; rejected results are ignored.
    private static func endWork(on tree: Tree, at time: Timestamp, _ flight: SessionFlight) {
        for work in tree.work where !tree.isBroken && work.due ?? time <= time {
            let content: InputContent = work.due == nil ? .result(work.id, .failure(.forked)) : .timer(work.id)
            let input = Input(content, at: time)
            flight.begin(input, upon: tree.revision, [])
            _ = try? tree.handle(input)
        }
    }

    /// Returns the names of running effects that another build started without recording their values.
    private func renewedEffects(of tree: Tree, in replay: Replay) -> [String] {
        guard entries.newestBuild != replay.build, let creation = entries.first.flatMap({ try? replay.creation($0) })
        else { return [] }
        // In a copy of a session, the original session's effects fail, so this list leaves them out.
        return tree.effectsWithoutRecordedValue.filter { $0.id.revision > creation.copiedRevision }.map(\.name)
    }

    private func create(in apps: [any App.Type], _ flight: SessionFlight) -> Tree? {
        guard let input, let json = try? JSONDocument(parsing: input.payload).root,
            var creation = try? Creation(json, input, apps: apps)
        else { return nil }
        flight.begin(creation)
        return try? creation.open(stateLimit: .max)
    }

    /// Runs all app code that an answer or an operator's report would run, ends the tree, and returns the state as
    /// JSON.
    @discardableResult
    private func show(_ tree: Tree, of session: SessionID) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: tree.stateBytes + 512)
        tree.writeState(of: session, app: app, into: &writer)
        _ = tree.report
        tree.end()
        return writer.bytes
    }
}

/// The screens that the session's client could not draw, each once, in the order in which the run found them.
private final class UndrawnScreens: Sendable {
    private let found = Mutex<[UndrawableScreen]>([])

    var all: [UndrawableScreen] { found.withLock(\.self) }

    func add(_ screen: UndrawableScreen) {
        found.withLock { if !$0.contains(screen) { $0.append(screen) } }
    }
}

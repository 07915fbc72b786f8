import Usher

extension SessionLife {
    mutating func handle(
        _ action: InputAction, if precondition: Precondition, at time: Timestamp, of session: Session
    ) throws(SessionError) -> Snapshot {
        let tree = try standing().tree
        guard precondition.holds(for: tree.revision) else {
            throw .preconditionFailed(current: tree.snapshot(of: session))
        }
        let leaks = tree.leaks.count
        // Not always the same tree: an input may have to be handled again on a rebuilt one.
        let result = try apply(Input(action, at: time), of: session)
        census = result.census
        let snapshot = result.snapshot(of: session, leaksSince: leaks)
        buryIfEnded(result, at: time, session)
        return snapshot
    }

    /// The leaks before an input.
    private struct KnownLeaks {
        let list: [Leak]
        let count: Int
    }

    private mutating func apply(_ input: Input, of session: Session) throws(SessionError) -> Tree {
        let standing = try standing()
        let tree = standing.tree
        if let excess = excess(of: standing) { throw .rejected(excess, current: tree.snapshot(of: session)) }
        let identifiers = tree.identifiers
        let leaks = KnownLeaks(list: tree.leaks, count: tree.census.leaked)
        do {
            if try tree.handle(input) {
                live?.recorded += try standing.recording.append(input, identifiers: identifiers, to: tree)
            }
            return tree
        } catch let rejection as Rejection {
            if tree.isBroken { try rollBack(from: tree, leaks: leaks, at: input.time, of: session) }
            // Only the link was at fault, not what the user did.
            if let retry = rejection.retry { return try apply(input.handling(link: retry), of: session) }
            throw .rejected(rejection, current: try snapshot(of: session))
        } catch {
            // What is not in the journal has not happened.
            try rollBack(from: tree, leaks: leaks, at: input.time, of: session)
            throw .notRecorded(cause: "\(error)")
        }
    }

    /// What keeps a session from accepting any further input.
    private func excess(of live: Live) -> Rejection? {
        if live.tree.revision >= settings.inputLimit {
            return Rejection(.limit, "a session accepts at most \(settings.inputLimit) inputs; open another session")
        }
        if live.recorded >= settings.recordLimit {
            return Rejection(
                .limit, "the inputs of a session can take at most \(settings.recordLimit) bytes; open another session")
        }
        return nil
    }

    /// Drops a tree that an input broke and builds it again as it was before; ids that were spent stay spent.
    ///
    /// - Parameter leaks: Those that there were before the input.
    private mutating func rollBack(
        from broken: Tree, leaks: KnownLeaks, at time: Timestamp, of session: Session
    ) throws(SessionError) {
        do {
            guard let rebuilt = try live?.recording.replay(limits: settings.limits) else { return }
            rebuilt.succeed(broken, leaks: leaks.list, count: leaks.count)
            live?.tree = rebuilt
        } catch {
            _ = broken.end()
            census = broken.census
            let tombstone = Tombstone(reason: .diverged, time: time, app: session.appName)
            bury(tombstone)
            throw .diverged(tombstone, cause: "\(error)")
        }
    }
}

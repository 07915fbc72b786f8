import Usher

extension SessionLife {
    mutating func handle(
        _ action: InputAction, if precondition: Precondition, at time: Timestamp, of session: Session
    ) throws(SessionError) -> Snapshot {
        let tree = try standing().tree
        guard precondition.holds(for: tree.revision) else {
            throw .preconditionFailed(current: tree.snapshot(of: session))
        }
        let leaksBefore = tree.leaks.count
        // Not always the same tree: an input may have to be handled again on a rebuilt one.
        let result = try apply(Input(action, at: time), of: session)
        census = result.census
        let snapshot = result.snapshot(of: session, leaksSince: leaksBefore)
        buryIfEnded(result, at: time, session)
        return snapshot
    }

    private mutating func apply(_ input: Input, of session: Session) throws(SessionError) -> Tree {
        let tree = try standing().tree
        let identifiers = tree.identifiers
        guard tree.revision < settings.inputLimit else {
            let reason = "a session accepts at most \(settings.inputLimit) inputs; open another session"
            throw .rejected(Rejection(.limit, reason), current: try snapshot(of: session))
        }
        do {
            if try tree.handle(input) { try live?.recording.append(input, identifiers: identifiers, to: tree) }
            return tree
        } catch let rejection as Rejection {
            if tree.isBroken { try rollBack(from: tree, at: input.time, of: session) }
            // Only the link was at fault, not what the user did.
            if let retry = rejection.retry { return try apply(input.handling(link: retry), of: session) }
            throw .rejected(rejection, current: try snapshot(of: session))
        } catch {
            // What is not in the journal has not happened.
            try rollBack(from: tree, at: input.time, of: session)
            throw .notRecorded(cause: "\(error)")
        }
    }

    /// Drops a tree that an input broke and builds it again as it was before; ids that were spent stay spent.
    private mutating func rollBack(from broken: Tree, at time: Timestamp, of session: Session) throws(SessionError) {
        do {
            guard let rebuilt = try live?.recording.replay(limits: settings.limits) else { return }
            rebuilt.succeed(broken)
            live?.tree = rebuilt
        } catch {
            _ = broken.end()
            census = broken.census
            let tombstone = Tombstone(reason: .diverged, time: time, app: session.appName)
            bury(tombstone)
            throw .ended(tombstone)
        }
    }
}

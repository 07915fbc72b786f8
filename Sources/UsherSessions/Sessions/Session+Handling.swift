import Synchronization
import Usher

extension Session {
    /// Handles what a user did.
    ///
    /// - Parameter request: What the user did, and under which conditions that counts.
    /// - Returns: What the session shows afterwards.
    /// - Throws: `SessionError`; the session is then as it was.
    package func handle(_ request: InputRequest) async throws(SessionError) -> Snapshot {
        try await finish(request, from: begin(request))
    }

    /// Lets a request do what can be done at once; `answer(to:after:)` or `finish(_:from:)` goes on from there.
    func begin(_ request: InputRequest) -> Turn<Handled> {
        noteUse()
        return turn(request, link: .follow, lookup: nil)
    }

    /// The answer to a request, where nothing has to be waited for.
    func answer(to request: InputRequest, after turn: Turn<Handled>) -> Result<Snapshot, SessionError>? {
        guard case .settled(let settlement) = turn, settlement.isKept else { return nil }
        return switch settlement.result {
        case .success(let handled) where handled.token != nil && request.wait != nil: nil
        case .success(let handled): .success(note(handled))
        case .failure(let error): .failure(error)
        }
    }

    /// The answer that a request gets where nothing has to be waited for but the disk, and nothing is to be done then.
    func settlement(of turn: Turn<Handled>, for request: InputRequest) -> Settlement<Handled>? {
        guard case .settled(let settlement) = turn, case .success(let handled) = settlement.result, !handled.isBusy,
            handled.token == nil || request.wait == nil, handled.snapshot.ending == nil,
            handled.snapshot.newLeaks.isEmpty
        else { return nil }
        return settlement
    }

    /// Does all that a request needs, however long that takes.
    ///
    /// - Parameters:
    ///   - request: What the user did, and under which conditions that counts.
    ///   - turn: How far it has come.
    func finish(_ request: InputRequest, from turn: Turn<Handled>) async throws(SessionError) -> Snapshot {
        var turn = turn
        var link = LinkHandling.follow
        var lookup: KeyLookup?
        while true {
            switch turn {
            case .asleep:
                if let first = try await wake(orAnswer: request.key) { return replay(first) }
            case .known(let found):
                if let first = try await firstAnswer(to: request.key) { return replay(first) }
                lookup = found
            case .undone(let rejection):
                // Only a link was at fault, not what the user did.
                guard let retry = rejection.retry else {
                    throw .rejected(rejection, current: try await snapshot())
                }
                link = retry
            case .settled(let settlement):
                if let handled = try await settlement.kept() { return try await answer(to: request, with: handled) }
            }
            turn = self.turn(request, link: link, lookup: lookup)
        }
    }

    private func turn(_ request: InputRequest, link: LinkHandling, lookup: KeyLookup?) -> Turn<Handled> {
        life.withLock { $0.take { $0.handle(request, link: link, lookup: lookup) } }
    }

    private func answer(to request: InputRequest, with handled: Handled) async throws(SessionError) -> Snapshot {
        let snapshot = note(handled)
        guard let token = handled.token, let wait = request.wait else { return snapshot }
        return try await waitedAnswer(token, within: wait, first: snapshot)
    }

    /// Does what has to be done once an input is kept.
    private func note(_ handled: Handled) -> Snapshot {
        if handled.isBusy { noteKept(handled.snapshot.revision) }
        report(handled.snapshot)
        count(handled)
        return handled.snapshot
    }

    /// Wakes the session; where this build cannot, a key's first answer is still there.
    private func wake(orAnswer key: IdempotencyKey?) async throws(SessionError) -> Snapshot? {
        do throws(SessionError) {
            try await wake()
            return nil
        } catch {
            guard case .notRestored = error, let first = try? await firstAnswer(to: key) else { throw error }
            return first
        }
    }
}

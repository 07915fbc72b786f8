package import Usher
import UsherJSON
import UsherJournal

/// The result of a check that shows how this build would continue a session.
package struct CheckedSession: Sendable {
    /// What a server of this build would do with the session when the session wakes.
    package enum Fate: String, CaseIterable, Codable, Sendable {
        /// The session is unchanged.
        case unchanged
        /// The session resumes at an earlier revision.
        case resumed
        /// The session begins again from its creation, because this build handles even the creation differently.
        case anew
        /// The session is on hold.
        case held
        /// The session ends as soon as the release is confirmed, because its app chose this. Until then, the session is
        /// on hold.
        case ended
        /// The session is on hold, because its record is damaged.
        case unreadable
        /// The session could not be checked, because no child process was able to run it.
        case untried
    }

    /// The cause of a change in how the session continues.
    package struct Cause: Equatable, Codable, Sendable {
        /// The cause in one sentence.
        package var text: String
        /// The cause without ids, revisions and authors' texts, so that all affected sessions have the same text.
        package var common: String
        /// The revision at which this build differs; `nil` if the difference is not at an input.
        package var revision: Int?
        /// The difference, if this build handles an input in another way.
        package var divergence: Divergence?
        /// The facts that the session loses or, if it is on hold, would lose without the hold.
        package var losses: [LostFact] = []
        /// The reason why the session is on hold.
        package var reason: HoldReason.Kind?
        /// The revision after which the session resumes; 0 if it begins again.
        package var resumesAfter: Int?
    }

    package let id: SessionID
    package let app: String
    /// The session's newest revision.
    package let revision: Int
    /// The client that opened the session.
    package let client: Client
    /// How this build would continue the session.
    package let fate: Fate
    /// The cause of the change; `nil` if the session is unchanged.
    package let cause: Cause?
    /// The screens that this build would show at any revision and that the client cannot draw.
    package let undrawn: [UndrawableScreen]
    /// The names of running effects that another build started, and that this build would run again with its own
    /// values.
    package let renewed: [String]
    /// The app's changes whose old code this session still needs; empty if this build cannot restore the session.
    package let changes: [ChangeNeed]
    /// The session's state as JSON, if requested; `nil` if this build cannot show the session.
    package let state: String?

    init(_ id: SessionID, of app: String, at revision: Int, _ outcome: IsolatedOutcome, entries: [Entry] = []) {
        (self.id, self.app, self.revision) = (id, app, revision)
        client = entries.first?.client ?? Client()
        let end =
            switch outcome {
            case .ended(let end): end
            case .crashes(let crash):
                IsolatedEnd(.held, Cause(crash, at: entries.first { $0.revision == crash.revision }))
            case .untried(let reason): IsolatedEnd(.untried, Cause(text: reason, common: reason))
            }
        (fate, cause, undrawn) = (end.fate, end.cause, end.undrawn)
        (renewed, changes, state) = (end.renewed, end.changes, end.state)
    }
}

extension CheckedSession {
    /// Returns how a server of this build would continue a session that this build has restored.
    ///
    /// - Throws: `JSONError` for an entry that no build writes.
    static func verdict(on result: ReplayResult, of entries: [Entry]) throws(JSONError) -> (Fate, Cause?) {
        guard let divergence = result.divergence, let entry = result.entry else { return (.unchanged, nil) }
        let revision = try Resumption(entry).revision
        // Only if the app always resumes can the session lose more than navigation.
        let losses = try DroppedPart(of: EffectiveHistory(entries), from: revision + 1).losses
        return (revision == 0 ? .anew : .resumed, Cause(divergence, losing: losses, resumesAfter: revision))
    }

    /// Returns what a server of this build would do with a session that this build cannot restore.
    static func verdict(on error: any Error, endingSession isEnd: Bool) -> (Fate, Cause?) {
        let reason = HoldReason(restoring: error)
        guard case ReplayError.losesFacts(let divergence, let losses) = error else {
            return (reason.kind == .recordDamaged ? .unreadable : .held, Cause(reason))
        }
        return isEnd
            ? (.ended, Cause(divergence, losing: losses))
            : (.held, Cause(divergence, losing: losses, reason: reason.kind))
    }
}

extension CheckedSession.Cause {
    init(_ reason: HoldReason) {
        self.init(text: reason.cause, common: reason.fault, reason: reason.kind)
    }

    fileprivate init(
        _ divergence: Divergence, losing losses: [LostFact], reason: HoldReason.Kind? = nil, resumesAfter: Int? = nil
    ) {
        self.init(
            text: "\(divergence)", common: divergence.cause, revision: divergence.revision, divergence: divergence,
            losses: losses, reason: reason, resumesAfter: resumesAfter)
    }

    /// Creates the cause for a crash at an entry; without an entry, the crash happened after the replay of all entries.
    fileprivate init(_ crash: Crash, at entry: Entry?) {
        let input = entry.map { "input \($0.revision) (\($0.summary))" } ?? "showing the session"
        self.init(
            text: "\(input) ends the process: \(crash)",
            common: "\(entry?.summary ?? "showing the session") ends the process: \(crash)", revision: entry?.revision,
            reason: .replayCrashes)
    }
}

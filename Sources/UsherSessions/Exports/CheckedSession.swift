package import Usher
import UsherJournal

/// What a build makes of a session.
package struct CheckedSession: Sendable {
    /// What a server of the build does with the session when it wakes.
    package enum Fate: String, CaseIterable, Sendable {
        /// It is as it was.
        case unchanged
        /// It goes on from an earlier revision.
        case resumed
        /// It goes on from its creation, which differs.
        case anew
        /// It is on hold.
        case held
        /// It ends, because its app chooses so; until the release is confirmed, it is on hold.
        case ended
        /// It is on hold, because its record is damaged.
        case unreadable
        /// Nothing is known: no child process could run it.
        case untried
    }

    /// Why a session does not stay as it is.
    package struct Cause: Sendable {
        /// The cause in one sentence.
        package var text: String
        /// The cause without ids, revisions and authors' texts: the same in all sessions that have it.
        package var common: String
        /// The revision at which this build differs; nil if it is no input that differs.
        package var revision: Int?
        /// The difference, if this build handles an input differently.
        package var divergence: Divergence?
        /// The facts that are lost, or would be if the session were not on hold.
        package var losses: [LostFact] = []
        /// The reason for which the session is on hold.
        package var reason: HoldReason.Kind?
        /// The revision from which the session goes on; 0 if it begins anew.
        package var resumesAfter: Int?
    }

    /// The session.
    package let id: SessionID
    /// The name of its app.
    package let app: String
    /// Its newest revision.
    package let revision: Int
    /// The client that has opened it.
    package let client: Client
    /// What this build does with it.
    package let fate: Fate
    /// Why it does not stay as it is; nil if it does.
    package let cause: Cause?
    /// The screens that its inputs lead, or have led, to, and that its client cannot draw in this build's version.
    package let undrawn: [UndrawableScreen]
    /// The names of effects under way that another build has begun and that run with this build's value.
    package let renewed: [String]
    /// What the session needs of the app's code before each of its changes; nothing if this build cannot restore it.
    package let changes: [ChangeNeed]
    /// Its state as a client sees it, as JSON, if it was wanted; nil if this build cannot show it.
    package let state: String?

    init(_ id: SessionID, of app: String, at revision: Int, _ outcome: IsolatedOutcome, entries: [Entry] = []) {
        (self.id, self.app, self.revision) = (id, app, revision)
        client = entries.first?.client ?? Client()
        let end = if case .ended(let end) = outcome { end } else { IsolatedEnd.restored }
        (undrawn, renewed, changes, state) = (end.undrawn, end.renewed, end.changes, end.state)
        (fate, cause) =
            switch outcome {
            case .ended(let end): Self.judgement(on: end.restoration)
            case .crashes(let crash): (.held, Cause(crash, at: entries.first { $0.revision == crash.revision }))
            case .untried(let reason): (.untried, Cause(text: reason, common: reason))
            }
    }

    private static func judgement(on restoration: SessionRestoration) -> (Fate, Cause?) {
        switch restoration {
        case .restored: (.unchanged, nil)
        case .resumes(let revision, let divergence, let losses):
            (revision == 0 ? .anew : .resumed, Cause(divergence, losing: losses, resumesAfter: revision))
        case .held(let reason, let divergence?, let losses):
            (.held, Cause(divergence, losing: losses, reason: reason.kind))
        case .ends(let divergence, let losses): (.ended, Cause(divergence, losing: losses))
        case .held(let reason, nil, _):
            (
                reason.kind == .recordDamaged ? .unreadable : .held,
                Cause(text: reason.cause, common: reason.fault, reason: reason.kind)
            )
        }
    }
}

extension CheckedSession.Cause {
    fileprivate init(
        _ divergence: Divergence, losing losses: [LostFact], reason: HoldReason.Kind? = nil, resumesAfter: Int? = nil
    ) {
        self.init(
            text: "\(divergence)", common: divergence.cause, revision: divergence.revision, divergence: divergence,
            losses: losses, reason: reason, resumesAfter: resumesAfter)
    }

    /// The death of a process at an entry; nil if it died at what all entries lead to.
    fileprivate init(_ crash: Crash, at entry: Entry?) {
        let input = entry.map { "input \($0.revision) (\($0.summary))" } ?? "showing it"
        self.init(
            text: "\(input) ends the process: \(crash)",
            common: "\(entry?.summary ?? "showing it") ends the process: \(crash)", revision: entry?.revision,
            reason: .replayCrashes)
    }
}

import Usher
import UsherJSON
import UsherJournal

/// Why this build must not serve a session.
///
/// The session's record stays unchanged. Another build may serve the session, and an operator may end the session.
package enum HoldReason: Equatable, Codable, Sendable {
    /// The replay of a revision crashes the process; `crash` describes the crash for the operator.
    case replayCrashes(revision: Int, crash: String)
    /// This build has no app of this name.
    case appMissing(String)
    /// This build cannot decode the options that the session was opened with.
    case optionsInvalid(cause: String)
    /// The session's record in the journal cannot be read.
    case recordDamaged(cause: String)
    /// The app does not start in the same way as when the session was opened, or the client cannot draw the first
    /// screen.
    case startFails(cause: String)
    /// This build cannot replay the session to its end without losing recorded facts: the result of an effect, a
    /// running effect, or a backend's message.
    case losesFacts(cause: String)

    /// The kinds of reasons, as names for programs.
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case replayCrashes = "replay-crashes"
        case appMissing = "app-missing"
        case optionsInvalid = "options-invalid"
        case recordDamaged = "record-damaged"
        case startFails = "start-fails"
        case losesFacts = "loses-facts"
    }

    /// The kind of the reason.
    package var kind: Kind {
        switch self {
        case .replayCrashes: .replayCrashes
        case .appMissing: .appMissing
        case .optionsInvalid: .optionsInvalid
        case .recordDamaged: .recordDamaged
        case .startFails: .startFails
        case .losesFacts: .losesFacts
        }
    }

    /// The cause, in one sentence for an operator.
    package var cause: String {
        switch self {
        case .replayCrashes(let revision, let crash): "the replay of revision \(revision) ends the process (\(crash))"
        case .appMissing(let app): "there is no app \"\(app)\" in this build"
        case .optionsInvalid(let cause), .recordDamaged(let cause), .startFails(let cause), .losesFacts(let cause):
            cause
        }
    }

    /// One sentence for a client: what is wrong, and what to do.
    package var detail: String { "the session is on hold, because \(fault); \(advice)" }

    /// What is wrong; unlike `cause`, this text contains no words of the app's author.
    package var fault: String {
        switch self {
        case .replayCrashes(let revision, _): "the replay of its revision \(revision) ends this build's process"
        case .appMissing(let app): "this build has no app \"\(app)\""
        case .optionsInvalid: "this build cannot decode the session's options"
        case .recordDamaged: "its record in the journal is damaged"
        case .startFails: "this build cannot repeat the session's start"
        case .losesFacts: "this build cannot repeat all of the session's inputs"
        }
    }
}

extension HoldReason {
    /// A Boolean value that indicates whether the build that wrote the session may still be able to serve the session.
    var dependsOnBuild: Bool {
        switch self {
        case .recordDamaged: false
        case .replayCrashes, .appMissing, .optionsInvalid, .startFails, .losesFacts: true
        }
    }

    private var advice: String {
        switch self {
        case .losesFacts: "another build may serve it again"
        default: "retrying does not help, so open another session"
        }
    }
}

extension HoldReason {
    /// Creates the reason for a guilty input: an entry whose replay has crashed the process.
    init(_ crash: GuiltyInput) {
        self = .replayCrashes(revision: crash.identity.revision, crash: crash.crash)
    }
}

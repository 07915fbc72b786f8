package import Usher
package import UsherJournal

/// A replay that is made in a child process, where a crash costs nothing: of a session, with one more input maybe.
///
/// It holds all that the child needs: that one has no access to the journal.
package struct Trial: Sendable {
    /// The session; nil for a creation, which has none yet.
    package let session: SessionID?
    /// The name of its app.
    package let app: String
    /// The session's header and its entries; nil for a creation.
    package let record: SessionRecord?
    /// The input that comes upon the record's newest revision, or the creation; nil to replay the record alone.
    package let input: TrialInput?
    /// The time at which the record becomes another session: effects under way then fail, and timers come that are due;
    /// nil where it goes on as the one that it is.
    package let copiedAt: Timestamp?

    /// Makes the trial of a session.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - record: Its header and its entries, up to the revision that the input comes upon.
    ///   - input: The input; nil to replay the record alone.
    ///   - time: The time at which the record becomes another session; nil where it does not.
    package init(
        of session: SessionID, _ record: SessionRecord, input: TrialInput? = nil, copiedAt time: Timestamp? = nil
    ) {
        copiedAt = time
        self.session = session
        app = record.head.app
        self.record = record
        self.input = input
    }

    /// Makes the trial of a creation.
    ///
    /// - Parameters:
    ///   - input: The creation, with the payload that its entry would have.
    ///   - app: The name of its app.
    package init(creating input: TrialInput, of app: String) {
        session = nil
        copiedAt = nil
        self.app = app
        record = nil
        self.input = input
    }
}

/// An input as the journal would have it, before it is handled.
package struct TrialInput: Sendable {
    /// The kind of input; never `replay`.
    package let kind: GuiltyInput.Kind
    /// The revision that it comes upon; 0 for a creation.
    package let revision: Int
    /// The payload as its entry would hold it (`Input.write(into:secrets:)`), without the reason of a dropped link.
    package let payload: [UInt8]
    /// The time at which it came.
    package let time: Timestamp
    /// The handling of a link, the one that waits or the one that it brings.
    package let link: LinkHandling

    /// Makes an input.
    ///
    /// - Parameters:
    ///   - kind: The kind of input.
    ///   - revision: The revision that it comes upon.
    ///   - payload: The payload as its entry would hold it.
    ///   - time: When it came.
    ///   - link: What is done with a link.
    package init(
        _ kind: GuiltyInput.Kind, upon revision: Int, payload: [UInt8], time: Timestamp, link: LinkHandling = .follow
    ) {
        self.kind = kind
        self.revision = revision
        self.payload = payload
        self.time = time
        self.link = link
    }
}

/// The verdict of a trial.
package enum TrialVerdict: Equatable, Sendable {
    /// The child came to the end, whatever the app answered.
    case survives
    /// The child died.
    case crashes(Crash)
    /// Nothing is known: the child could not be started, or was ended for another reason; one sentence for the log.
    case untried(reason: String)
}

/// The death of a child process at a trial.
package struct Crash: Equatable, Sendable {
    /// The cause: the name of a signal such as `SIGILL`, `exit N`, `timeout` or `memory`.
    package let cause: String
    /// The function that it died in, where a backtrace gives one.
    package let symbol: String?
    /// The revision of the entry whose replay it died at; nil where it was the input behind them all.
    package let revision: Int?

    /// Makes a crash.
    ///
    /// - Parameters:
    ///   - cause: The name of a signal, `exit N`, `timeout` or `memory`.
    ///   - symbol: The function that it died in.
    ///   - revision: The revision of the entry whose replay it died at.
    package init(_ cause: String, in symbol: String? = nil, at revision: Int? = nil) {
        self.cause = cause
        self.symbol = symbol
        self.revision = revision
    }
}

extension Crash: CustomStringConvertible {
    /// The cause and the place, such as `SIGILL in Shop.pay()`.
    package var description: String {
        symbol.map { "\(cause) in \($0)" } ?? cause
    }
}

/// Something that makes trials; a test puts in its own.
package protocol TrialRunner: Sendable {
    /// Makes a trial, and waits for its end, or for its turn: a runner bounds how many run at once.
    ///
    /// - Parameter trial: The trial.
    func verdict(on trial: Trial) async -> TrialVerdict
}

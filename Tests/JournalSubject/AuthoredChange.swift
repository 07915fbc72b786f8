import Synchronization
package import UsherJournal

/// The changes of an author, each of which builds on the one that was submitted before.
package final class AuthorTail: Sendable {
    private let submitted: Mutex<PendingCommit>

    /// Begins at a version of a record; nil for a record that is not there yet, and where one server has the journal.
    package init(at version: RecordToken? = nil) {
        submitted = Mutex(PendingCommit(.success(version)))
    }

    /// The commit of the change that was submitted last.
    package fileprivate(set) var newest: PendingCommit {
        get { submitted.withLock(\.self) }
        set { submitted.withLock { $0 = newValue } }
    }

    /// Why the newest change has not happened.
    package var failure: JournalError? { newest.failure }

    /// True if the newest change has failed.
    package var isBroken: Bool { failure != nil }

    /// The version of the record after the newest change.
    package var token: RecordToken? { newest.version }

    /// Lets all that follows build on a change that has failed.
    package func fail(_ error: JournalError) { newest = PendingCommit(.failure(error)) }
}

/// A change of an author's, which builds on the one that is the author's newest when this one is submitted.
package struct AuthoredChange: Sendable {
    package let action: JournalChange.Action
    package let key: JournalKey
    package let tail: AuthorTail
    private let begun: [BegunWork]

    package init(
        _ action: JournalChange.Action, of key: JournalKey, at tail: AuthorTail = AuthorTail(),
        beginning begun: [BegunWork] = []
    ) {
        self.action = action
        self.key = key
        self.tail = tail
        self.begun = begun
    }

    /// The change for the journal, if it is submitted now.
    package var next: JournalChange { JournalChange(action, of: key, upon: tail.newest, beginning: begun) }
}

extension Journal {
    /// Submits an author's change.
    @discardableResult
    package func submit(_ change: AuthoredChange) -> PendingCommit {
        let commit = submit(change.next)
        change.tail.newest = commit
        return commit
    }
}

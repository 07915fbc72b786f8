import Synchronization
package import UsherJournal

/// The changes of an author, each of which builds on the previously submitted one.
package final class AuthorTail: Sendable {
    private let submitted: Mutex<PendingCommit>

    /// Starts at a version of a record; nil if there is no record yet, or if only one server uses the journal.
    package init(at version: RecordToken? = nil) {
        submitted = Mutex(PendingCommit(.success(version)))
    }

    /// The commit of the change that was submitted last.
    package fileprivate(set) var newest: PendingCommit {
        get { submitted.withLock(\.self) }
        set { submitted.withLock { $0 = newValue } }
    }

    /// The error of the newest change; nil if it has not failed.
    package var failure: JournalError? { newest.failure }

    /// A Boolean value that indicates whether the newest change has failed.
    package var isBroken: Bool { failure != nil }

    /// The version of the record after the newest change.
    package var token: RecordToken? { newest.version }

    /// Makes all later changes build on a failed change.
    package func fail(_ error: JournalError) { newest = PendingCommit(.failure(error)) }
}

/// An author's change, which builds on the newest change at the time when it is submitted.
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

    /// The journal's change if this change is submitted now.
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

/// One atomic step in a session's record: either all of it becomes durable, or nothing.
///
/// A change is written only if its basis was written. A creation requires that the session does not exist. If several
/// servers write the journal, an append, a new beginning, a response alone, a grant and an end require the record's
/// version to be that of their basis. The other steps require nothing, because no other step can build on what they
/// change.
package struct JournalChange: Sendable {
    /// The kinds of steps.
    package enum Action: Sendable {
        /// Creates a session with the entries of its first revisions, and with the response if the client gave a key.
        case create(SessionHeader, entries: [[UInt8]], opening: KeyedAnswer?)
        /// Appends the entry of the new header's revision.
        case append(SessionHeader, entry: [UInt8], answer: KeyedAnswer?)
        /// Appends the entries of successive revisions up to the new header's.
        ///
        /// They are a resumption, the timers that were due, and the input that ends the way back.
        case extend(SessionHeader, entries: [[UInt8]], answer: KeyedAnswer?)
        /// Appends an entry that starts the session's history over.
        ///
        /// All earlier entries are deleted; the responses stay. Revisions may be left out, because their entries would be
        /// deleted, too.
        case startOver(SessionHeader, entry: [UInt8], answer: KeyedAnswer?)
        /// Stores only a response, because the request changed nothing else.
        case keep(SessionHeader, answer: KeyedAnswer)
        /// Stores a header that differs only in the tokens that open the session, or in the reserved ids.
        case grant(SessionHeader)
        /// Adds the body to a response that was stored without one, now that its result is known.
        case complete(KeyedAnswer)
        /// Ends the session: deletes its entries, and stores the last header; its responses stay until a purge.
        ///
        /// If a time is given (in milliseconds since 1970), the session ends only if it was not touched after that
        /// time.
        case end(SessionHeader, answer: KeyedAnswer?, untouchedSince: Int64? = nil)
        /// Erases the secrets of an entry.
        case erase(revision: Int)
        /// Records a use of the session that has no entry, in milliseconds since 1970.
        case touch(Int64)
    }

    /// The session.
    package let key: JournalKey
    /// The change that this one builds on, or the version of the record that the session's tree has read.
    package let basis: PendingCommit
    /// The step.
    package let action: Action
    /// The work that the change's input starts, if several servers may run it; otherwise empty.
    package let begun: [BegunWork]
    /// A build that must not be running: the change conflicts while a server of this build is alive.
    ///
    /// Nil for none.
    package let rival: UInt64?
    /// The pending commit in which a journal with a queue records the outcome; set by the queue.
    package internal(set) var commit = PendingCommit.done

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - action: The step.
    ///   - key: The session.
    ///   - basis: The change that this one builds on, or the version of the record that the session's tree has read.
    ///   - begun: The work that the change's input starts, if several servers may run it.
    ///   - rival: A build that must not be running; nil for none.
    package init(
        _ action: Action, of key: JournalKey, upon basis: PendingCommit = .done, beginning begun: [BegunWork] = [],
        unlessServedBy rival: UInt64? = nil
    ) {
        self.key = key
        self.basis = basis
        self.action = action
        self.begun = begun
        self.rival = rival
    }
}

extension JournalChange {
    /// Records that the change has failed.
    ///
    /// - Parameter error: The reason; the first one is final.
    package func fail(_ error: JournalError) {
        commit.note(.failure(error))
    }

    /// Records that the change was written to a journal that several servers share.
    ///
    /// - Parameter version: The version of the record after the change.
    package func succeed(at version: RecordToken?) {
        if let version { commit.note(.success(version)) }
    }

    /// Fails the change if its basis has failed.
    ///
    /// - Returns: `true` if the change has failed, now or before.
    package func failWithBasis() -> Bool {
        guard let failure = commit.failure ?? basis.failure else { return false }
        fail(failure)
        return true
    }

    /// The revision of the record after the change; nil for a change that expects no revision.
    package var revision: Int? {
        switch action {
        case .create(let header, _, _), .append(let header, _, _), .extend(let header, _, _),
            .startOver(let header, _, _), .keep(let header, _), .grant(let header), .end(let header, _, _):
            header.revision
        case .complete, .erase, .touch: nil
        }
    }

    /// The approximate size in bytes of the change while it waits.
    package var size: Int {
        switch action {
        case .erase, .touch, .grant: 100
        default: 200 + contentSize
        }
    }

    /// The size in bytes of the change's entries and responses.
    var contentSize: Int {
        switch action {
        case .create(_, let entries, let answer), .extend(_, let entries, let answer):
            entries.reduce(0) { $0 + $1.count } + (answer?.body.count ?? 0)
        case .append(_, let entry, let answer), .startOver(_, let entry, let answer):
            entry.count + (answer?.body.count ?? 0)
        case .keep(_, let answer), .complete(let answer): answer.body.count
        case .end(_, let answer, _): answer?.body.count ?? 0
        case .erase, .touch, .grant: 0
        }
    }
}

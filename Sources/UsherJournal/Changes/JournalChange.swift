/// One atomic step in a session's record: either the whole change becomes durable, or nothing.
///
/// Each change builds on an earlier change, its basis, and is written only if the basis was written. A creation
/// requires that the session does not exist. If several servers write the journal, the actions `append`, `extend`,
/// `startOver`, `keep`, `grant` and `end` require that the record still has the version of the basis. The actions
/// `complete`, `erase` and `touch` require no version, because no other change builds on them.
package struct JournalChange: Sendable {
    package enum Action: Sendable {
        /// Creates a session with the entries of its first revisions. If the client sent a key, also stores the
        /// response to the opening.
        case create(SessionHeader, entries: [[UInt8]], opening: KeyedAnswer?)
        /// Appends the entry of the new header's revision.
        case append(SessionHeader, entry: [UInt8], answer: KeyedAnswer?)
        /// Appends the entries of successive revisions, up to the new header's revision.
        ///
        /// The entries are a resumption, the timers that were due, and the input after which the session cannot return
        /// to an earlier build.
        case extend(SessionHeader, entries: [[UInt8]], answer: KeyedAnswer?)
        /// Appends an entry with which the session's history starts over.
        ///
        /// All earlier entries are deleted, and the responses stay. The new revision may skip revisions, because their
        /// entries would be deleted at once.
        case startOver(SessionHeader, entry: [UInt8], answer: KeyedAnswer?)
        /// Stores only a response, because the request changed nothing else.
        case keep(SessionHeader, answer: KeyedAnswer)
        /// Stores a header that differs only in the tokens that open the session, or in the reserved ids.
        case grant(SessionHeader)
        /// Adds the body to a response that was stored without a body, because the request's result is known only now.
        case complete(KeyedAnswer)
        /// Ends the session: deletes its entries, and stores the last header. The session's responses stay until a
        /// purge.
        ///
        /// If a time is given (in milliseconds since 1970), the session ends only if it was not used after that time.
        case end(SessionHeader, answer: KeyedAnswer?, untouchedSince: Int64? = nil)
        /// Erases the secrets of an entry, and the fingerprints of the responses that have the entry's revision.
        case erase(revision: Int)
        /// Records a use of the session that adds no entry, in milliseconds since 1970.
        case touch(Int64)
    }

    package let key: JournalKey
    /// The change that this change builds on, or the version of the record from which the session's tree was built.
    package let basis: PendingCommit
    package let action: Action
    /// The work that the change's input starts; always empty if only one server uses the journal.
    package let begun: [BegunWork]
    /// A build that must have no running server (otherwise, the change conflicts); nil if there is no such build.
    package let rival: UInt64?
    /// The pending commit in which a journal with a queue records the outcome; the queue sets this property.
    package internal(set) var commit = PendingCommit.done

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
    /// Records that the change has failed; the first recorded reason stays.
    package func fail(_ error: JournalError) {
        commit.note(.failure(error))
    }

    /// Records that the change was written to a journal that several servers share.
    package func succeed(at version: RecordToken?) {
        if let version { commit.note(.success(version)) }
    }

    /// Fails the change if its basis has failed; returns `true` if the change has failed, now or before.
    package func failWithBasis() -> Bool {
        guard let failure = commit.failure ?? basis.failure else { return false }
        fail(failure)
        return true
    }

    /// The revision of the record after the change; nil for a change that does not depend on the revision.
    package var revision: Int? {
        switch action {
        case .create(let header, _, _), .append(let header, _, _), .extend(let header, _, _),
            .startOver(let header, _, _), .keep(let header, _), .grant(let header), .end(let header, _, _):
            header.revision
        case .complete, .erase, .touch: nil
        }
    }

    /// The approximate size in bytes of the change while it waits for its commit.
    package var size: Int {
        switch action {
        case .erase, .touch, .grant: 100
        default: 200 + contentSize
        }
    }

    /// The number of bytes in the change's entries and responses.
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

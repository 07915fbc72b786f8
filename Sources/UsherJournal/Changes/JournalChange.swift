/// One step in a session's record, atomic: it is durable as a whole, or it has not happened.
///
/// A change is written only if its basis has happened. A creation expects that there is no such session; an append, a new
/// beginning, an answer alone, a grant and an end expect the record at the version of their basis, where there are several
/// writers. The others expect nothing: they change nothing that another could build on.
package struct JournalChange: Sendable {
    /// The kinds of steps.
    package enum Action: Sendable {
        /// A session begins with these entries, of successive revisions; with the answer, where a key was given.
        case create(SessionHeader, entries: [[UInt8]], opening: KeyedAnswer?)
        /// The next entry: that of the new header's revision.
        case append(SessionHeader, entry: [UInt8], answer: KeyedAnswer?)
        /// The next entries, of successive revisions up to the new header's: a resumption, timers, and the input after it.
        case extend(SessionHeader, entries: [[UInt8]], answer: KeyedAnswer?)
        /// A later entry, with which the session's history begins anew: all entries before go, and its answers stay.
        case startOver(SessionHeader, entry: [UInt8], answer: KeyedAnswer?)
        /// An answer alone: the request changed nothing else.
        case keep(SessionHeader, answer: KeyedAnswer)
        /// Other tokens open the session, or ids are reserved, as the header says, which changes in nothing else.
        case grant(SessionHeader)
        /// The body of an answer that was stored without one, for what it waited for has come.
        case complete(KeyedAnswer)
        /// The session ends as the header says: its entries go; its answers stay until it is purged. Where a time is
        /// given, it ends only if it was not touched beyond that: milliseconds since 1970.
        case end(SessionHeader, answer: KeyedAnswer?, untouchedSince: Int64? = nil)
        /// The secrets of an entry are no longer needed, nor the fingerprints of the answers that show its revision.
        case erase(revision: Int)
        /// The session was in use at a time that its entries do not show: milliseconds since 1970.
        case touch(Int64)
    }

    /// The session.
    package let key: JournalKey
    /// The change that this one builds on, or the version of the record that its tree has read.
    package let basis: PendingCommit
    /// The step.
    package let action: Action
    /// The work that its input begins, where several servers may run it; empty where one does.
    package let begun: [BegunWork]
    /// A build that must not be running: the change conflicts while a server of it lives.
    ///
    /// Nil for none.
    package let rival: UInt64?
    /// The place where a journal with a queue notes the outcome; the queue sets it.
    package internal(set) var commit = PendingCommit.done

    /// Makes a change.
    ///
    /// - Parameters:
    ///   - action: The step.
    ///   - key: The session.
    ///   - basis: The change that this one builds on, or the version of the record that its tree has read.
    ///   - begun: The work that its input begins, where several servers may run it.
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
    /// Notes that the change has not happened.
    ///
    /// - Parameter error: The reason; the first counts.
    package func fail(_ error: JournalError) {
        commit.note(.failure(error))
    }

    /// Notes that the change has happened, in a journal that several servers share.
    ///
    /// - Parameter version: The version of the record that the change has led to.
    package func succeed(at version: RecordToken?) {
        if let version { commit.note(.success(version)) }
    }

    /// Fails the change if its basis has failed: then the change must not happen either.
    ///
    /// - Returns: True if the change has failed, now or before.
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

    /// About the bytes that it takes while it waits.
    package var size: Int {
        switch action {
        case .erase, .touch, .grant: 100
        default: 200 + contentSize
        }
    }

    /// Bytes of the entries and answers that it brings.
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

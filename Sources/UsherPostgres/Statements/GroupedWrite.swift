import UsherJournal

/// The part of a group that one session has: the result of its changes, and the version that they require.
///
/// A class, because the value is large, and is in several lists of one thread.
final class GroupedWrite {
    enum Kind: CaseIterable {
        /// Entries, responses and tokens of existing sessions.
        case append
        /// Sessions that start over.
        case startOver
        /// New sessions.
        case create
        /// Ends of sessions.
        case end
        /// Bodies of responses.
        ///
        /// This and the following kinds require no version of a record, and do not change the version.
        case complete
        /// Erasures of secrets.
        case erase
        /// Recorded uses.
        case touch
    }

    /// The changes, in order.
    private(set) var changes: [JournalChange] = []
    let kind: Kind
    let key: JournalKey
    /// The required version; nil for a new session.
    let base: RecordToken?
    /// The number of answers that the stored header must count before the first change.
    let expectedAnswers: Int
    /// The header after the last change; empty if no header is written.
    private(set) var header = GroupedWrite.noHeader
    /// The session's new access; nil if it stays unchanged.
    private(set) var access: SessionAccess?
    private(set) var entries: [(revision: Int, content: [UInt8])] = []
    private(set) var answers: [(number: Int, answer: KeyedAnswer)] = []
    private(set) var work: [BegunWork] = []
    /// The response to the session's opening.
    private(set) var opening: KeyedAnswer?
    /// If set, the session ends only if it was not touched after this time, in milliseconds since 1970.
    private(set) var untouchedSince: Int64?

    /// A build that must not be running: the write conflicts while a server of this build is alive.
    ///
    /// Nil for none.
    private(set) var rival: UInt64?

    private static let noHeader = SessionHeader(app: "", created: 0, revision: 0, time: 0, bytes: 0)

    /// Creates a write with its first change.
    ///
    /// - Throws: `JournalError.conflict` if the change does not follow its basis.
    init(_ change: JournalChange) throws(JournalError) {
        key = change.key
        base = change.basis.version
        switch change.action {
        case .create(let header, let entries, let opening):
            (kind, self.header, expectedAnswers, self.opening) = (.create, header, 0, opening)
            _ = try change.update(upon: .missing)
            self.entries = zip(header.history.start..., entries).map { (revision: $0, content: $1) }
            add(change, nil)
        case .append(let header, _, let answer), .extend(let header, _, let answer):
            (kind, expectedAnswers) = (.append, header.answers - (answer == nil ? 0 : 1))
            try begin(with: change)
        case .startOver(let header, let entry, let answer):
            (kind, self.header, expectedAnswers) = (.startOver, header, header.answers - (answer == nil ? 0 : 1))
            entries = [(header.revision, entry)]
            try begin(with: change)
        case .keep(let header, _):
            (kind, expectedAnswers) = (.append, header.answers - 1)
            try begin(with: change)
        case .grant(let header):
            (kind, expectedAnswers) = (.append, header.answers)
            try begin(with: change)
        case .end(let header, let answer, let time):
            (kind, self.header, expectedAnswers) = (.end, header, header.answers - (answer == nil ? 0 : 1))
            untouchedSince = time
            try begin(with: change)
        case .complete:
            (kind, expectedAnswers, changes) = (.complete, 0, [change])
        case .erase:
            (kind, expectedAnswers, changes) = (.erase, 0, [change])
        case .touch:
            (kind, expectedAnswers, changes) = (.touch, 0, [change])
        }
    }

    /// Adds the first change, if it follows the version of its basis; the statement compares the number of responses.
    private func begin(with change: JournalChange) throws(JournalError) {
        guard let base else { throw .conflict }
        try take(change, upon: .alive(revision: base.revision, answers: expectedAnswers))
    }

    /// Adds a change that follows the last one, if one statement can write both.
    ///
    /// - Returns: `false` if the change needs a later statement.
    /// - Throws: `JournalError.conflict` if the change does not follow the last one.
    func append(_ change: JournalChange) throws(JournalError) -> Bool {
        guard kind == .append, let last = changes.last, change.basis.isSame(as: last.commit) else { return false }
        switch change.action {
        case .append, .extend, .keep, .grant:
            try take(change, upon: .alive(revision: header.revision, answers: header.answers))
            return true
        case .create, .startOver, .end, .complete, .erase, .touch: return false
        }
    }

    private func take(_ change: JournalChange, upon position: RecordPosition) throws(JournalError) {
        switch try change.update(upon: position) {
        case .advance(let header, let entry, let answer):
            self.header = header
            if let entry { entries.append((header.revision, entry)) }
            if case .grant = change.action { access = header.access }
            add(change, answer)
        case .extend(let header, let added, let answer):
            self.header = header
            for (entry, revision) in zip(added, (header.revision - added.count + 1)...) {
                entries.append((revision, entry))
            }
            add(change, answer)
        // The headers of these changes are set already.
        case .restart(_, _, let answer), .end(_, let answer, _): add(change, answer)
        case .begin, .replace, .complete, .erase, .touch, .nothing: break
        }
    }

    private func add(_ change: JournalChange, _ answer: KeyedAnswer?) {
        changes.append(change)
        if let answer { answers.append((header.answers, answer)) }
        work += change.begun
        if let other = change.rival { rival = other }
    }

    /// Returns the version of the record after one of the changes.
    ///
    /// A statement with the mark has written all of them.
    func version(after change: JournalChange, mark: UInt64) -> RecordToken? {
        guard let revision = change.revision else { return base }
        return base?.followed(to: revision, by: mark) ?? RecordToken(revision: revision, mark: mark)
    }
}

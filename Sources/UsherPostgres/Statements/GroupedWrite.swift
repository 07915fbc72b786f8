import UsherJournal

/// One session's part of a group that is written in one statement: what its changes lead to, upon the version that they
/// expect.
///
/// An object, for it stands in several lists of one thread, and is large.
final class GroupedWrite {
    /// The kinds of statements that write a group.
    enum Kind: CaseIterable {
        /// Entries, answers and tokens of sessions that are there.
        case append
        /// Sessions whose histories begin anew.
        case startOver
        /// Sessions that begin.
        case create
        /// Sessions that end.
        case end
        /// The bodies of answers; these and the following kinds expect nothing of a record, and give it no version.
        case complete
        /// Erasures of secrets.
        case erase
        /// Notes of use.
        case touch
    }

    /// The changes, in order.
    private(set) var changes: [JournalChange] = []
    let kind: Kind
    let key: JournalKey
    /// The version that is expected; nil for a session that begins.
    let base: RecordToken?
    /// The number of answers that the stored header must count before the first change.
    let expectedAnswers: Int
    /// The header after the last change; empty where none is written.
    private(set) var header = GroupedWrite.noHeader
    /// The access that other tokens have; nil where that stays as it is.
    private(set) var access: SessionAccess?
    private(set) var entries: [(revision: Int, content: [UInt8])] = []
    private(set) var answers: [(number: Int, answer: KeyedAnswer)] = []
    private(set) var work: [BegunWork] = []
    /// The answer under which the session is opened.
    private(set) var opening: KeyedAnswer?
    /// It ends only if it was not touched since: milliseconds since 1970.
    private(set) var untouchedSince: Int64?

    /// A build that must not be running: the write conflicts while a server of it lives.
    ///
    /// Nil for none.
    private(set) var rival: UInt64?

    private static let noHeader = SessionHeader(app: "", created: 0, revision: 0, time: 0, bytes: 0)

    /// Begins with a change.
    ///
    /// - Throws: `JournalError.conflict` where it does not follow on its basis.
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

    /// Takes the first change, if it follows on the version of its basis; the answers are compared by the statement.
    private func begin(with change: JournalChange) throws(JournalError) {
        guard let base else { throw .conflict }
        try take(change, upon: .alive(revision: base.revision, answers: expectedAnswers))
    }

    /// Adds a change that follows on the last, where both are written in the same statement.
    ///
    /// - Returns: False where it goes into a later one.
    /// - Throws: `JournalError.conflict` where it does not follow.
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
        // These have their headers.
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

    /// The version of the record after one of the changes, all of which a statement with a mark has written.
    func version(after change: JournalChange, mark: UInt64) -> RecordToken? {
        guard let revision = change.revision else { return base }
        return base?.followed(to: revision, by: mark) ?? RecordToken(revision: revision, mark: mark)
    }
}

import UsherJournal

/// One session's part of a group that is written in one statement: what its changes lead to, upon the version that they
/// expect.
///
/// An object, for it stands in several lists of one thread, and is large.
final class GroupedWrite {
    /// The kinds of statements that write a group.
    enum Kind: CaseIterable {
        /// Entries and answers of sessions that are there.
        case append
        /// Those of sessions that have leaked.
        case appendLeaked
        /// Sessions that begin.
        case create
        /// Sessions that other tokens open.
        case grant
        /// Sessions that end.
        case end
    }

    /// The changes, in order.
    private(set) var changes: [JournalChange] = []
    let kind: Kind
    let key: JournalKey
    /// The version that is expected; nil for a session that begins.
    let base: RecordToken?
    /// The number of answers that the stored header must count before the first change.
    let expectedAnswers: Int
    /// The header after the last change.
    private(set) var header: SessionHeader
    private(set) var entries: [(revision: Int, content: [UInt8])] = []
    private(set) var answers: [(number: Int, answer: KeyedAnswer)] = []
    private(set) var work: [BegunWork] = []
    /// The answer under which the session is opened.
    private(set) var opening: KeyedAnswer?
    /// It ends only if it was not touched since: milliseconds since 1970.
    private(set) var untouchedSince: Int64?

    /// Begins with a change.
    ///
    /// - Returns: nil for one that no group takes.
    /// - Throws: `JournalError.conflict` where it does not follow on its basis.
    init?(_ change: JournalChange) throws(JournalError) {
        key = change.key
        base = change.basis.version
        switch change.action {
        case .create(let header, let entries, let opening):
            (kind, self.header, expectedAnswers, self.opening) = (.create, header, 0, opening)
            _ = try change.update(upon: .missing)
            self.entries = zip(1..., entries).map { (revision: $0, content: $1) }
            add(change, nil)
        case .append(let header, let entry, let answer):
            (kind, self.header, expectedAnswers) = (
                header.leaked == 0 ? .append : .appendLeaked, header, header.answers - (answer == nil ? 0 : 1)
            )
            try check(change)
            entries = [(header.revision, entry)]
            add(change, answer)
        case .keep(let header, let answer):
            (kind, self.header, expectedAnswers) = (.append, header, header.answers - 1)
            try check(change)
            add(change, answer)
        case .grant(let header):
            (kind, self.header, expectedAnswers) = (.grant, header, header.answers)
            try check(change)
            add(change, nil)
        case .end(let header, let answer, let time):
            (kind, self.header, expectedAnswers) = (.end, header, header.answers - (answer == nil ? 0 : 1))
            untouchedSince = time
            try check(change)
            add(change, answer)
        case .complete, .erase, .touch: return nil
        }
    }

    /// Adds a change that follows on the last, where both are written in the same statement.
    ///
    /// - Returns: False where it goes into a later one.
    /// - Throws: `JournalError.conflict` where it does not follow.
    func append(_ change: JournalChange) throws(JournalError) -> Bool {
        guard kind == .append || kind == .appendLeaked, let last = changes.last,
            change.basis.isSame(as: last.commit)
        else { return false }
        let position = RecordPosition.alive(revision: header.revision, answers: header.answers)
        switch change.action {
        case .append(let header, _, _) where kind == .append && header.leaked > 0: return false
        case .append(let header, let entry, let answer):
            _ = try change.update(upon: position)
            self.header = header
            entries.append((header.revision, entry))
            add(change, answer)
        case .keep(let header, let answer):
            _ = try change.update(upon: position)
            self.header = header
            add(change, answer)
        case .create, .grant, .end, .complete, .erase, .touch: return false
        }
        return true
    }

    /// Checks the first change against the version of its basis; the answers are compared by the statement.
    private func check(_ change: JournalChange) throws(JournalError) {
        guard let base else { throw .conflict }
        _ = try change.update(upon: .alive(revision: base.revision, answers: expectedAnswers))
    }

    private func add(_ change: JournalChange, _ answer: KeyedAnswer?) {
        changes.append(change)
        if let answer { answers.append((header.answers, answer)) }
        work += change.begun
    }

    /// The version of the record after one of the changes, all of which a statement with a mark has written.
    func version(after change: JournalChange, mark: UInt64) -> RecordToken {
        let revision = change.revision ?? header.revision
        return base?.followed(to: revision, by: mark) ?? RecordToken(revision: revision, mark: mark)
    }
}

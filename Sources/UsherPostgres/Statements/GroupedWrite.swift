import UsherJournal

/// The changes of a group that belong to one session, and the version of the record that the changes require.
///
/// The type is a class, because its values are large, and several lists of one thread contain the same value.
final class GroupedWrite {
    enum Kind: CaseIterable {
        /// Adds entries, responses and tokens to existing sessions.
        case append
        case startOver
        case create
        case end
        /// Stores the bodies of responses; this kind and the following kinds neither require nor change a record's
        /// version.
        case complete
        case erase
        case touch
    }

    private(set) var changes: [JournalChange] = []
    let kind: Kind
    let key: JournalKey
    /// The version that the record must have; nil for a new session.
    let base: RecordToken?
    /// The number of answers that the stored header must contain before the first change.
    let expectedAnswers: Int
    /// The header after the last change; empty if no header is written.
    private(set) var header = GroupedWrite.noHeader
    /// The session's new access; nil if the access stays unchanged.
    private(set) var access: SessionAccess?
    private(set) var entries: [(revision: Int, content: [UInt8])] = []
    private(set) var answers: [(number: Int, answer: KeyedAnswer)] = []
    private(set) var work: [BegunWork] = []
    private(set) var opening: KeyedAnswer?
    /// The time after which the session must not have been used, in milliseconds since 1970; nil if a use does not
    /// prevent the write.
    ///
    /// A write that ends an idle session has such a time.
    private(set) var untouchedSince: Int64?

    /// A build of which no server may be alive, because the write would then have a conflict; nil for none.
    private(set) var rival: UInt64?

    private static let noHeader = SessionHeader(app: "", created: 0, revision: 0, time: 0, bytes: 0)

    /// Creates a write with its first change.
    ///
    /// - Throws: `JournalError.conflict` if the change does not follow its basis. The statement, not this initializer,
    ///   checks the mark and the number of responses.
    init(_ change: JournalChange) throws(JournalError) {
        let (kind, header, answer): (Kind, SessionHeader?, KeyedAnswer?) =
            switch change.action {
            case .create(let header, _, _): (.create, header, nil)
            case .append(let header, _, let answer), .extend(let header, _, let answer): (.append, header, answer)
            case .keep(let header, let answer): (.append, header, answer)
            case .grant(let header): (.append, header, nil)
            case .startOver(let header, _, let answer): (.startOver, header, answer)
            case .end(let header, let answer, _): (.end, header, answer)
            case .complete(let answer): (.complete, nil, answer)
            case .erase: (.erase, nil, nil)
            case .touch: (.touch, nil, nil)
            }
        (self.kind, key, base) = (kind, change.key, change.basis.version)
        expectedAnswers = (header?.answers ?? 0) - (answer == nil ? 0 : 1)
        if header == nil {
            changes = [change]
            answers = answer.map { [(0, $0)] } ?? []
        } else if kind == .create {
            try take(change, upon: .missing)
        } else {
            guard let base else { throw .conflict }
            try take(change, upon: .alive(revision: base.revision, answers: expectedAnswers))
        }
    }

    /// Adds a change that follows the last change, if one statement can write both changes.
    ///
    /// - Returns: `false` if the change needs another statement.
    /// - Throws: `JournalError.conflict` if the change does not follow the last change.
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
        case .begin(let header, let entries, let opening):
            self.opening = opening
            write(header, entries, nil)
        case .advance(let header, let entry, let answer):
            if case .grant = change.action { access = header.access }
            write(header, entry.map { [$0] } ?? [], answer)
        case .extend(let header, let entries, let answer): write(header, entries, answer)
        case .restart(let header, let entry, let answer): write(header, [entry], answer)
        case .end(let header, let answer, let time):
            untouchedSince = time
            write(header, [], answer)
        case .replace, .complete, .erase, .touch, .nothing: break
        }
        changes.append(change)
        work += change.begun
        if let other = change.rival { rival = other }
    }

    /// Replaces the header, and adds the response and entries with successive revisions up to the header's revision.
    private func write(_ header: SessionHeader, _ added: [[UInt8]], _ answer: KeyedAnswer?) {
        self.header = header
        entries += zip((header.revision - added.count + 1)..., added).map { (revision: $0, content: $1) }
        if let answer { answers.append((header.answers, answer)) }
    }

    /// Returns the version of the record after one of the changes, which all have the mark of the same statement.
    func version(after change: JournalChange, mark: UInt64) -> RecordToken? {
        guard let revision = change.revision else { return base }
        return base?.followed(to: revision, by: mark) ?? RecordToken(revision: revision, mark: mark)
    }
}

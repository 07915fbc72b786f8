/// The position of a session's record, on which a change must follow: all that the rules look at.
package enum RecordPosition: Equatable, Sendable {
    /// There is no such session.
    case missing
    /// It has not ended; its header counts so many revisions and answers.
    case alive(revision: Int, answers: Int)
    /// It has ended.
    case ended
    /// Its header cannot be read, or rows are missing.
    case damaged(EntryError)

    /// The position that a header tells.
    ///
    /// - Parameter header: The one that is stored.
    package init(_ header: SessionHeader) {
        self = header.ending == nil ? .alive(revision: header.revision, answers: header.answers) : .ended
    }
}

/// The rows of a session that a change writes.
///
/// `JournalChange.update(upon:)` holds the rules of every journal, and is pure: a storage reads the position, asks for
/// the update, and writes the rows that it names.
package enum RecordUpdate: Sendable {
    /// The first rows of a session: its header, the entries of successive revisions, and the answer under which it is
    /// opened; that key must be free.
    case begin(SessionHeader, entries: [[UInt8]], opening: KeyedAnswer?)
    /// A header in the place of another, with the entry of its revision and the answer of its number.
    case advance(SessionHeader, entry: [UInt8]?, answer: KeyedAnswer?)
    /// A header in the place of another, with the entries of successive revisions up to its own, and the answer of its
    /// number.
    case extend(SessionHeader, entries: [[UInt8]], answer: KeyedAnswer?)
    /// A header in the place of another, with the entry of its revision and the answer of its number; all entries before go.
    case restart(SessionHeader, entry: [UInt8], answer: KeyedAnswer?)
    /// The last header; all entries go. Where a time is given and the session was touched beyond it, that is a conflict,
    /// and nothing is written.
    case end(SessionHeader, answer: KeyedAnswer?, untouchedSince: Int64?)
    /// The only row beside an answer, of a session that was damaged: all others go.
    case replace(SessionHeader, answer: KeyedAnswer?)
    /// The answers with its key get its bytes: `rewritten(answer:of:)`.
    case complete(KeyedAnswer)
    /// The entry of this revision loses its secrets, and the answers that show it their fingerprints:
    /// `RecordUpdate.erased(entry:of:)`, `rewritten(answer:of:)`.
    case erase(revision: Int)
    /// The session was in use at a time, and maybe later.
    case touch(Int64)
    /// None: there is nothing that the change could change.
    case nothing

    /// By how much the number of sessions that have not ended grows with it.
    package var growth: Int {
        switch self {
        case .begin: 1
        case .end, .replace: -1
        case .advance, .extend, .restart, .complete, .erase, .touch, .nothing: 0
        }
    }
}

extension JournalChange {
    /// The rows that the change writes.
    ///
    /// - Parameter position: The position of its session's record.
    /// - Throws: `JournalError.conflict` where it does not follow on that, `JournalError.corrupt` where nobody can tell.
    @inline(__always)  // An event in memory would pay for copies of the update.
    package func update(upon position: RecordPosition) throws(JournalError) -> RecordUpdate {
        switch action {
        case .create(let header, let entries, let opening):
            guard position == .missing, header.entryCount == entries.count, header.answers == 0, header.ending == nil
            else { throw .conflict }
            return .begin(header, entries: entries, opening: opening)
        case .append(let header, let entry, let answer):
            try check(header, by: 1...1, answer, upon: position)
            guard header.ending == nil else { throw .conflict }
            return .advance(header, entry: entry, answer: answer)
        case .extend(let header, let entries, let answer):
            try check(header, by: entries.count...entries.count, answer, upon: position)
            guard header.ending == nil else { throw .conflict }
            return .extend(header, entries: entries, answer: answer)
        case .startOver(let header, let entry, let answer):
            // Entries between them would go at once.
            try check(header, by: 1...(.max), answer, upon: position)
            guard header.ending == nil, header.history.start == header.revision else { throw .conflict }
            return .restart(header, entry: entry, answer: answer)
        case .keep(let header, let answer):
            try check(header, by: 0...0, answer, upon: position)
            guard header.ending == nil else { throw .conflict }
            return .advance(header, entry: nil, answer: answer)
        case .grant(let header):
            try check(header, by: 0...0, nil, upon: position)
            guard header.ending == nil else { throw .conflict }
            return .advance(header, entry: nil, answer: nil)
        case .end(let header, let answer, let time):
            return try ended(header, answer, untouchedSince: time, upon: position)
        case .complete(let answer):
            return position == .missing ? .nothing : .complete(answer)
        case .erase(let revision):
            return try isAlive(position, at: revision) && revision > 0 ? .erase(revision: revision) : .nothing
        case .touch(let time): return try isAlive(position, at: 0) ? .touch(time) : .nothing
        }
    }

    /// Checks that a header follows: by so many revisions, and by the answer that it counts.
    @inline(__always)
    private func check(
        _ header: SessionHeader, by revisions: ClosedRange<Int>, _ answer: KeyedAnswer?, upon position: RecordPosition
    ) throws(JournalError) {
        switch position {
        case .missing, .ended: throw .conflict
        case .damaged(let error): throw .corrupt(error)
        case .alive(let revision, let answers):
            guard revisions ~= header.revision &- revision, header.answers == answers &+ (answer == nil ? 0 : 1)
            else { throw .conflict }
        }
    }

    private func ended(
        _ header: SessionHeader, _ answer: KeyedAnswer?, untouchedSince time: Int64?, upon position: RecordPosition
    ) throws(JournalError) -> RecordUpdate {
        guard header.ending != nil else { throw .conflict }
        if case .damaged = position {
            // A damaged session can be ended too, with nothing of what it had.
            var header = header
            header.answers = answer == nil ? 0 : 1
            return .replace(header, answer: answer)
        }
        try check(header, by: 0...(.max), answer, upon: position)
        return .end(header, answer: answer, untouchedSince: time)
    }

    /// True where the session has not ended, and has come to a revision; of a damaged one that is assumed.
    private func isAlive(_ position: RecordPosition, at revision: Int) throws(JournalError) -> Bool {
        switch position {
        case .missing: throw .conflict
        case .ended: false
        case .damaged: true
        case .alive(let newest, _): revision <= newest
        }
    }
}

extension RecordUpdate {
    /// The bytes that take the place of a stored answer; nil where it stays as it is.
    ///
    /// - Parameters:
    ///   - bytes: The answer's bytes.
    ///   - key: The session.
    /// - Throws: `JournalError.corrupt`.
    package func rewritten(answer bytes: [UInt8], of key: JournalKey) throws(JournalError) -> [UInt8]? {
        let stored: KeyedAnswer
        do throws(EntryError) { stored = try KeyedAnswer(bytes, of: key) } catch { throw .corrupt(error) }
        switch self {
        case .complete(let answer) where answer.key == stored.key: return answer.bytes(of: key)
        case .erase(let revision) where stored.revision == revision && stored.fingerprint != nil:
            return stored.withoutFingerprint.bytes(of: key)
        default: return nil
        }
    }

    /// The bytes that take the place of an entry whose secrets are erased; nil where it has none.
    ///
    /// - Parameters:
    ///   - bytes: The entry's bytes.
    ///   - key: The session.
    /// - Throws: `JournalError.corrupt`.
    package static func erased(entry bytes: [UInt8], of key: JournalKey) throws(JournalError) -> [UInt8]? {
        do throws(EntryError) {
            let entry = try Entry(bytes, of: key)
            return entry.secrets.isEmpty || entry.isErased ? nil : entry.erased.bytes(of: key)
        } catch {
            throw .corrupt(error)
        }
    }
}

extension SessionHeader {
    /// The number of the answer that goes when this header's newest is stored; nil while all have room.
    package var outdatedAnswer: Int? {
        answers > KeyedAnswer.limit ? answers - KeyedAnswer.limit : nil
    }
}

/// The position of a session's record; only the position decides whether a change may follow.
package enum RecordPosition: Equatable, Sendable {
    /// There is no such session.
    case missing
    /// The session has not ended. Its header counts these revisions and responses.
    case alive(revision: Int, answers: Int)
    case ended
    /// The session's header cannot be read, or rows are missing.
    case damaged(EntryError)

    /// Creates the position of a stored header.
    package init(_ header: SessionHeader) {
        self = header.ending == nil ? .alive(revision: header.revision, answers: header.answers) : .ended
    }
}

/// The rows of a session that a change writes.
///
/// The pure function `JournalChange.update(upon:)` contains the rules for all journals. A storage reads the position,
/// calls the function, and writes the rows of the returned update.
package enum RecordUpdate: Sendable {
    /// Adds a session's first rows: its header, the entries of successive revisions, and the response to its opening.
    ///
    /// The response's idempotency key must be free.
    case begin(SessionHeader, entries: [[UInt8]], opening: KeyedAnswer?)
    /// Replaces the header, and adds the entry of the new revision and the response with the new number.
    case advance(SessionHeader, entry: [UInt8]?, answer: KeyedAnswer?)
    /// Replaces the header, and adds the entries of successive revisions up to the new revision and the response.
    case extend(SessionHeader, entries: [[UInt8]], answer: KeyedAnswer?)
    /// Replaces the header, adds the entry of the new revision and the response, and deletes all earlier entries.
    case restart(SessionHeader, entry: [UInt8], answer: KeyedAnswer?)
    /// Stores the last header, and deletes all entries.
    ///
    /// If a time is given and the session was used after this time, nothing is written, and the change conflicts.
    case end(SessionHeader, answer: KeyedAnswer?, untouchedSince: Int64?)
    /// Replaces all rows of a damaged session with a header and the response, if there is one.
    case replace(SessionHeader, answer: KeyedAnswer?)
    /// Replaces the stored responses with the same key (see `KeyedAnswer.replaces(_:of:)`).
    case complete(KeyedAnswer)
    /// Erases the secrets of a revision's entry (see `RecordUpdate.erased(entry:of:)`).
    case erase(revision: Int)
    /// Records that the session was in use at this time or later.
    case touch(Int64)
    /// Writes nothing, because there is nothing to change.
    case nothing

    /// The increase in the number of sessions that have not ended.
    package var growth: Int {
        switch self {
        case .begin: 1
        case .end, .replace: -1
        case .advance, .extend, .restart, .complete, .erase, .touch, .nothing: 0
        }
    }
}

extension JournalChange {
    /// Returns the rows that the change writes to a record with a position.
    ///
    /// - Throws: `JournalError.conflict` if the change does not follow the position; `JournalError.corrupt` if the
    ///   position cannot be read.
    @inline(__always)  // Without inlining, each call would copy the update.
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
            // Revisions may be skipped, because their entries would be deleted at once.
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

    /// Checks that a header's revision exceeds the position's revision by an allowed number, and that the header counts
    /// the response.
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
            // A damaged session can be ended, too, but this deletes all rows of the session.
            var header = header
            header.answers = answer == nil ? 0 : 1
            return .replace(header, answer: answer)
        }
        try check(header, by: 0...(.max), answer, upon: position)
        return .end(header, answer: answer, untouchedSince: time)
    }

    /// Returns `true` if the session has not ended and has reached a revision, or if the session's header is damaged.
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
    /// Returns the bytes that replace an entry whose secrets are erased; nil if the entry has no secrets to erase.
    ///
    /// - Throws: `JournalError.corrupt`.
    package static func erased(entry bytes: [UInt8], of key: JournalKey) throws(JournalError) -> [UInt8]? {
        let entry = try intact { () throws(EntryError) in try Entry(bytes, of: key) }
        return entry.secrets.isEmpty || entry.isErased ? nil : entry.erased.bytes(of: key)
    }
}

extension SessionHeader {
    /// The number of the response to delete, to make room for the newest response; nil if there is still room.
    package var outdatedAnswer: Int? {
        answers > KeyedAnswer.limit ? answers - KeyedAnswer.limit : nil
    }
}

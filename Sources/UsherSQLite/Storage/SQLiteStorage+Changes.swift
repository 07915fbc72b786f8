import UsherJournal

extension SQLiteStorage {
    /// Writes a change within a transaction.
    ///
    /// - Throws: `JournalError`. If something was written before the error, the caller must roll back the transaction.
    func apply(_ change: JournalChange) throws(JournalError) {
        let key = change.key
        try liftHolds(by: change)
        // Handles nearly all changes.
        if case .append(let header, let entry, nil) = change.action, buffer.append(entry, header, of: key) { return }
        let stored = try storedHeader(for: change)
        switch try change.update(upon: stored.position) {
        case .begin(let header, let entries, let opening): try begin(key, header, entries, opening)
        case .advance(let header, let entry?, let answer):
            try append(entry, header, upon: stored, answer, of: key)
        case .advance(let header, nil, let answer):
            try flush(key)
            try advance(header, upon: stored, answer, of: key)
        case .extend(let header, let entries, let answer):
            try extend(key, header, entries, answer, upon: stored)
        case .restart(let header, let entry, let answer):
            try restart(key, header, entry, answer, upon: stored)
        case .end(let header, let answer, let time):
            if let time, try wasTouched(key, after: time) { throw .conflict }
            do throws(JournalError) { try end(key, header, answer) } catch .corrupt(let error) {
                guard case .replace(let header, let answer) = try change.update(upon: .damaged(error)) else { return }
                try replace(key, header, answer)
            }
        case .replace(let header, let answer): try replace(key, header, answer)
        case .complete(let answer): try complete(answer, of: key)
        case .erase(let revision): try erase(revision, of: key)
        case .touch(let time): try statements[.touchSession].run(.key(key), .integer(time))
        case .nothing: break
        }
    }

    private func storedHeader(for change: JournalChange) throws(JournalError) -> StoredHeader {
        switch change.action {
        // A creation needs no lookup, because the primary keys reject a session that already exists.
        case .create: .missing
        // A use is recorded even if the header is unreadable. The header is not read, because after reading a damaged
        // page, SQLite writes nothing more in the transaction.
        case .touch: try isListed(change.key) ? .damaged(.incomplete) : .missing
        default: try storedHeader(of: change.key)
        }
    }

    private func begin(
        _ key: JournalKey, _ header: SessionHeader, _ entries: [[UInt8]], _ opening: KeyedAnswer?
    ) throws(JournalError) {
        // Buffered entries of an earlier session with the same key would be read as entries of this session.
        guard buffer.sessions[key] == nil else { throw .conflict }
        try insertSession(key, header, touchedAt: header.time)
        if let time = header.wakeAt { try wake(key, time) }
        if let subject = header.access?.subject { try statements[.insertSubject].run(.text(subject), .key(key)) }
        if let opening {
            try statements[.insertOpening].run(.text(opening.key), .key(key), .bytes(opening.bytes(of: key)))
        }
        try insert(header.bytes(of: key), at: 0, of: key)
        for (entry, revision) in zip(entries, header.history.start...) {
            try insert(entry: entry, at: revision, of: key)
        }
    }

    private func append(
        _ entry: [UInt8], _ header: SessionHeader, upon stored: StoredHeader, _ answer: KeyedAnswer?,
        of key: JournalKey
    ) throws(JournalError) {
        if answer == nil, case .intact(let base) = stored, buffer.append(entry, header, upon: base, of: key) { return }
        try flush(key)
        try insert(entry: entry, at: header.revision, of: key)
        try advance(header, upon: stored, answer, of: key)
    }

    private func extend(
        _ key: JournalKey, _ header: SessionHeader, _ entries: [[UInt8]], _ answer: KeyedAnswer?,
        upon stored: StoredHeader
    ) throws(JournalError) {
        try flush(key)
        for (entry, revision) in zip(entries, (header.revision - entries.count + 1)...) {
            try insert(entry: entry, at: revision, of: key)
        }
        try advance(header, upon: stored, answer, of: key)
    }

    private func advance(
        _ header: SessionHeader, upon stored: StoredHeader, _ answer: KeyedAnswer?, of key: JournalKey
    ) throws(JournalError) {
        try store(header, answer, of: key)
        if case .intact(let base) = stored {
            if base.leaked != header.leaked { try statements[.leakSession].run(.key(key), .leaks(of: header)) }
            if base.wakeAt == header.wakeAt { return }
        }
        try wake(key, header.wakeAt)
    }

    private func insertSession(
        _ key: JournalKey, _ header: SessionHeader, touchedAt time: Int64
    ) throws(JournalError) {
        try statements[.insertSession].run(
            .key(key), .integer(time), .text(header.app), .integer(header.created), .leaks(of: header))
    }

    private func store(_ header: SessionHeader, _ answer: KeyedAnswer?, of key: JournalKey) throws(JournalError) {
        try update(header.bytes(of: key), at: 0, of: key)
        guard let answer else { return }
        try insert(answer.bytes(of: key), at: -header.answers, of: key)
        guard let outdated = header.outdatedAnswer else { return }
        try statements[.deleteRow].run(.key(key), .integer(-outdated))
    }

    /// Stores the time when a session must wake up.
    private func wake(_ key: JournalKey, _ time: Int64?) throws(JournalError) {
        try statements[.wakeSession].run(.key(key), time.map { .integer($0) } ?? .null)
    }

    private func insert(entry: [UInt8], at revision: Int, of key: JournalKey) throws(JournalError) {
        try insert(Entry.holdsSecrets(entry) ? SecretRow.wrapping(entry) : entry, at: revision, of: key)
    }

    private func insert(_ content: [UInt8], at slot: Int, of key: JournalKey) throws(JournalError) {
        try statements[.insertRow].run(.key(key), .integer(slot), .bytes(content))
    }

    private func update(_ content: [UInt8], at slot: Int, of key: JournalKey) throws(JournalError) {
        try statements[.updateRow].run(.key(key), .integer(slot), .bytes(content))
    }
}

extension SQLValue {
    /// Returns a session's number of leaks; NULL instead of 0, because the indexes must contain only leaking sessions.
    fileprivate static func leaks(of header: SessionHeader) -> SQLValue {
        header.leaked == 0 ? .null : .integer(header.leaked)
    }
}

// Deleting.
extension SQLiteStorage {
    /// Returns `true` if, according to the table of sessions, a session was used after a time.
    private func wasTouched(_ key: JournalKey, after time: Int64) throws(JournalError) -> Bool {
        try statements[.touched].first(.key(key)) { $0.integer(0) > time } ?? false
    }

    /// Starts a session over: deletes all entries, and inserts the first entry of the new history.
    private func restart(
        _ key: JournalKey, _ header: SessionHeader, _ entry: [UInt8], _ answer: KeyedAnswer?, upon stored: StoredHeader
    ) throws(JournalError) {
        noteResidue()
        buffer.noteEnded(key)
        buffer.noteFlushed(key)
        try statements[.deleteEntries].run(.key(key))
        try insert(entry: entry, at: header.revision, of: key)
        try advance(header, upon: stored, answer, of: key)
    }

    private func end(_ key: JournalKey, _ header: SessionHeader, _ answer: KeyedAnswer?) throws(JournalError) {
        noteResidue()
        buffer.noteEnded(key)
        buffer.noteFlushed(key)
        try statements[.deleteEntries].run(.key(key))
        try store(header, answer, of: key)
        try noteEnd(of: key, header)
        try countEnd(of: key)
    }

    /// Ends a damaged session, and deletes all of its rows.
    private func replace(_ key: JournalKey, _ header: SessionHeader, _ answer: KeyedAnswer?) throws(JournalError) {
        noteResidue()
        buffer.noteEnded(key)
        buffer.noteFlushed(key)
        try statements[.deleteRows].run(.key(key))
        try insert(header.bytes(of: key), at: 0, of: key)
        if let answer { try insert(answer.bytes(of: key), at: -header.answers, of: key) }
        try statements[.deleteSubject].run(.key(key))
        try statements[.deleteSession].run(.key(key))
        try insertSession(key, header, touchedAt: header.ending?.time ?? header.time)
        try noteEnd(of: key, header)
        try countEnd(of: key)
    }

    private func noteEnd(of key: JournalKey, _ header: SessionHeader) throws(JournalError) {
        try statements[.endSession].run(.key(key), header.ending.map { .integer($0.time) } ?? .null)
    }

    /// Erases the secrets of an entry.
    private func erase(_ revision: Int, of key: JournalKey) throws(JournalError) {
        try flush(key)
        // Entries with secrets never share a row with other entries.
        if let bytes = try content(revision, of: key), !EntryRun.isRun(bytes),
            let erased = try RecordUpdate.erased(entry: bytes, of: key)
        {
            noteResidue()
            try update(erased, at: revision, of: key)
        }
    }

    /// Replaces the stored responses with the key of a response.
    private func complete(_ answer: KeyedAnswer, of key: JournalKey) throws(JournalError) {
        for (slot, bytes) in try rows(of: key, through: -1) where try answer.replaces(bytes, of: key) {
            try update(answer.bytes(of: key), at: slot, of: key)
        }
    }

    /// Deletes all traces of sessions that ended before a time, and returns the number of these sessions.
    ///
    /// A session with rows on a damaged page stays, but does not prevent the deletion of other sessions.
    func purge(endedBefore time: Int64, limit: Int) throws(JournalError) -> Int {
        var damaged: Set<JournalKey> = []
        while true {
            var last: JournalKey?
            do throws(JournalError) {
                return try purge(endedBefore: time, limit: limit, without: damaged, &last)
            } catch .corrupt(let error) {
                guard let last, damaged.insert(last).inserted else { throw .corrupt(error) }
            }
        }
    }

    /// Deletes ended sessions; if damage stops the deletion, `last` is the damaged session.
    private func purge(
        endedBefore time: Int64, limit: Int, without damaged: Set<JournalKey>, _ last: inout JournalKey?
    ) throws(JournalError) -> Int {
        try transaction { () throws(JournalError) in
            let ends = try statements[.ended].all(.integer(time), .integer(max(0, limit))) { row in
                row.key(0).map { ResidueLedger.EndPlace(time: row.integer(1), session: $0) }
            }
            var count = 0
            for end in ends where !damaged.contains(end.session) {
                let key = end.session
                last = key
                guard try isOver(key, before: time) else { continue }
                try countGone(end)
                try statements[.deleteRows].run(.key(key))
                try statements[.deleteOpenings].run(.key(key))
                try statements[.deleteGuiltyOfSession].run(.key(key))
                try statements[.deleteSubject].run(.key(key))
                try statements[.deleteSession].run(.key(key))
                buffer.noteFlushed(key)
                count += 1
            }
            if count > 0 { noteResidue() }
            return count
        }
    }

    /// Returns `true` if a session has ended before a time according to its header.
    ///
    /// A flipped bit in the table of sessions must not delete a live session. If the header contradicts the table, the
    /// function corrects the table.
    private func isOver(_ key: JournalKey, before time: Int64) throws(JournalError) -> Bool {
        switch try storedHeader(of: key) {
        case .missing, .damaged: return true
        case .intact(let header):
            if let ending = header.ending, ending.time < time { return true }
            try noteEnd(of: key, header)
            return false
        }
    }
}

internal import UsherJournal

extension Store {
    /// Ends a session: its entries go.
    func end(_ key: JournalKey, _ head: SessionHeader, _ answer: KeyedAnswer?) throws(JournalError) {
        guard let ending = head.ending else { throw .conflict }
        noteScraps()
        recent.noteEnded(key)
        do throws(JournalError) {
            guard let stored = try self.head(of: key), stored.ending == nil, 0...1 ~= head.revision &- stored.revision,
                head.answers == stored.answers &+ (answer == nil ? 0 : 1)
            else { throw .conflict }
            recent.noteFiled(key)
            try statements.deleteEntries.run(.key(key))
            try replaceHead(head, of: key, answer)
            try statements.endSession.run(.key(key), .integer(ending.time))
        } catch .corrupt {
            try endDamaged(key, head, ending, answer)
        }
    }

    /// A session whose head is damaged can be ended too: what is left of it goes.
    private func endDamaged(
        _ key: JournalKey, _ head: SessionHeader, _ ending: SessionHeader.End, _ answer: KeyedAnswer?
    ) throws(JournalError) {
        var head = head
        head.answers = answer == nil ? 0 : 1
        recent.noteFiled(key)
        try statements.deleteRows.run(.key(key))
        try insert(head.bytes(of: key), at: 0, of: key)
        if let answer { try insert(answer.bytes(of: key), at: -1, of: key) }
        try statements.deleteSession.run(.key(key))
        try statements.insertSession.run(.key(key), .integer(ending.time))
        try statements.endSession.run(.key(key), .integer(ending.time))
    }

    /// Takes the secrets out of an entry, and the fingerprints out of the answers that show its revision.
    func erase(_ revision: Int, of key: JournalKey) throws(JournalError) {
        guard revision > 0 else { return }
        try file(key)
        if let bytes = try content(revision, of: key), !EntryRun.isRun(bytes) {
            noteScraps()
            let entry = try intact { () throws(EntryError) in try Entry(bytes, of: key) }
            try replace(entry.erased.bytes(of: key), at: revision, of: key)
        } else {
            // There is none, or it has no secrets: those that have are never put together with others.
            guard let head = try head(of: key) else { throw .conflict }
            guard head.ending == nil, revision <= head.revision else { return }
        }
        for (slot, bytes) in try rows(of: key, through: -1) {
            let answer = try intact { () throws(EntryError) in try KeyedAnswer(bytes, of: key) }
            guard answer.revision == revision, answer.fingerprint != nil else { continue }
            noteScraps()
            try replace(answer.withoutFingerprint.bytes(of: key), at: slot, of: key)
        }
    }

    /// Forgets sessions altogether that ended before a time, within a transaction.
    ///
    /// - Returns: How many.
    func purge(endedBefore time: Int64, limit: Int) throws(JournalError) -> Int {
        let keys = try statements.ended.all(.integer(time), .integer(max(0, limit))) { $0.key(0) }
        var count = 0
        for key in keys where try isOver(key, before: time) {
            try statements.deleteRows.run(.key(key))
            try statements.deleteOpenings.run(.key(key))
            try statements.deleteSession.run(.key(key))
            recent.noteFiled(key)
            count += 1
        }
        if count > 0 { noteScraps() }
        return count
    }

    /// Whether a session has ended before a time, by its head: what the table of sessions says is a hint.
    ///
    /// A live session must not go for a flipped bit; the hint is put right instead.
    private func isOver(_ key: JournalKey, before time: Int64) throws(JournalError) -> Bool {
        do throws(JournalError) {
            guard let head = try head(of: key) else { return true }
            if let ending = head.ending, ending.time < time { return true }
            let ended: Value = head.ending.map { .integer($0.time) } ?? .null
            try statements.endSession.run(.key(key), ended)
            return false
        } catch .corrupt {
            return true
        }
    }

    private func replace(_ bytes: [UInt8], at slot: Int, of key: JournalKey) throws(JournalError) {
        try statements.updateRow.run(.key(key), .integer(slot), .bytes(bytes))
    }
}

internal import UsherJournal

extension Store {
    /// Takes in an entry that changes nothing of a session but its head.
    ///
    /// - Parameter stored: The head that is there, on which the new one follows.
    /// - Returns: false where it must be kept in another way.
    func appendRecent(_ entry: [UInt8], _ head: SessionHeader, on stored: SessionHeader, of key: JournalKey) -> Bool {
        guard entry.count <= recent.limits.entryBytes else { return false }
        let outline = EntryOutline(entry)
        guard !outline.holdsSecrets, outline.revision == head.revision,
            head == stored.followed(byEntryAt: outline.time, size: entry.count)
        else { return false }
        recent.append(entry, head, of: key)
        return true
    }

    /// The head of a session that has recent entries which count.
    ///
    /// - Throws: `JournalError.corrupt` where nobody knows what they follow on.
    func recentHead(of key: JournalKey) throws(JournalError) -> SessionHeader? {
        guard let session = recent.sessions[key] else { return nil }
        guard !session.isStuck else { throw .corrupt(.incomplete) }
        return session.head
    }

    /// Puts a session's recent entries into `rows`, with its head.
    func file(_ key: JournalKey) throws(JournalError) {
        guard let head = try recentHead(of: key), let session = recent.sessions[key] else { return }
        for run in session.runs {
            try statements.insertRow.run(.key(key), .integer(run.revision), .bytes(run.content))
        }
        try statements.updateRow.run(.key(key), .integer(0), .bytes(head.bytes(of: key)))
        guard connection.changes == 1 else { throw .corrupt(.incomplete) }
        recent.noteFiled(key)
    }

    /// Files some of the old generation, and deletes its rows once all of it is filed.
    ///
    /// - Parameter entries: About how many entries.
    /// - Returns: A session that cannot be filed: the transaction must be taken back.
    func fileSome(_ entries: Int) throws(JournalError) -> JournalKey? {
        var rest = entries
        while rest > 0, let key = recent.nextToFile() {
            rest -= recent.sessions[key]?.entries.count ?? 0
            do throws(JournalError) { try file(key) } catch {
                if case .unavailable = error { throw error }
                return key
            }
        }
        if rest > 0 { try deleteSome(rest) }
        return nil
    }

    private func deleteSome(_ entries: Int) throws(JournalError) {
        guard let old = recent.old else { return }
        if old.progress.rows == 0 { recent.carryStuck() }
        let count = old.rowsToDelete(entries: entries)
        guard count > 0 else { return }
        recent.old?.progress.rows += count
        try statements.deleteRecent.run(.integer(old.position + Int64(old.progress.rows + count)))
    }

    /// Makes a row of the entries that this transaction has brought.
    func writeGroup() throws(JournalError) {
        guard recent.group.count > 0 else { return }
        recent.written += recent.group.count
        let (sessions, entries) = recent.group.take()
        let position = recent.young.end
        try statements.insertRecent.run(.integer(position), .bytes(sessions), .bytes(entries), .bytes(sessions))
    }
}

internal import UsherJournal

extension Recent {
    /// Begins to load a table whose first row is at a position.
    mutating func start(at position: Int64) {
        young = Generation(number: 0, from: position)
    }

    /// Takes in an entry that is in the table, if it counts.
    ///
    /// One that is damaged takes the place of the next, so that its session is found to be damaged when it is read.
    ///
    /// - Parameter stored: The head in `rows`; nil where the session lives no more.
    mutating func load(_ entry: [UInt8], of key: JournalKey, on stored: Result<SessionHeader?, EntryError>) {
        guard case .success(let stored) = stored else { return loadStuck(entry, of: key) }
        let read = try? Entry(entry, of: key)
        guard let head = head(of: key) ?? stored, read.map({ $0.revision > head.revision }) ?? true else {
            return note(key)
        }
        add(entry, head.followed(byEntryAt: read?.time ?? head.time, size: entry.count), of: key)
    }

    /// Takes in an entry of a session whose head cannot be read.
    private mutating func loadStuck(_ entry: [UInt8], of key: JournalKey) {
        note(key)
        if !isStuck(key) { stuck += 1 }
        young.add(1, bytes: entry.count)
        sessions[key]?.appendStuck(entry)
    }

    /// Notes a session of which entries are in the table that do not count.
    private mutating func note(_ key: JournalKey) {
        guard sessions[key] == nil else { return }
        sessions[key] = RecentSession(filedIn: young.number)
        young.add(key)
    }

    mutating func loadRow(of entries: Int) {
        young.addRow(of: entries)
    }

    mutating func endLoading() {
        steps.removeAll()
        // Nobody knows which of the sessions have ended since.
        young.hasScraps = !young.rows.isEmpty
        if young.isFull(by: limits) { turn() }
    }
}

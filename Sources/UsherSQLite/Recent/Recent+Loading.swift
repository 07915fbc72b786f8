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
    /// - Parameter stored: The head in `rows` of a session that lives.
    mutating func load(_ entry: [UInt8], of key: JournalKey, on stored: Head?) {
        let read = try? Entry(entry, of: key)
        guard let head = head(of: key) ?? stored, read.map({ $0.revision > head.revision }) ?? true else {
            if sessions[key] == nil { sessions[key] = RecentSession(filedIn: young.number) }
            return
        }
        add(entry, head.followed(byEntryAt: read?.time ?? head.time, size: entry.count), of: key)
    }

    mutating func loadRow(of entries: Int) {
        young.addRow(of: entries)
    }

    mutating func endLoading() {
        steps.removeAll()
        // Nobody knows which of the sessions have ended since.
        young.hasScraps = true
        if young.isFull(by: limits) { turn() }
    }
}

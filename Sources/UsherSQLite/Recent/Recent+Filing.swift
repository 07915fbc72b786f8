internal import UsherJournal

extension Recent {
    /// Whether the table has rows that can be made to leave it.
    var hasFilable: Bool {
        guard stuck > 0 else { return !isEmpty }
        return sessions.values.contains { !$0.entries.isEmpty && !$0.isStuck }
    }

    /// The next session of the old generation that has something to file; it counts as filed then.
    mutating func nextToFile() -> JournalKey? {
        while let generation = old, !generation.isFiled {
            let key = generation.sessions[generation.progress.sessions]
            old?.progress.sessions += 1
            if let session = sessions[key], !session.entries.isEmpty, !session.isStuck { return key }
        }
        return nil
    }

    /// Puts the entries of sessions that could not be filed into the group, so that the old generation can go.
    mutating func carryStuck() {
        guard stuck > 0, let old else { return }
        // One that was filed and came again would be there twice.
        for key in Set(old.sessions) {
            guard let session = sessions[key], session.isStuck else { continue }
            for entry in session.entries { group.append(entry, of: key) }
            let bytes = session.entries.reduce(0) { $0 + $1.count }
            young.add(key)
            young.add(session.entries.count, bytes: bytes)
            sessions[key]?.generation = young.number
            steps.append((key, .carried(session.entries.count, bytes: bytes)))
        }
    }

    /// Makes the young generation the old one, where that has gone.
    mutating func turn() {
        guard old == nil, !young.rows.isEmpty else { return }
        old = young
        young = Generation(number: young.number + 1, from: young.end)
    }
}

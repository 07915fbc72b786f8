internal import UsherJournal

extension Store {
    /// Does what a change says, within a transaction.
    ///
    /// - Throws: `JournalError`; where something had been written by then, the transaction must be taken back.
    func apply(_ change: JournalChange) throws(JournalError) {
        let key = change.key
        switch change.action {
        case .create(let head, let entries, let opening): try create(key, head, entries, opening)
        case .append(let head, let entry, let answer): try append(head, entry, answer, of: key)
        case .keep(let head, let answer):
            _ = try follow(head, of: key, by: 0, answer)
            try file(key)
            try replaceHead(head, of: key, answer)
        case .complete(let answer): try complete(answer, of: key)
        case .end(let head, let answer): try end(key, head, answer)
        case .erase(let revision): try erase(revision, of: key)
        case .touch(let time): try touch(key, time)
        }
    }

    private func append(
        _ head: SessionHeader, _ entry: [UInt8], _ answer: KeyedAnswer?, of key: JournalKey
    ) throws(JournalError) {
        let stored = try follow(head, of: key, by: 1, answer)
        if answer == nil, appendRecent(entry, head, on: stored, of: key) { return }
        try file(key)
        let isSecret = Entry.holdsSecrets(entry)
        try insert(entry, at: head.revision, of: key, isSecret: isSecret)
        try replaceHead(head, of: key, answer, isSecret: isSecret)
        if stored.wakeAt != head.wakeAt { try wake(key, head.wakeAt) }
    }

    private func create(
        _ key: JournalKey, _ head: SessionHeader, _ entries: [[UInt8]], _ opening: KeyedAnswer?
    ) throws(JournalError) {
        guard head.revision == entries.count, head.answers == 0, head.ending == nil else { throw .conflict }
        // What an earlier session of this key has left among the recent entries would count for this one.
        guard recent.sessions[key] == nil else { throw .conflict }
        try statements.insertSession.run(.key(key), .integer(head.time))
        if let time = head.wakeAt { try wake(key, time) }
        if let opening {
            try statements.insertOpening.run(.text(opening.key), .key(key), .bytes(opening.bytes(of: key)))
        }
        try insert(head.bytes(of: key), at: 0, of: key)
        for (entry, revision) in zip(entries, 1...) {
            try insert(entry, at: revision, of: key, isSecret: Entry.holdsSecrets(entry))
        }
    }

    /// Checks that a head follows on the one that is there.
    ///
    /// - Returns: The one that is there.
    private func follow(
        _ head: SessionHeader, of key: JournalKey, by step: Int, _ answer: KeyedAnswer?
    ) throws(JournalError) -> SessionHeader {
        guard let stored = try self.head(of: key), stored.ending == nil, head.ending == nil,
            head.revision == stored.revision &+ step, head.answers == stored.answers &+ (answer == nil ? 0 : 1)
        else { throw .conflict }
        return stored
    }

    /// Notes when a session has something to do.
    private func wake(_ key: JournalKey, _ time: Int64?) throws(JournalError) {
        try statements.wakeSession.run(.key(key), time.map { .integer($0) } ?? .null)
    }

    /// Puts the body into an answer that was kept without one.
    private func complete(_ answer: KeyedAnswer, of key: JournalKey) throws(JournalError) {
        for (slot, bytes) in try rows(of: key, through: -1) {
            let kept = try intact { () throws(EntryError) in try KeyedAnswer(bytes, of: key) }
            guard kept.key == answer.key else { continue }
            try statements.updateRow.run(.key(key), .integer(slot), .bytes(answer.bytes(of: key)))
        }
    }

    /// Replaces a head, and keeps the answer that it counts.
    ///
    /// - Parameter isSecret: Whether the answer's fingerprint is that of a secret.
    func replaceHead(
        _ head: SessionHeader, of key: JournalKey, _ answer: KeyedAnswer?, isSecret: Bool = false
    ) throws(JournalError) {
        try statements.updateRow.run(.key(key), .integer(0), .bytes(head.bytes(of: key)))
        guard let answer else { return }
        try insert(answer.bytes(of: key), at: -head.answers, of: key, isSecret: isSecret)
        guard head.answers > KeyedAnswer.limit else { return }
        try statements.deleteRow.run(.key(key), .integer(KeyedAnswer.limit - head.answers))
    }

    /// Makes a row.
    func insert(
        _ content: [UInt8], at slot: Int, of key: JournalKey, isSecret: Bool = false
    ) throws(JournalError) {
        let content = isSecret ? SecretRow.wrapping(content) : content
        try statements.insertRow.run(.key(key), .integer(slot), .bytes(content))
    }

    private func touch(_ key: JournalKey, _ time: Int64) throws(JournalError) {
        try statements.touchSession.run(.key(key), .integer(time))
        guard connection.changes == 0 else { return }
        guard try isListed(key) else { throw .conflict }
    }
}

import UsherJournal

/// The sessions that may have verdicts (`SessionHold`), so that changes of other sessions need no lookup.
///
/// A rollback undoes deletions from this set together with changes of the table of verdicts.
struct HeldKeys {
    private var keys: Set<JournalKey> = []
    /// The sessions whose verdicts this transaction deletes.
    private var lifted: [JournalKey] = []

    mutating func add(_ key: JournalKey) { keys.insert(key) }

    func mayContain(_ key: JournalKey) -> Bool { !keys.isEmpty && keys.contains(key) }

    mutating func lift(_ key: JournalKey) { lifted.append(key) }

    mutating func commit() {
        for key in lifted { keys.remove(key) }
        lifted = []
    }

    mutating func rollBack() { lifted = [] }
}

extension SQLiteStorage {
    /// Returns a build's verdicts, which are all valid: a change of a session deletes the verdicts on the session.
    func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) throws(JournalError) -> [SessionHold] {
        try statements[.holds].all(
            .integer(Int64(bitPattern: build)), .key(keys.lowerBound), .key(keys.upperBound), .integer(max(0, limit))
        ) { row in row.key(0).flatMap { try? SessionHold(row.bytes(1), of: $0) } }
    }

    func holdCounts(for build: UInt64) throws(JournalError) -> [String: Int] {
        let counts = try statements[.holdCounts].all(.integer(Int64(bitPattern: build))) { row in
            (row.text(0), Int(row.integer(1)))
        }
        return Dictionary(counts) { $1 }
    }

    func change(_ change: HoldChange) throws(JournalError) {
        switch change {
        case .hold(let hold):
            guard try stands(hold) else { return }
            // Adds the session to the set before the insertion, because a change of the session may follow immediately.
            held.add(hold.key)
            try transaction { () throws(JournalError) in
                try statements[.insertHold].run(
                    .integer(Int64(bitPattern: hold.build)), .key(hold.key), .text(hold.kind), .bytes(hold.bytes))
            }
        case .lift(let key, let build):
            try transaction { () throws(JournalError) in
                try statements[.deleteHold].run(.integer(Int64(bitPattern: build)), .key(key))
            }
        }
    }

    private func stands(_ hold: SessionHold) throws(JournalError) -> Bool {
        switch try storedHeader(of: hold.key) {
        case .missing: false
        case .damaged: hold.version == nil
        case .intact(let header): hold.stands(upon: RecordHead(header))
        }
    }

    /// Deletes the verdicts on a session, if a change gives the session's record another version.
    func liftHolds(by change: JournalChange) throws(JournalError) {
        guard held.mayContain(change.key), change.revision != nil else { return }
        try statements[.deleteHoldsOfSession].run(.key(change.key))
        held.lift(change.key)
    }

    func loadHolds() throws(JournalError) {
        for key in try statements[.heldSessions].all(read: { $0.key(0) }) { held.add(key) }
    }
}

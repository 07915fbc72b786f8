internal import UsherJournal

/// What is in memory of the table of recent entries; it is as transactional as the table.
///
/// An entry counts while its revision is greater than that of its session's head in `rows`: whatever becomes of a session,
/// nothing has to be looked for in the table. Entries come into the young generation. When that is full it becomes the old
/// one, of which some is filed with each commit: a session's entries become rows of `rows`, and its head is brought up to
/// date. Once all of it is filed, its rows are deleted.
struct Recent {
    let limits: RecentLimits
    /// All sessions that have entries in the table, whether these count or not.
    var sessions: [JournalKey: RecentSession] = [:]
    var young = Generation(number: 0, from: 1)
    var old: Generation?
    /// What goes into the table with this transaction, in one row.
    var group = EntryGroup()
    /// How many entries of this transaction are in the table.
    var written = 0
    /// How many sessions were found to be stuck.
    var stuck = 0
    /// What this transaction has done, to be taken back with it; and what the old generation had come to before.
    var steps: [(key: JournalKey, step: Step)] = []
    var progress = (sessions: 0, rows: 0)

    /// One step within a transaction.
    enum Step {
        /// A session got its first entry that counts; with what there was of it.
        case begun(RecentSession?)
        /// A session got another entry; with its head before, and its generation.
        case grown(SessionHeader, in: Int)
        /// A session's entries are in `rows`; with what it had.
        case filed(RecentSession)
        /// A session's entries were put into the table once more; with their number and size.
        case carried(Int, bytes: Int)
    }

    init(_ limits: RecentLimits) {
        self.limits = limits
    }

    /// Whether the table has no rows.
    var isEmpty: Bool { young.rows.isEmpty && old == nil }

    /// The head of a session that has entries which are not in `rows`.
    func head(of key: JournalKey) -> SessionHeader? { sessions[key]?.head }

    /// Takes in an entry that follows on what there is, and puts it into the group.
    mutating func append(_ entry: [UInt8], _ head: SessionHeader, of key: JournalKey) {
        group.append(entry, of: key)
        add(entry, head, of: key)
    }

    /// Takes in an entry that follows on what there is.
    mutating func add(_ entry: [UInt8], _ head: SessionHeader, of key: JournalKey) {
        young.add(1, bytes: entry.count)
        if let index = sessions.index(forKey: key), let before = sessions.values[index].head {
            let generation = sessions.values[index].generation
            steps.append((key, .grown(before, in: generation)))
            // It is forgotten with the generation of its newest entry.
            if generation != young.number { young.add(key) }
            sessions.values[index].append(entry, head, in: young.number)
        } else {
            steps.append((key, .begun(sessions[key])))
            young.add(key)
            sessions[key, default: RecentSession(filedIn: young.number)].append(entry, head, in: young.number)
        }
    }

    /// Whether a session's rows in `rows` are damaged, as far as was noticed.
    func isStuck(_ key: JournalKey) -> Bool {
        stuck > 0 && sessions[key]?.isStuck ?? false
    }

    /// Notes that no entry of a session in the table counts any more.
    mutating func noteFiled(_ key: JournalKey) {
        guard let session = sessions[key], !session.entries.isEmpty else { return }
        steps.append((key, .filed(session)))
        sessions[key] = RecentSession(filedIn: session.generation)
    }

    /// Notes that a session cannot be filed; that outlives the transaction in which it was tried.
    mutating func noteStuck(_ key: JournalKey) {
        sessions[key]?.isStuck = true
        stuck += 1
    }

    /// Notes that a session has ended: what the table still has of it must leave the disk too.
    mutating func noteEnded(_ key: JournalKey) {
        guard sessions[key] != nil else { return }
        young.hasScraps = true
        old?.hasScraps = true
    }
}

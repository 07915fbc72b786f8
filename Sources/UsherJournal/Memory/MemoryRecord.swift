/// The rows of one session in memory.
struct MemoryRecord {
    private(set) var header: SessionHeader
    private var entries: [[UInt8]]
    private var answers: [[UInt8]] = []
    /// When it was last known to be in use; it may have been later.
    private(set) var touched: Int64
    /// The idempotency key that it was opened under.
    let openingKey: String?

    init(_ header: SessionHeader, entries: [[UInt8]], opening: KeyedAnswer?) {
        self.header = header
        self.entries = entries
        touched = header.time
        openingKey = opening?.key
    }

    /// Writes the rows that an update names; after an error all are as they were.
    ///
    /// In their places, so that entries are not copied to grow.
    mutating func write(_ update: RecordUpdate, of key: JournalKey) throws(JournalError) {
        switch update {
        case .advance(let header, _, let entry, let answer):
            if let entry { entries.append(entry) }
            store(header, answer, of: key)
        case .end(let header, let answer):
            entries = []
            store(header, answer, of: key)
        case .complete: try rewriteAnswers(update, of: key)
        case .erase(let revision):
            let erased = try RecordUpdate.erased(entry: entries[revision - 1], of: key)
            try rewriteAnswers(update, of: key)
            if let erased { entries[revision - 1] = erased }
        case .touch(let time): touched = max(touched, time)
        case .begin, .replace, .nothing: break
        }
    }

    func record(of key: JournalKey) throws(JournalError) -> SessionRecord {
        try SessionRecord(head: header, entries: entries, answers: answers, of: key)
    }

    func answer(under idempotencyKey: String, of key: JournalKey) throws(JournalError) -> KeyedAnswer? {
        do throws(EntryError) {
            return try answers.map { bytes throws(EntryError) in try KeyedAnswer(bytes, of: key) }
                .last { $0.key == idempotencyKey }
        } catch {
            throw .corrupt(error)
        }
    }

    private mutating func store(_ header: SessionHeader, _ answer: KeyedAnswer?, of key: JournalKey) {
        self.header = header
        guard let answer else { return }
        answers.append(answer.bytes(of: key))
        if header.outdatedAnswer != nil { answers.removeFirst() }
    }

    private mutating func rewriteAnswers(_ update: RecordUpdate, of key: JournalKey) throws(JournalError) {
        answers = try answers.map { bytes throws(JournalError) in
            try update.rewritten(answer: bytes, of: key) ?? bytes
        }
    }
}

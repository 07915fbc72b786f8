/// One session's rows in memory.
struct StoredSession {
    private(set) var head: SessionHeader
    private(set) var entries: [[UInt8]] = []
    private(set) var answers: [[UInt8]] = []
    /// When it was last known to be in use; it may have been later.
    private(set) var touched: Int64
    /// The idempotency key that it was opened under.
    let openingKey: String?

    init(_ head: SessionHeader, entries: [[UInt8]], opening: KeyedAnswer?, of key: JournalKey) {
        self.head = head
        self.entries = entries
        touched = head.time
        openingKey = opening?.key
    }

    /// Does what a change says; a change that does not follow on what is there leaves it as it was.
    mutating func apply(_ action: JournalChange.Action, of key: JournalKey) throws(JournalError) {
        switch action {
        case .create: throw .conflict
        case .append(let head, let entry, let answer):
            guard self.head.ending == nil, head.revision == entries.count + 1 else { throw .conflict }
            entries.append(entry)
            self.head = head
            if let answer { keep(answer, of: key) }
        case .keep(let head, let answer):
            guard self.head.ending == nil, head.revision == entries.count else { throw .conflict }
            self.head = head
            keep(answer, of: key)
        case .end(let head, let answer):
            guard self.head.ending == nil else { throw .conflict }
            entries = []
            self.head = head
            if let answer { keep(answer, of: key) }
        case .complete(let answer): try complete(answer, of: key)
        case .erase(let revision): try erase(revision, of: key)
        case .touch(let time): touched = max(touched, time)
        }
    }

    private mutating func keep(_ answer: KeyedAnswer, of key: JournalKey) {
        answers.append(answer.bytes(of: key))
        if answers.count > KeyedAnswer.limit { answers.removeFirst() }
    }

    private mutating func complete(_ answer: KeyedAnswer, of key: JournalKey) throws(JournalError) {
        for index in answers.indices {
            let kept: KeyedAnswer
            do throws(EntryError) { kept = try KeyedAnswer(answers[index], of: key) } catch { throw .corrupt(error) }
            if kept.key == answer.key { answers[index] = answer.bytes(of: key) }
        }
    }

    private mutating func erase(_ revision: Int, of key: JournalKey) throws(JournalError) {
        guard entries.indices.contains(revision - 1) else { return }
        do throws(EntryError) {
            entries[revision - 1] = try Entry(entries[revision - 1], of: key).erased.bytes(of: key)
            for index in answers.indices {
                let answer = try KeyedAnswer(answers[index], of: key)
                if answer.revision == revision { answers[index] = answer.withoutFingerprint.bytes(of: key) }
            }
        } catch {
            throw .corrupt(error)
        }
    }
}

import UsherJournal

/// A record as something to compare.
struct Snapshot: Equatable {
    let head: Head
    let entries: [Entry]
    let answers: [KeyedAnswer]

    init(_ record: Record) {
        head = record.head
        entries = record.entries
        answers = record.answers
    }

    init?(_ record: Record?) {
        guard let record else { return nil }
        self.init(record)
    }
}

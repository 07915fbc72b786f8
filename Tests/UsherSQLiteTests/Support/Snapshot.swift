import UsherJournal

/// A record as something to compare.
struct Snapshot: Equatable {
    let head: SessionHeader
    let entries: [Entry]
    let answers: [KeyedAnswer]

    init(_ record: SessionRecord) {
        head = record.head
        entries = record.entries
        answers = record.answers
    }

    init?(_ record: SessionRecord?) {
        guard let record else { return nil }
        self.init(record)
    }
}

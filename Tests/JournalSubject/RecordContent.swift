package import UsherJournal

/// The content of a record in a form that can be compared.
package struct RecordContent: Equatable {
    package let head: SessionHeader
    package let entries: [Entry]
    package let answers: [KeyedAnswer]

    package init(_ head: SessionHeader, _ entries: [Entry], _ answers: some Sequence<KeyedAnswer>) {
        self.head = head
        self.entries = entries
        self.answers = Array(answers)
    }

    package init(_ record: SessionRecord) {
        head = record.head
        entries = record.entries
        answers = record.answers
    }

    package init?(_ record: SessionRecord?) {
        guard let record else { return nil }
        self.init(record)
    }
}

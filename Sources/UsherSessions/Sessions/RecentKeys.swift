import UsherJournal

/// The newest idempotency keys of a session, as digests: enough to know when the journal need not be asked.
struct RecentKeys {
    private var digests: [Int] = []

    init(_ answers: [KeyedAnswer] = []) {
        digests = answers.map(\.key.hashValue)
    }

    func mayContain(_ key: String) -> Bool {
        !digests.isEmpty && digests.contains(key.hashValue)
    }

    mutating func add(_ key: String) {
        if digests.count == KeyedAnswer.limit { digests.removeFirst() }
        digests.append(key.hashValue)
    }
}

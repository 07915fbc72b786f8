/// The newest sessions that have ended; the oldest makes room for the next, so that they cost a bounded amount of memory.
struct EndedSessions {
    private let limit: Int
    /// In the order of their ends, as a ring once it is full.
    private var keys: [JournalKey] = []
    private var oldest = 0

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Adds a session.
    ///
    /// - Returns: The one that had to make room.
    mutating func add(_ key: JournalKey) -> JournalKey? {
        guard keys.count == limit else {
            keys.append(key)
            return nil
        }
        defer { oldest = (oldest + 1) % limit }
        let gone = keys[oldest]
        keys[oldest] = key
        return gone
    }

    /// Removes those for which a condition holds, from the oldest on, up to a number or the first for which it does not.
    mutating func removeAll(_ limit: Int, while isOver: (JournalKey) -> Bool) -> [JournalKey] {
        let ordered = keys[oldest...] + keys[..<oldest]
        let removed = Array(ordered.prefix(max(0, limit)).prefix(while: isOver))
        guard !removed.isEmpty else { return [] }
        keys = Array(ordered.dropFirst(removed.count))
        oldest = 0
        return removed
    }
}

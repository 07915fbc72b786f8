import Synchronization

/// A part of the sessions of a journal in memory, behind a lock of its own.
final class MemoryShard: Sendable {
    private struct Contents {
        var sessions: [JournalKey: StoredSession] = [:]
        var ended: EndedSessions

        mutating func update(_ change: JournalChange) throws(JournalError) {
            guard let index = sessions.index(forKey: change.key) else { throw .conflict }
            // In its place, so that its entries are not copied to grow.
            try sessions.values[index].apply(change.action, of: change.key)
        }
    }

    /// What a change has led to.
    struct Outcome {
        /// By how much the number of live sessions has grown.
        var growth = 0
        /// The idempotency keys of sessions that had to make room.
        var forgotten: [String] = []
    }

    private let contents: Mutex<Contents>

    init(endedLimit: Int) {
        contents = Mutex(Contents(ended: EndedSessions(limit: endedLimit)))
    }

    func apply(_ change: JournalChange) throws(JournalError) -> Outcome {
        try contents.withLock { contents throws(JournalError) in
            switch change.action {
            case .create(let head, let entries, let opening):
                guard contents.sessions[change.key] == nil else { throw .conflict }
                contents.sessions[change.key] = StoredSession(head, entries: entries, opening: opening, of: change.key)
                return Outcome(growth: 1)
            case .end:
                try contents.update(change)
                let oldest = contents.ended.add(change.key)
                let gone = oldest.flatMap { contents.sessions.removeValue(forKey: $0) }
                return Outcome(growth: -1, forgotten: [gone?.openingKey].compactMap(\.self))
            default:
                try contents.update(change)
                return Outcome()
            }
        }
    }

    func session(_ key: JournalKey) -> StoredSession? {
        contents.withLock { $0.sessions[key] }
    }

    func sessions(after key: JournalKey?, limit: Int) -> [SessionListing] {
        let following = contents.withLock { contents in
            contents.sessions.filter { other, stored in stored.head.ending == nil && key.map { other > $0 } ?? true }
        }
        return following.sorted { $0.key < $1.key }.prefix(limit).map(Self.listing)
    }

    /// Those that were touched longest ago, in that order.
    func idle(since time: Int64, limit: Int) -> some Sequence<(key: JournalKey, value: StoredSession)> {
        let idle = contents.withLock { contents in
            contents.sessions.filter { $0.value.head.ending == nil && $0.value.touched <= time }
        }
        return idle.sorted { $0.value.touched < $1.value.touched }.prefix(max(0, limit))
    }

    func due(by time: Int64) -> [SessionListing] {
        let due = contents.withLock { contents in
            contents.sessions.filter { $0.value.head.ending == nil && $0.value.head.wakeAt.map { $0 <= time } ?? false }
        }
        return due.map(Self.listing)
    }

    func purge(endedBefore time: Int64, limit: Int) -> [StoredSession] {
        contents.withLock { contents in
            contents.ended.removeAll(limit) { contents.sessions[$0]?.head.ending.map { $0.time < time } ?? true }
                .compactMap { contents.sessions.removeValue(forKey: $0) }
        }
    }

    static func listing(_ key: JournalKey, _ stored: StoredSession) -> SessionListing {
        SessionListing(key: key, head: stored.head)
    }
}

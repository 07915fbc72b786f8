import Synchronization

/// A journal that ends with the process.
public final class MemoryJournal: Journal {
    private typealias Entries = [JournalKey: [[UInt8]]]

    private let shards: [Shard]

    private final class Shard: Sendable {
        let entries = Mutex<Entries>([:])
    }

    private static let shardBits: UInt64 = 6

    /// Makes an empty journal.
    public init() {
        shards = (0..<(1 << Self.shardBits)).map { _ in Shard() }
    }

    /// Adds the next entry of a session.
    public func append(_ entry: [UInt8], revision: Int, to key: JournalKey) throws(JournalError) {
        try shard(of: key).entries.withLock { entries throws(JournalError) in
            let expected = entries[key, default: []].count + 1
            guard revision == expected else { throw .conflict(expected: expected, found: revision) }
            entries[key, default: []].append(entry)
        }
    }

    /// All entries of a session, in order.
    public func entries(of key: JournalKey) -> [[UInt8]] {
        shard(of: key).entries.withLock { $0[key] ?? [] }
    }

    /// Forgets a session.
    public func remove(_ key: JournalKey) {
        shard(of: key).entries.withLock { $0[key] = nil }
    }

    private func shard(of key: JournalKey) -> Shard {
        shards[Int(key.high >> (64 - Self.shardBits))]
    }
}

import Synchronization
import UsherHTTP

/// The use that clients make of the server, by their address, in shards, each behind a lock of its own.
///
/// Bounded: where a shard is full, the address goes that was not seen for the longest time among some, so that many
/// addresses cannot fill memory.
final class AddressTable: Sendable {
    /// The use of one address.
    struct Account {
        /// Its open streams.
        var streams = 0
        /// The sessions that it may open.
        var sessions: TokenBucket
        /// The bytes that it may have journalled.
        var bytes: TokenBucket
        /// The wrong secrets that it may show.
        var secrets: TokenBucket
        fileprivate var lastSeen: Int64 = 0

        /// No use of anything yet.
        init(sessions: TokenBucket, bytes: TokenBucket, secrets: TokenBucket) {
            self.sessions = sessions
            self.bytes = bytes
            self.secrets = secrets
        }
    }

    private let shards: [Shard]
    private let make: @Sendable (Int64) -> Account

    private static let shardCount = 16

    /// Makes an empty table.
    ///
    /// - Parameters:
    ///   - capacity: The addresses that it remembers.
    ///   - make: The use of an address that was not seen before, at a time in nanoseconds.
    init(capacity: Int = 65_536, _ make: @escaping @Sendable (Int64) -> Account) {
        let perShard = max(1, capacity / Self.shardCount)
        shards = (0..<Self.shardCount).map { _ in Shard(capacity: perShard) }
        self.make = make
    }

    /// The number of addresses that it remembers.
    var count: Int { shards.reduce(0) { $0 + $1.count } }

    /// Looks at the use of an address, and changes it.
    ///
    /// - Parameter now: The time in nanoseconds.
    func update<Value>(_ address: NetworkAddress, now: Int64, _ body: (inout Account) -> Value) -> Value {
        shards[Int(truncatingIfNeeded: UInt(bitPattern: address.hashValue)) & (Self.shardCount - 1)]
            .update(address, now: now, make, body)
    }

    private final class Shard: Sendable {
        private let capacity: Int
        private let uses = Mutex<[NetworkAddress: Account]>([:])

        /// Addresses among which the one is sought that goes.
        private static let sample = 16

        init(capacity: Int) {
            self.capacity = capacity
        }

        var count: Int { uses.withLock { $0.count } }

        func update<Value>(
            _ address: NetworkAddress, now: Int64, _ make: (Int64) -> Account, _ body: (inout Account) -> Value
        ) -> Value {
            uses.withLock { uses in
                if uses[address] == nil, uses.count >= capacity { Self.makeRoom(in: &uses) }
                var use = uses[address] ?? make(now)
                use.lastSeen = now
                defer { uses[address] = use }
                return body(&use)
            }
        }

        private static func makeRoom(in uses: inout [NetworkAddress: Account]) {
            let idle = uses.lazy.filter { $0.value.streams == 0 }.prefix(sample)
            // As many streams as that are never open.
            let gone = idle.min { $0.value.lastSeen < $1.value.lastSeen } ?? uses.first
            if let gone { uses[gone.key] = nil }
        }
    }
}

import Synchronization
import UsherHTTP

/// The use of the server by each client address.
///
/// The table has a maximum size, so that many addresses cannot fill the memory. When it is full, the least recently
/// seen address of a random sample is removed.
final class AddressTable: Sendable {
    /// The use by one address.
    struct Account {
        var streams = 0
        /// The number of sessions that the address may open now.
        var sessions: TokenBucket
        /// The number of bytes that the address may add to the journal now.
        var bytes: TokenBucket
        /// The number of wrong secrets that the address may send now.
        var secrets: TokenBucket
        fileprivate var lastSeen: Int64 = 0

        init(sessions: TokenBucket, bytes: TokenBucket, secrets: TokenBucket) {
            self.sessions = sessions
            self.bytes = bytes
            self.secrets = secrets
        }
    }

    private let accounts = Mutex<[NetworkAddress: Account]>([:])
    private let capacity: Int
    private let make: @Sendable (Int64) -> Account

    /// The number of addresses that are compared in order to find one to remove.
    private static let sample = 16

    /// Creates an empty table; `make` creates the account of a new address at a time in nanoseconds.
    init(capacity: Int = 65_536, _ make: @escaping @Sendable (Int64) -> Account) {
        self.capacity = capacity
        self.make = make
    }

    var count: Int { accounts.withLock { $0.count } }

    /// Updates the account of an address at a time in nanoseconds.
    func update<Value>(_ address: NetworkAddress, now: Int64, _ body: (inout Account) -> Value) -> Value {
        accounts.withLock { accounts in
            if accounts[address] == nil, accounts.count >= capacity { Self.makeRoom(in: &accounts) }
            var account = accounts[address] ?? make(now)
            account.lastSeen = now
            defer { accounts[address] = account }
            return body(&account)
        }
    }

    private static func makeRoom(in accounts: inout [NetworkAddress: Account]) {
        let idle = accounts.lazy.filter { $0.value.streams == 0 }.prefix(sample)
        // If the whole sample has open streams, any address is removed; in practice, so many streams are never open.
        let gone = idle.min { $0.value.lastSeen < $1.value.lastSeen } ?? accounts.first
        if let gone { accounts[gone.key] = nil }
    }
}

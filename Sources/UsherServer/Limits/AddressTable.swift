import Synchronization
import UsherHTTP

/// The use that clients make of the server, by their address.
///
/// Bounded: where it is full, the address goes that was not seen for the longest time among some, so that many addresses
/// cannot fill memory.
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

    private let accounts = Mutex<[NetworkAddress: Account]>([:])
    private let capacity: Int
    private let make: @Sendable (Int64) -> Account

    /// The number of addresses that are compared to find one to remove.
    private static let sample = 16

    /// Makes an empty table.
    ///
    /// - Parameters:
    ///   - capacity: The addresses that it remembers.
    ///   - make: The use of an address that was not seen before, at a time in nanoseconds.
    init(capacity: Int = 65_536, _ make: @escaping @Sendable (Int64) -> Account) {
        self.capacity = capacity
        self.make = make
    }

    /// The number of addresses that it remembers.
    var count: Int { accounts.withLock { $0.count } }

    /// Looks at the use of an address, and changes it.
    ///
    /// - Parameter now: The time in nanoseconds.
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
        // As many streams as that are never open.
        let gone = idle.min { $0.value.lastSeen < $1.value.lastSeen } ?? accounts.first
        if let gone { accounts[gone.key] = nil }
    }
}

import Synchronization
import UsherProcess

/// The browsers that have logged in: each has a key of its own in its cookie, which ends with the process.
///
/// A key is no token: whoever comes to know one can look inside until its login ends, and cannot log in.
final class Logins: Sendable {
    private struct Login {
        let key: [UInt8]
        /// The time of its last use, by the `MonotonicClock`.
        var used: Int64
    }

    /// In the order in which they began.
    private let logins = Mutex<[Login]>([])

    /// The most logins at a time; one more ends the one that was not used for longest.
    static let limit = 64
    /// A login that is not used for so long ends.
    static let idleDays = 7

    /// Begins a login.
    ///
    /// - Returns: Its key.
    func begin(now: Int64 = MonotonicClock.now) -> String {
        let key = RandomText.make()
        logins.withLock { logins in
            Self.expire(&logins, now)
            if logins.count == Self.limit, let oldest = logins.indices.min(by: { logins[$0].used < logins[$1].used }) {
                logins.remove(at: oldest)
            }
            logins.append(Login(key: Array(key.utf8), used: now))
        }
        return key
    }

    /// True of the key of a login, which is used thereby; takes the same time wherever others differ from it.
    func hold(_ key: some Collection<UInt8>, now: Int64 = MonotonicClock.now) -> Bool {
        logins.withLock { logins in
            Self.expire(&logins, now)
            var found: Int?
            for index in logins.indices where key.isSameSecret(as: logins[index].key) { found = index }
            guard let found else { return false }
            logins[found].used = now
            return true
        }
    }

    /// Ends the login of a key.
    func end(_ key: some Collection<UInt8>) {
        logins.withLock { $0.removeAll { key.isSameSecret(as: $0.key) } }
    }

    private static func expire(_ logins: inout [Login], _ now: Int64) {
        logins.removeAll { now - $0.used > Int64(idleDays) * 86_400_000_000_000 }
    }
}

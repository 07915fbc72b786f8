import Synchronization
import UsherBytes
import UsherJournal
import UsherProcess

/// The browsers that have logged in, each with its own key in a cookie.
///
/// A key gives access until its login ends, but cannot be used to log in. A file stores digests of the keys, so that
/// logins survive a restart. Each digest also depends on the admin token, so a login ends when the token changes.
final class Logins: Sendable {
    private struct Login {
        let digest: [UInt8]
        /// The time of the last use, in milliseconds since 1970.
        ///
        /// By this clock, logins also age while the machine sleeps or is off.
        var used: Int64
        /// The time of the last use as the file contains it.
        var stored: Int64
    }

    /// The logins, the oldest first.
    private let logins: Mutex<[Login]>
    private let token: BearerSecret
    private let file: String?
    private let report: @Sendable (any Error) -> Void

    /// The maximum number of logins; one more login ends the least recently used login.
    static let limit = 64
    /// The number of days after which an unused login ends.
    static let idleDays = 7

    private static let day: Int64 = 86_400_000

    /// Restores the logins in a file, if there is one; calls `report` if the file cannot be read or written.
    init(
        with token: BearerSecret, in file: String? = nil, now: Int64 = WallTime.milliseconds(),
        report: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.token = token
        self.file = file
        self.report = report
        var known: [Login] = []
        if let file, PrivateFile.isThere(file) {
            do {
                let stored = try PrivateFile(file, limit: 65_536)
                if let exposure = stored.exposure { throw exposure }
                known = Self.read(stored.contents, now: now)
            } catch {
                report(error)
            }
        }
        logins = Mutex(known)
    }

    /// Starts a login, and returns the key for its cookie.
    func begin(now: Int64 = WallTime.milliseconds()) -> String {
        let key = RandomText.make()
        logins.withLock { logins in
            Self.expire(&logins, now)
            if logins.count == Self.limit, let oldest = logins.indices.min(by: { logins[$0].used < logins[$1].used }) {
                logins.remove(at: oldest)
            }
            logins.append(Login(digest: digest(of: key.utf8), used: now, stored: now))
            store(&logins)
        }
        return key
    }

    /// Returns `true` for the key of a login, and records the use; all wrong keys take the same time.
    func hold(_ key: some Collection<UInt8>, now: Int64 = WallTime.milliseconds()) -> Bool {
        let digest = digest(of: key)
        return logins.withLock { logins in
            Self.expire(&logins, now)
            guard let found = logins.firstIndex(where: { digest.isSameSecret(as: $0.digest) }) else { return false }
            logins[found].used = now
            if now - logins[found].stored > Self.day { store(&logins) }
            return true
        }
    }

    func end(_ key: some Collection<UInt8>) {
        let digest = digest(of: key)
        logins.withLock { logins in
            let count = logins.count
            logins.removeAll { digest.isSameSecret(as: $0.digest) }
            // Writes only if a login has ended, because anyone may send this request, and a write waits for the disk.
            if logins.count < count { store(&logins) }
        }
    }

    private func digest(of key: some Collection<UInt8>) -> [UInt8] {
        // A token has no line feed, so two different pairs of token and key never give the same text.
        let words = SHA256.words(of: Array(token.text.utf8) + [UInt8(ascii: "\n")] + key)
        let text = String(capacity: 64) { text in
            for place in stride(from: 0, to: words.count, by: 2) {
                text.append(hexadecimal: UInt64(words[place]) << 32 | UInt64(words[place + 1]))
            }
        }
        return Array(text.utf8)
    }

    private static func expire(_ logins: inout [Login], _ now: Int64) {
        // Corrects times in the future, so that a clock that is set back does not extend logins.
        for index in logins.indices where logins[index].used > now { logins[index].used = now }
        logins.removeAll { now - $0.used > Int64(idleDays) * day }
    }

    private func store(_ logins: inout [Login]) {
        guard let file else { return }
        for index in logins.indices { logins[index].stored = logins[index].used }
        let lines = logins.map { "\(String(decoding: $0.digest, as: UTF8.self)) \($0.used)\n" }
        do throws(SystemError) {
            try PrivateFile.write(Array(lines.joined().utf8), to: file)
        } catch {
            report(error)
        }
    }

    /// Parses the logins in a file; ignores malformed lines.
    private static func read(_ contents: [UInt8], now: Int64) -> [Login] {
        contents.split(separator: UInt8(ascii: "\n")).suffix(limit).compactMap { line in
            let parts = line.split(separator: UInt8(ascii: " "))
            guard parts.count == 2, parts[0].count == 64, let used = Int64(String(decoding: parts[1], as: UTF8.self))
            else { return nil }
            // Times in the future are corrected, because the clock may have been set back.
            return Login(digest: Array(parts[0]), used: max(0, min(used, now)), stored: max(0, min(used, now)))
        }
    }
}

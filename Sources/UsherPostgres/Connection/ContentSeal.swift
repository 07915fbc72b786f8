import UsherJournal

/// A row that a sealed content is bound to: as another's it does not open.
enum SealedRow {
    case entry(JournalKey, revision: Int)
    /// By its idempotency key, for its number is not known where its body comes later.
    case answer(JournalKey, under: String)
    case opening(JournalKey, under: String)
    case guilty(JournalKey?)
    /// The header of a session that has ended.
    case head(JournalKey)

    /// The number of its kind.
    private var kind: UInt8 {
        switch self {
        case .entry: 1
        case .answer: 2
        case .opening: 3
        case .guilty: 4
        case .head: 5
        }
    }

    /// Appends the bytes that are authenticated with the content.
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes.append(kind)
        switch self {
        case .entry(let key, let revision):
            bytes.append(key)
            bytes.append(Int64(revision))
        case .answer(let key, let idempotencyKey), .opening(let key, let idempotencyKey):
            bytes.append(key)
            bytes += idempotencyKey.utf8
        case .guilty(let key):
            if let key { bytes.append(key) }
        case .head(let key): bytes.append(key)
        }
    }
}

/// The sealing of contents on their way to the database, and the opening of those that come from there; for one thread.
///
/// A sealed content is a mark, the name of the key (8 bytes), a nonce (24), the ciphertext, and its tag (16).
final class ContentSeal {
    /// The first byte of a sealed content; one that is not sealed begins with the version of its format, a small number.
    private static let mark: UInt8 = 0xE1
    private static let headSize = 9
    /// The bytes by which a sealed content is longer.
    static let growth = headSize + XAES256GCM.nonceSize + XAES256GCM.tagSize

    private let keys: SealingKeys?
    private var ciphers: [UInt64: XAES256GCM] = [:]
    private var associated: [UInt8] = []

    /// Makes a seal.
    ///
    /// - Parameter keys: The keys; nil where nothing is sealed.
    init(_ keys: SealingKeys?) {
        self.keys = keys
    }

    /// Seals a content, where there are keys.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - row: The row that it is for.
    /// - Throws: `PostgresFailure` where the library fails: nothing leaves then.
    func seal(_ content: [UInt8], for row: SealedRow) throws(PostgresFailure) -> [UInt8] {
        guard let identifier = keys?.identifiers.first else { return content }
        var sealed: [UInt8] = []
        sealed.reserveCapacity(content.count + Self.growth)
        sealed.append(Self.mark)
        sealed.append(identifier)
        guard let cipher = cipher(of: identifier), XAES256GCM.appendNonce(to: &sealed) else { throw Self.failure }
        associate(row)
        guard cipher.seal(content, authenticating: associated, into: &sealed) else { throw Self.failure }
        return sealed
    }

    private static let failure = PostgresFailure(.resource, "libcrypto cannot seal what is to be kept")

    /// Opens a content; one that is not sealed stays as it is.
    ///
    /// - Parameters:
    ///   - content: The stored content.
    ///   - row: The row that it was found in.
    /// - Throws: `EntryError` where it was changed or is another row's, or where its key is not there.
    func open(_ content: [UInt8], of row: SealedRow) throws(EntryError) -> [UInt8] {
        guard content.first == Self.mark else { return content }
        guard content.count >= Self.growth else { throw .truncated }
        let identifier = content[1..<Self.headSize].reduce(0) { $0 << 8 | UInt64($1) }
        guard let cipher = cipher(of: identifier) else { throw .sealed(SealingKeys.text(of: identifier)) }
        associate(row)
        guard let opened = cipher.open(content, from: Self.headSize, authenticating: associated) else {
            throw .checksum
        }
        return opened
    }

    private func cipher(of identifier: UInt64) -> XAES256GCM? {
        if let cipher = ciphers[identifier] { return cipher }
        let cipher = keys?.key(named: identifier).flatMap { XAES256GCM(key: $0) }
        ciphers[identifier] = cipher
        return cipher
    }

    private func associate(_ row: SealedRow) {
        associated.removeAll(keepingCapacity: true)
        associated.append(Self.mark)
        row.append(to: &associated)
    }
}

import UsherJournal

/// The identity of a row, which binds an encrypted ("sealed") content to the row: the content cannot be decrypted as
/// the content of another row.
struct SealedRow {
    fileprivate let bytes: [UInt8]

    private init(_ kind: UInt8, _ key: JournalKey?, _ rest: (inout [UInt8]) -> Void = { _ in }) {
        var bytes = [ContentSeal.mark, kind]
        if let key { bytes.append(key) }
        rest(&bytes)
        self.bytes = bytes
    }

    static func entry(_ key: JournalKey, revision: Int) -> SealedRow {
        SealedRow(1, key) { $0.append(Int64(revision)) }
    }

    /// Returns the row of an answer, identified by its idempotency key, because the answer's number is unknown when the
    /// answer's body is added later.
    static func answer(_ key: JournalKey, under name: String) -> SealedRow { SealedRow(2, key) { $0 += name.utf8 } }
    static func opening(_ key: JournalKey, under name: String) -> SealedRow { SealedRow(3, key) { $0 += name.utf8 } }
    static func guilty(_ key: JournalKey?) -> SealedRow { SealedRow(4, key) }
    /// Returns the row of the header of an ended session.
    static func head(_ key: JournalKey) -> SealedRow { SealedRow(5, key) }
    static func hold(_ key: JournalKey) -> SealedRow { SealedRow(6, key) }
}

/// Encrypts (seals) contents before they are sent to the database, and decrypts (opens) stored contents.
///
/// Only one thread may use the object.
///
/// A sealed content consists of a mark, the key's name (8 bytes), a nonce (24), the ciphertext, and its tag (16).
final class ContentSeal {
    /// The first byte of a sealed content; an unsealed content starts with the number of its format, which is smaller.
    fileprivate static let mark: UInt8 = 0xE1
    private static let headSize = 9
    /// The number of bytes that sealing adds to a content.
    static let growth = headSize + XAES256GCM.nonceSize + XAES256GCM.tagSize

    private let keys: SealingKeys?
    private var ciphers: [UInt64: XAES256GCM] = [:]

    /// Creates a seal; without keys, contents are not sealed.
    init(_ keys: SealingKeys?) {
        self.keys = keys
    }

    /// Seals a content, or returns it unchanged if there are no keys.
    ///
    /// - Throws: `PostgresFailure` if libcrypto fails. The content must then not be sent.
    func seal(_ content: [UInt8], for row: SealedRow) throws(PostgresFailure) -> [UInt8] {
        guard let identifier = keys?.identifiers.first else { return content }
        var sealed: [UInt8] = []
        sealed.reserveCapacity(content.count + Self.growth)
        sealed.append(Self.mark)
        sealed.append(identifier)
        guard let cipher = cipher(of: identifier), XAES256GCM.appendNonce(to: &sealed) else { throw Self.failure }
        guard cipher.seal(content, authenticating: row.bytes, into: &sealed) else { throw Self.failure }
        return sealed
    }

    private static let failure = PostgresFailure(.resource, "libcrypto cannot seal the contents")

    /// Opens a content, or returns it unchanged if it is not sealed.
    ///
    /// - Throws: `EntryError` if the content was changed, if it belongs to another row, or if its key is missing.
    func open(_ content: [UInt8], of row: SealedRow) throws(EntryError) -> [UInt8] {
        guard content.first == Self.mark else { return content }
        guard content.count >= Self.growth else { throw .truncated }
        let identifier = content[1..<Self.headSize].reduce(0) { $0 << 8 | UInt64($1) }
        guard let cipher = cipher(of: identifier) else { throw .sealed(SealingKeys.text(of: identifier)) }
        guard let opened = cipher.open(content, from: Self.headSize, authenticating: row.bytes) else {
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
}

import UsherBytes

/// The hash of a session's token, which the journal stores instead of the token, because the hash grants no access.
///
/// One round of SHA-256 is enough, because a token has 256 random bits, which nobody can guess.
package struct TokenHash: Equatable, Sendable {
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    package init(of secret: [UInt8]) {
        let words = SHA256.words(of: secret).map { UInt64($0) }
        first = words[0] << 32 | words[1]
        second = words[2] << 32 | words[3]
        third = words[4] << 32 | words[5]
        fourth = words[6] << 32 | words[7]
    }

    /// Compares in constant time, so that timing reveals nothing.
    package static func == (left: TokenHash, right: TokenHash) -> Bool {
        let early = (left.first ^ right.first) | (left.second ^ right.second)
        let late = (left.third ^ right.third) | (left.fourth ^ right.fourth)
        return early | late == 0
    }

    fileprivate func write(into writer: inout ByteWriter) {
        for word in [first, second, third, fourth] { writer.littleEndian(word, count: 8) }
    }

    fileprivate init(from reader: inout ByteReader) throws(EntryError) {
        first = try reader.littleEndian(count: 8)
        second = try reader.littleEndian(count: 8)
        third = try reader.littleEndian(count: 8)
        fourth = try reader.littleEndian(count: 8)
    }
}

/// The access to a session: the hashes of the session's tokens, and the user to whom the session belongs.
///
/// The access is part of the session's header, and no input changes it. The type is a class, because each input copies
/// the header.
package final class SessionAccess: Sendable {
    /// A Boolean value that indicates whether a request needs a token; if not, the session's id is enough.
    package let needsToken: Bool
    /// The hash of the token with full access; nil if there is no such token, for example because it was revoked.
    package let owner: TokenHash?
    /// The hashes of the tokens with read access, the oldest first.
    package let readers: [TokenHash]
    /// The user for whom a backend opened the session; nil if no user was named.
    package let subject: String?

    /// The maximum number of tokens with read access.
    package static let readerLimit = 8
    /// The maximum length of a subject in bytes.
    package static let subjectLimit = 255

    /// Returns `true` if a text can be the name of a user: it has a valid length, and no control characters.
    package static func isSubject(_ text: String) -> Bool {
        (1...subjectLimit).contains(text.utf8.count) && !text.hasControls
    }

    package init(owner: TokenHash?, readers: [TokenHash] = [], subject: String? = nil) {
        needsToken = true
        self.owner = owner
        self.readers = readers
        self.subject = subject
    }

    /// Creates the access to a session for which the id is enough.
    package init(openFor subject: String) {
        needsToken = false
        owner = nil
        readers = []
        self.subject = subject
    }

    package func isOwner(_ token: TokenHash) -> Bool { owner == token }

    /// Returns `true` if a token has read access, in the same time for each token, so that timing reveals nothing.
    package func mayRead(_ token: TokenHash) -> Bool {
        readers.reduce(isOwner(token)) { found, reader in
            let isSame = reader == token
            return found || isSame
        }
    }
}

extension SessionAccess: Equatable {
    package static func == (left: SessionAccess, right: SessionAccess) -> Bool {
        left === right
            || left.needsToken == right.needsToken && left.owner == right.owner && left.readers == right.readers
                && left.subject.map(ExactText.init) == right.subject.map(ExactText.init)
    }
}

extension SessionAccess {
    /// Returns the access as a row's bytes, for a journal that stores it separately from the header.
    package func bytes(of key: JournalKey) -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: 80)
        write(into: &writer)
        return writer.sealed(for: key)
    }

    /// Parses a row, which must belong to the given session.
    ///
    /// - Throws: `EntryError`.
    package convenience init(_ bytes: [UInt8], of key: JournalKey) throws(EntryError) {
        var reader = try ByteReader(bytes, of: key)
        try self.init(from: &reader)
        guard reader.isAtEnd else { throw .malformed }
    }

    func write(into writer: inout ByteWriter) {
        writer.byte(needsToken ? owner == nil ? 0 : 1 : 2)
        owner?.write(into: &writer)
        writer.integer(readers.count)
        for reader in readers { reader.write(into: &writer) }
        writer.text(subject ?? "")
    }

    convenience init(from reader: inout ByteReader) throws(EntryError) {
        let kind = try reader.byte()
        guard kind <= 2 else { throw .malformed }
        let owner = kind == 1 ? try TokenHash(from: &reader) : nil
        let count = try reader.integer()
        guard count <= Self.readerLimit else { throw .malformed }
        var readers: [TokenHash] = []
        for _ in 0..<count { readers.append(try TokenHash(from: &reader)) }
        let subject = try reader.text()
        guard kind < 2 || readers.isEmpty else { throw .malformed }
        if kind == 2 {
            self.init(openFor: subject)
        } else {
            self.init(owner: owner, readers: readers, subject: subject.isEmpty ? nil : subject)
        }
    }
}

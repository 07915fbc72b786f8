import UsherBytes

/// The hash of a session's token: what is kept of it, and does not open anything.
///
/// SHA-256 once is enough: a token is 256 random bits, which nobody can try one by one.
package struct TokenHash: Equatable, Sendable {
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    /// Hashes a secret.
    ///
    /// - Parameter secret: The secret's bytes, of which 256 bits are random.
    package init(of secret: [UInt8]) {
        let words = SHA256.words(of: secret).map { UInt64($0) }
        first = words[0] << 32 | words[1]
        second = words[2] << 32 | words[3]
        third = words[4] << 32 | words[5]
        fourth = words[6] << 32 | words[7]
    }

    /// Equality in constant time.
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

/// The access to a session: the hashes of the tokens that open it, and the user whom it belongs to.
///
/// It is a part of the session's header, and changes by no input. A class, for a header is copied with each event, and this
/// seldom changes.
package final class SessionAccess: Sendable {
    /// True where a token has to be shown; else the session's id alone opens it.
    package let needsToken: Bool
    /// The hash of the token that opens the session for everything; nil where that was revoked.
    package let owner: TokenHash?
    /// The hashes of the tokens that open it for reading, the oldest first.
    package let readers: [TokenHash]
    /// The user for whom a backend has opened it; nil where none was named.
    package let subject: String?

    /// The most tokens for reading at a time.
    package static let readerLimit = 8
    /// The most bytes of a subject.
    package static let subjectLimit = 255

    /// True of a text that names a user, as an address can, too: it has no control character.
    ///
    /// - Parameter text: The text.
    package static func isSubject(_ text: String) -> Bool {
        (1...subjectLimit).contains(text.utf8.count) && !text.hasControls
    }

    /// Makes an access.
    ///
    /// - Parameters:
    ///   - owner: The hash of the token that opens the session for everything.
    ///   - readers: The hashes of the tokens that open it for reading.
    ///   - subject: The user for whom a backend has opened it.
    package init(owner: TokenHash?, readers: [TokenHash] = [], subject: String? = nil) {
        needsToken = true
        self.owner = owner
        self.readers = readers
        self.subject = subject
    }

    /// Makes the access to a session that its id alone opens.
    ///
    /// - Parameter subject: The user for whom a backend has opened it.
    package init(openFor subject: String) {
        needsToken = false
        owner = nil
        readers = []
        self.subject = subject
    }

    /// True where a token opens the session for everything.
    ///
    /// - Parameter token: The token's hash.
    package func isOwner(_ token: TokenHash) -> Bool { owner == token }

    /// True where a token opens the session for reading; takes the same time whichever of them it is.
    ///
    /// - Parameter token: The token's hash.
    package func mayRead(_ token: TokenHash) -> Bool {
        readers.reduce(isOwner(token)) { found, reader in
            let isSame = reader == token
            return found || isSame
        }
    }
}

extension SessionAccess: Equatable {
    /// True for the same tokens and subject.
    package static func == (left: SessionAccess, right: SessionAccess) -> Bool {
        left === right
            || left.needsToken == right.needsToken && left.owner == right.owner && left.readers == right.readers
                && left.subject.map(ExactText.init) == right.subject.map(ExactText.init)
    }
}

extension SessionAccess {
    /// The access as a row's bytes, where a journal keeps it apart from the header.
    ///
    /// - Parameter key: The session.
    package func bytes(of key: JournalKey) -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: 80)
        write(into: &writer)
        return writer.sealed(for: key)
    }

    /// Reads a row.
    ///
    /// - Parameters:
    ///   - bytes: What `bytes(of:)` once was.
    ///   - key: The session that it must belong to.
    /// - Throws: `EntryError`.
    package convenience init(_ bytes: [UInt8], of key: JournalKey) throws(EntryError) {
        var reader = try ByteReader(bytes, of: key)
        try self.init(from: &reader)
        guard reader.isAtEnd else { throw .malformed }
    }

    /// Appends it to a row.
    func write(into writer: inout ByteWriter) {
        writer.byte(needsToken ? owner == nil ? 0 : 1 : 2)
        owner?.write(into: &writer)
        writer.integer(readers.count)
        for reader in readers { reader.write(into: &writer) }
        writer.text(subject ?? "")
    }

    /// Reads it from a row.
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

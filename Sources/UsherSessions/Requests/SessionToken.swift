import Usher
package import UsherJournal

/// The secret that opens one session: 256 bits in hexadecimal digits, of which only the hash is kept.
package struct SessionToken: Sendable {
    /// The text that is sent as a bearer (RFC 6750).
    package let text: String

    /// The hash that is kept.
    package var hash: TokenHash { TokenHash(of: Array(text.utf8)) }

    /// Draws a token.
    ///
    /// - Parameter random: The source of its bits.
    init(from random: some RandomSource) {
        text = Self.text((0..<4).map { _ in random.next() })
    }

    /// Derives a session's token from a key, which gives the same token again.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - key: The server's key.
    fileprivate init(of id: SessionID, under key: [UInt8]) {
        text = Self.text(SHA256.code(of: Array("usher session \(id.text)".utf8), under: key))
    }

    private static func text(_ words: [some FixedWidthInteger & UnsignedInteger]) -> String {
        words.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: word.bitWidth / 4 - digits.count) + digits
        }.joined()
    }
}

/// The giver of sessions' tokens.
package struct TokenIssuer: Sendable {
    private let key: [UInt8]
    private let others: [[UInt8]]

    /// Makes an issuer.
    ///
    /// - Parameters:
    ///   - key: The server's key, from which tokens are derived that an answer must have again.
    ///   - others: Keys that may have been the first before, or be it on another server: tokens of theirs are found again.
    package init(key: [UInt8], others: [[UInt8]] = []) {
        self.key = key
        self.others = others
    }

    /// The token of a session whose opening may be repeated: the answer that is kept need not hold it.
    ///
    /// - Parameter id: The session.
    func derived(for id: SessionID) -> SessionToken { SessionToken(of: id, under: key) }

    /// The token that was derived for a session, by whichever key; nil where its owner has another.
    func derived(for id: SessionID, opening access: SessionAccess) -> SessionToken? {
        for key in [key] + others {
            let token = SessionToken(of: id, under: key)
            if access.isOwner(token.hash) { return token }
        }
        return nil
    }
}

/// The claim of a request to a session: the token that it shows, and its purpose.
package enum SessionClaim: Sendable {
    /// It needs no token: it is a backend's or the server's own, or the id alone opens sessions here.
    case granted
    /// It needs no token: it is the operator's, who looks at a session without using it.
    case `operator`
    /// It shows a token, by its hash, or none.
    ///
    /// - Parameter isReading: True where it only looks.
    case shown(TokenHash?, isReading: Bool)

    /// A Boolean value indicating whether a look by it is a use of the session, which puts off the session's expiry.
    var isUse: Bool { if case .operator = self { false } else { true } }

    /// The reason why a session does not let it in; nil where it does.
    ///
    /// - Parameter access: The session's access.
    @inline(__always)
    func denial(by access: @autoclosure () -> SessionAccess?) -> AccessDenial? {
        guard case .shown(let token, let isReading) = self, let access = access() else { return nil }
        return Self.denial(of: token, isReading: isReading, by: access)
    }

    private static func denial(of token: TokenHash?, isReading: Bool, by access: SessionAccess) -> AccessDenial? {
        guard access.needsToken else { return nil }
        guard let token else { return .tokenNeeded }
        if access.isOwner(token) { return nil }
        guard access.mayRead(token) else { return .wrongToken }
        return isReading ? nil : .readsOnly
    }

    /// The reason why a session that there is not does not let it in: the same as of one whose token it has not.
    package var denialByUnknown: AccessDenial? {
        switch self {
        case .granted, .operator: nil
        case .shown(let token, _): token == nil ? .tokenNeeded : .wrongToken
        }
    }
}

/// The reason why a request is not let into a session.
package enum AccessDenial: Sendable {
    /// It shows no token.
    case tokenNeeded
    /// Its token is not the session's, or not any more.
    case wrongToken
    /// Its token opens the session for reading alone.
    case readsOnly
}

/// A change of the tokens that open a session; no input.
package enum TokenChange: Sendable {
    /// Another token takes the owner's place.
    case rotate(TokenHash)
    /// Another token opens it for reading.
    case addReader(TokenHash)
    /// The tokens for reading open it no more.
    case revokeReaders
    /// No token opens it any more.
    case revokeAll

    /// The access after the change.
    ///
    /// - Parameter access: The access before.
    /// - Throws: `Rejection` for one more reader than there may be, and for readers of a session without a token.
    func applied(to access: SessionAccess?) throws(Rejection) -> SessionAccess {
        let (readers, subject) = (access?.readers ?? [], access?.subject)
        switch self {
        case .rotate(let token): return SessionAccess(owner: token, readers: readers, subject: subject)
        case .revokeAll: return SessionAccess(owner: nil, subject: subject)
        case .addReader, .revokeReaders:
            guard let access, access.needsToken else {
                throw Rejection(
                    .invalid, "the session's id alone opens it; give it a token first, with POST /sessions/{id}/token")
            }
            guard case .addReader(let token) = self else { return SessionAccess(owner: access.owner, subject: subject) }
            guard readers.count < SessionAccess.readerLimit else {
                throw Rejection(
                    .limit,
                    """
                    a session has at most \(SessionAccess.readerLimit) tokens for reading; revoke them with DELETE \
                    /sessions/{id}/readers, and give new ones
                    """)
            }
            return SessionAccess(owner: access.owner, readers: readers + [token], subject: subject)
        }
    }
}

import Usher
package import UsherJournal

/// The secret that gives access to one session: 256 bits as hexadecimal digits; the server stores only their hash.
package struct SessionToken: Sendable {
    /// The text that a client sends as a bearer token (RFC 6750).
    package let text: String

    package var hash: TokenHash { TokenHash(of: Array(text.utf8)) }

    init(from random: some RandomSource) {
        text = Self.text((0..<4).map { _ in random.next() })
    }

    /// Derives a session's token from a key; the same id and key always give the same token.
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

/// Derives the tokens of sessions.
package struct TokenIssuer: Sendable {
    private let key: [UInt8]
    private let others: [[UInt8]]

    /// Creates an issuer.
    ///
    /// - Parameters:
    ///   - key: The server's key. If the opening of a session has an idempotency key, the session's token is derived
    ///     from the server's key.
    ///   - others: Earlier keys of this server and keys of other servers. Tokens that were derived from these keys are
    ///     recognized, too.
    package init(key: [UInt8], others: [[UInt8]] = []) {
        self.key = key
        self.others = others
    }

    /// Returns a session's derived token, which is not stored, because a repeated opening derives the same token again.
    func derived(for id: SessionID) -> SessionToken { SessionToken(of: id, under: key) }

    /// Returns the session's current token if that token was derived from one of the keys; otherwise `nil`.
    func derived(for id: SessionID, opening access: SessionAccess) -> SessionToken? {
        for key in [key] + others {
            let token = SessionToken(of: id, under: key)
            if access.isOwner(token.hash) { return token }
        }
        return nil
    }
}

/// The right of a request to use a session: a token, or a right that needs no token.
package enum SessionClaim: Sendable {
    /// No token is needed: a backend or the server itself makes the request, or the server requires no tokens.
    case granted
    /// No token is needed: the operator reads the session, which does not count as a use.
    case `operator`
    /// The hash of the request's token; `nil` if the request has none.
    ///
    /// - Parameter isReading: `true` if the request only reads.
    case shown(TokenHash?, isReading: Bool)

    /// A Boolean value that indicates whether reading the session counts as a use, which postpones its expiry.
    var isUse: Bool { if case .operator = self { false } else { true } }

    /// Returns the reason why the session denies the request; `nil` if the session accepts the request.
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

    /// The reason for denying a request for a session that does not exist: the same as for a wrong token, so that
    /// nobody can find out which ids exist.
    package var denialByUnknown: AccessDenial? {
        switch self {
        case .granted, .operator: nil
        case .shown(let token, _): token == nil ? .tokenNeeded : .wrongToken
        }
    }
}

/// The reason why a session denies a request.
package enum AccessDenial: Sendable {
    case tokenNeeded
    /// The token is wrong, or was replaced or revoked.
    case wrongToken
    /// The token permits only reading.
    case readsOnly
}

/// A change of a session's tokens, which creates no revision.
package enum TokenChange: Sendable {
    case rotate(TokenHash)
    case addReader(TokenHash)
    case revokeReaders
    case revokeAll

    /// Returns the tokens after the change.
    ///
    /// - Throws: `Rejection` if there would be too many tokens for reading, or if the session needs no token.
    func applied(to access: SessionAccess?) throws(Rejection) -> SessionAccess {
        let (readers, subject) = (access?.readers ?? [], access?.subject)
        switch self {
        case .rotate(let token): return SessionAccess(owner: token, readers: readers, subject: subject)
        case .revokeAll: return SessionAccess(owner: nil, subject: subject)
        case .addReader, .revokeReaders:
            guard let access, access.needsToken else {
                throw Rejection(
                    .invalid, "the session needs no token yet; issue one first, with POST /sessions/{id}/token")
            }
            guard case .addReader(let token) = self else { return SessionAccess(owner: access.owner, subject: subject) }
            guard readers.count < SessionAccess.readerLimit else {
                throw Rejection(
                    .limit,
                    """
                    a session has at most \(SessionAccess.readerLimit) read-only tokens; revoke them with DELETE \
                    /sessions/{id}/readers, and issue new ones
                    """)
            }
            return SessionAccess(owner: access.owner, readers: readers + [token], subject: subject)
        }
    }
}

import UsherHTTP
import UsherSessions

extension Request {
    /// The client's name for the request (draft-ietf-httpapi-idempotency-key-header), with a digest of the body.
    ///
    /// - Throws: `Problem` 400 for several, or one that is empty, too long, or not of visible ASCII characters.
    func idempotencyKey() throws(Problem) -> IdempotencyKey? {
        guard headers.contains(.idempotencyKey) else { return nil }
        guard let field = headers.onlyValue(of: .idempotencyKey), Self.keyLength.contains(field.count),
            field.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw Problem(
                .badRequest,
                "Idempotency-Key takes one name of 1 to 255 visible characters, such as a UUID; send a new one",
                type: ProblemType.malformedRequest)
        }
        return IdempotencyKey(String(decoding: field, as: UTF8.self), fingerprint: body.digest)
    }

    private static let keyLength = 1...255
}

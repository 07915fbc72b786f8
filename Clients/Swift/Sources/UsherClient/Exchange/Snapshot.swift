import Foundation

/// A state with its entity tag, because after a crash revisions do not show which state is newer.
struct Snapshot: Sendable {
    /// The body of a response.
    ///
    /// The response to an opening also contains the session's token.
    private struct Body: Decodable {
        private enum CodingKeys: CodingKey {
            case token
        }

        let state: SessionState
        let token: String?

        init(from decoder: any Decoder) throws {
            state = try SessionState(from: decoder)
            token = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .token)
        }
    }

    let state: SessionState
    /// The entity tag, in the form that `If-Match` and `If-None-Match` require.
    let tag: String
    /// A Boolean value indicating whether the response was repeated for an idempotency key.
    ///
    /// The session may have changed since that response.
    let isReplayed: Bool
    /// The session's token, if the response to an opening has one.
    let token: String?

    /// - Parameter tag: The received entity tag; nil if a proxy removed the tag; the revision then replaces it.
    init(_ state: SessionState, tag: String? = nil, isReplayed: Bool = false, token: String? = nil) {
        self.state = state
        let strong = tag.map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 }
        self.tag = strong ?? "\"\(state.revision)\""
        self.isReplayed = isReplayed
        self.token = token
    }

    /// Decodes a complete response.
    ///
    /// - Throws: A `DecodingError`.
    init(_ body: Data, of response: TransportResponse) throws {
        let read = try JSONDecoder().decode(Body.self, from: body)
        let isReplayed = response.header("idempotent-replayed") == "true"
        self.init(read.state, tag: response.header("etag"), isReplayed: isReplayed, token: read.token)
    }

    /// Returns whether this state comes from another run of the server than an earlier state.
    ///
    /// Revisions of different runs cannot be compared.
    func isOfAnotherRun(than before: Snapshot) -> Bool {
        guard let run, let other = before.run else { return false }
        return run != other
    }

    /// The server's run, which the tag names after the revision if a crash can lose revisions.
    private var run: Substring? {
        guard let point = tag.firstIndex(of: ".") else { return nil }
        let run = tag[tag.index(after: point)...].prefix { $0 != "\"" }
        return run.isEmpty ? nil : run
    }
}

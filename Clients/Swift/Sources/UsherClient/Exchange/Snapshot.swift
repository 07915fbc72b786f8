import Foundation

/// A state with its entity tag: after a crash revisions alone do not tell which of two is newer.
struct Snapshot: Sendable {
    /// The body of an answer; that to an opening also has the session's token.
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
    /// The entity tag, as a condition takes it.
    let tag: String
    /// True of an answer that is given again for its idempotency key: the session may have moved on.
    let isReplayed: Bool
    /// The session's token, where an opening is answered with one.
    let token: String?

    /// - Parameter tag: As it came; where something on the way has lost it, the revision has to do.
    init(_ state: SessionState, tag: String? = nil, isReplayed: Bool = false, token: String? = nil) {
        self.state = state
        let strong = tag.map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 }
        self.tag = strong ?? "\"\(state.revision)\""
        self.isReplayed = isReplayed
        self.token = token
    }

    /// Reads a whole answer.
    ///
    /// - Throws: A `DecodingError`.
    init(_ body: Data, of response: TransportResponse) throws {
        let read = try JSONDecoder().decode(Body.self, from: body)
        let isReplayed = response.header("idempotent-replayed") == "true"
        self.init(read.state, tag: response.header("etag"), isReplayed: isReplayed, token: read.token)
    }

    /// True where this is of another run of the server's than one that was there before: then its revision does not tell
    /// which is older.
    func isOfAnotherRun(than before: Snapshot) -> Bool {
        guard let run, let other = before.run else { return false }
        return run != other
    }

    /// The server's run, which stands behind the revision where a crash can take revisions back.
    private var run: Substring? {
        guard let point = tag.firstIndex(of: ".") else { return nil }
        let run = tag[tag.index(after: point)...].prefix { $0 != "\"" }
        return run.isEmpty ? nil : run
    }
}

/// A piece of a session's work beside its tree, by the name that its effect or timer has within the session.
package struct WorkPiece: Hashable, Sendable {
    /// The revision of the input that began it.
    package let revision: Int
    /// Its place among those that this input began, from 1.
    package let place: Int

    /// Makes the name of a piece.
    ///
    /// - Parameters:
    ///   - revision: The revision of the input that began it.
    ///   - place: Its place among those that this input began, from 1.
    package init(revision: Int, place: Int) {
        self.revision = revision
        self.place = place
    }
}

/// A piece of work that an input begins.
package struct BegunWork: Equatable, Sendable {
    /// Its name.
    package let piece: WorkPiece
    /// The time at which a timer is due: milliseconds since 1970; nil for an effect, which begins at once.
    package let due: Int64?
    /// The lease of the server that owns it from the start; nil for a timer that any may claim once it is due soon.
    package let owner: Int64?

    /// In milliseconds, how soon a timer is due that belongs to the server which has begun it.
    private static let foresight: Int64 = 10_000

    /// Makes one.
    ///
    /// - Parameters:
    ///   - piece: Its name.
    ///   - due: The time at which a timer is due; nil for an effect.
    ///   - lease: The lease of the server that begins it.
    ///   - time: Now: milliseconds since 1970.
    package init(_ piece: WorkPiece, due: Int64?, under lease: Int64, at time: Int64) {
        self.piece = piece
        self.due = due
        owner = due ?? time <= time &+ Self.foresight ? lease : nil
    }
}

/// Work of a session that this server has claimed.
package struct ClaimedWork: Equatable, Sendable {
    /// The session.
    package let key: JournalKey
    /// The pieces; the session may have others that are not this server's.
    package let pieces: [WorkPiece]

    /// Makes one.
    ///
    /// - Parameters:
    ///   - key: The session.
    ///   - pieces: The pieces.
    package init(_ key: JournalKey, _ pieces: [WorkPiece]) {
        self.key = key
        self.pieces = pieces
    }
}

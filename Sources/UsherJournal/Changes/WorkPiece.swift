/// The name of an effect or a timer within its session.
package struct WorkPiece: Hashable, Sendable {
    /// The revision of the input that started the work.
    package let revision: Int
    /// The work's place among all work that the same input started, from 1.
    package let place: Int

    package init(revision: Int, place: Int) {
        self.revision = revision
        self.place = place
    }
}

package struct BegunWork: Equatable, Sendable {
    package let piece: WorkPiece
    /// The time when a timer is due, in milliseconds since 1970; nil for an effect, because effects start immediately.
    package let due: Int64?
    /// The lease of the server that owns the work from the start; nil for a timer that any server may claim when the
    /// timer is due.
    package let owner: Int64?

    /// The number of milliseconds within which a timer must be due to belong to the server that started it.
    private static let foresight: Int64 = 10_000

    /// Creates a piece of work that a server with a lease starts at a time, in milliseconds since 1970.
    package init(_ piece: WorkPiece, due: Int64?, under lease: Int64, at time: Int64) {
        self.piece = piece
        self.due = due
        owner = due ?? time <= time &+ Self.foresight ? lease : nil
    }
}

package struct ClaimedWork: Equatable, Sendable {
    package let key: JournalKey
    /// The claimed pieces of work; other servers may own other pieces of the same session.
    package let pieces: [WorkPiece]

    package init(_ key: JournalKey, _ pieces: [WorkPiece]) {
        self.key = key
        self.pieces = pieces
    }
}

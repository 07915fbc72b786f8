import UsherJournal
import UsherProcess

/// The gatherer of work that has come to its end, one statement for all that is to be forgotten.
///
/// Each statement is tried once: a lock that somebody holds must not keep the connection for long. What it has not
/// forgotten the lease still owns, and the next claim finds it again.
final class WorkReleases: Sendable {
    /// A piece of work that a lease owns.
    private struct Release {
        let key: JournalKey
        let piece: WorkPiece
        let lease: Int64
    }

    private let releases: Gathering<Release>

    /// - Parameters:
    ///   - worker: The thread with the connection.
    ///   - claims: The claims that have to look for what was not forgotten.
    init(on worker: ConnectionWorker, telling claims: WorkClaims) {
        releases = Gathering(on: worker) { releases, link in
            guard let link else { return }
            if !Self.forget(releases, on: link) { claims.noteLostAnswer() }
        }
    }

    /// Has work be forgotten, without waiting.
    func add(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64) {
        releases.add(pieces.lazy.map { Release(key: key, piece: $0, lease: lease) })
    }

    /// - Returns: False where some may be left.
    private static func forget(_ releases: [Release], on link: DatabaseLink) -> Bool {
        var parameters = Parameters()
        parameters.keys(releases.map(\.key))
        parameters.integers(releases.map(\.piece.revision))
        parameters.integers(releases.map(\.piece.place))
        parameters.integers(releases.map { Int64?($0.lease) })
        let left = try? link.run(PeerStatements.release, parameters, by: MonotonicClock.now, isCommit: true)
        return left?.count == 0
    }
}

import UsherJournal
import UsherProcess

/// The gatherer of work that this server has no more to do with, one statement for all that is to be forgotten, or given
/// back.
///
/// Each statement is tried once: a lock that somebody holds must not keep the connection for long. What it has not
/// changed the lease still owns, and the next claim finds it again.
final class WorkReleases: Sendable {
    /// A piece of work that a lease owns.
    private struct Release {
        let key: JournalKey
        let piece: WorkPiece
        let lease: Int64
    }

    private let releases: Gathering<Release>

    /// - Parameters:
    ///   - statement: The statement: `PeerStatements.release` or `relinquish`.
    ///   - worker: The thread with the connection.
    ///   - claims: The claims that have to look for what was not changed.
    init(by statement: PostgresStatement, on worker: ConnectionWorker, telling claims: WorkClaims) {
        releases = Gathering(on: worker) { releases, link in
            guard let link else { return }
            if !Self.run(statement, with: releases, on: link) { claims.noteLostAnswer() }
        }
    }

    /// Has work be forgotten, or given back, without waiting.
    func add(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64) {
        releases.add(pieces.lazy.map { Release(key: key, piece: $0, lease: lease) })
    }

    /// - Returns: False where some may be left.
    private static func run(
        _ statement: PostgresStatement, with releases: [Release], on link: DatabaseLink
    ) -> Bool {
        var parameters = Parameters()
        parameters.keys(releases.map(\.key))
        parameters.integers(releases.map(\.piece.revision))
        parameters.integers(releases.map(\.piece.place))
        parameters.integers(releases.map { Int64?($0.lease) })
        let left = try? link.run(statement, parameters, by: MonotonicClock.now, isCommit: true)
        return left?.count == 0
    }
}

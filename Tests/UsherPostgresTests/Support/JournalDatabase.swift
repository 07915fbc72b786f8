import JournalSubject
import PostgresCluster
import UsherJournal
import UsherPostgres

/// A database with a journal's tables, for a test's servers.
struct JournalDatabase {
    let cluster: PostgresCluster
    let name: String

    /// Creates a database.
    ///
    /// - Parameter cluster: The cluster; by default the one that all tests share.
    init(in cluster: PostgresCluster? = nil) throws {
        let cluster = try cluster ?? PostgresCluster.shared
        self.cluster = cluster
        name = try cluster.makeDatabase()
        try Migration.run(on: PostgresLocation(cluster.uri(of: name)))
    }

    /// Opens the journal as a server with a name.
    func open(
        _ node: String, through proxy: DatabaseProxy? = nil, build: String = "1", durability: Durability = .sync,
        sealing: SealingKeys? = nil, lineage: UInt64? = nil
    ) throws -> PostgresJournal {
        let server = SharingServer(node, lineage: lineage, build: build, durability: durability, connections: 2)
        let location = try PostgresLocation(proxy?.uri(of: name) ?? cluster.uri(of: name))
        return try PostgresJournal(location, as: server, sealing: sealing)
    }

    /// Returns the location of the database for a role.
    func location(as role: String = "usher_owner") throws -> PostgresLocation {
        try PostgresLocation(cluster.uri(of: name, as: role))
    }

    /// Runs statements as the owner.
    @discardableResult
    func run(_ sql: String) throws -> String { try cluster.run(sql, on: name) }
}

extension PostgresJournal {
    /// Submits changes, and waits until all of them have succeeded or failed.
    func keep(_ changes: AuthoredChange...) async {
        for commit in changes.map({ submit($0) }) { await commit.wait() }
    }
}

extension Author {
    /// Returns `true` if a journal confirms that this author knows the newest version of the record.
    func isConfirmed(by journal: PostgresJournal) async -> Bool {
        guard case .success? = await journal.peers?.confirm(key, upon: tail.newest).wait() else { return false }
        return true
    }
}

extension JournalPeers {
    /// Claims work with the server's current lease.
    func claim(
        dueBy time: Int64, limit: Int, except excluded: [JournalKey] = [], for build: UInt64 = 0
    ) async throws(JournalError) -> [ClaimedWork] {
        try await claim(under: lease, dueBy: time, limit: limit, except: excluded, for: build)
    }

    /// Returns work of a session's first input, which this server owns from the start.
    func own(_ place: Int, revision: Int = 1) -> BegunWork {
        BegunWork(WorkPiece(revision: revision, place: place), due: nil, under: lease, at: 0)
    }
}

extension JournalKey {
    /// The session's key as it is written in the database's columns.
    var uuid: String {
        [high, low].map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

import UsherJournal
import UsherProcess

/// The other servers on a journal in PostgreSQL.
final class PostgresPeers: JournalPeers {
    private let pool: ConnectionPool
    private let node: ServerNode
    private let place: Lease
    private let bell: Bell

    init(_ pool: ConnectionPool, _ node: ServerNode, _ lease: Lease, _ bell: Bell) {
        self.pool = pool
        self.node = node
        place = lease
        self.bell = bell
    }

    var isReachable: Bool { place.isFresh }

    var displacement: String? {
        guard place.isDisplaced else { return nil }
        return """
            another server runs under the name \(node.name); give each its own --node. This server starts no work until the \
            other has stopped
            """
    }

    var connections: JournalConnections? {
        let (granted, wanted) = pool.connections
        return JournalConnections(granted: granted, wanted: wanted)
    }

    func now() -> Int64? { place.time.milliseconds(at: UptimeClock.milliseconds) }

    var clockError: Int64 { WallTime.milliseconds() &- place.time.milliseconds(at: UptimeClock.milliseconds) }

    var lease: Int64 { place.number }

    var mayBeginWork: Bool { place.holds }

    /// Stops listening to the other servers, and ends the lease, so that they can claim this server's work.
    func leave() async {
        await bell.close()
        await pool.end(place)
    }

    func confirm(_ key: JournalKey, upon basis: PendingCommit) -> PendingCommit {
        Confirmation.ask(key, upon: basis, on: pool.confirming)
    }

    func claim(
        under lease: Int64, dueBy time: Int64, limit: Int, except excluded: [JournalKey], for build: UInt64
    ) async throws(JournalError) -> [ClaimedWork] {
        guard mayBeginWork else { return [] }
        let doubt = pool.context.doubt
        return try await pool.read { reader throws(JournalError) in
            var found: [ResultRows] = []
            if doubt.mustLook() { found.append(try reader.run(PeerStatements.owned, [.integer(lease)])) }
            do throws(JournalError) {
                found.append(
                    try reader.run(
                        PeerStatements.claim,
                        [.integer(lease), .integer(time), .integer(max(0, limit)), .keys(excluded), .build(build)],
                        once: true))
            } catch {
                if case .outcomeUnknown = error { doubt.raise() }
                throw error
            }
            return ClaimedWork.all(in: found)
        }
    }

    func release(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64) {
        leave(pieces, of: key, under: lease, givingBack: false)
    }

    func relinquish(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64) {
        leave(pieces, of: key, under: lease, givingBack: true)
    }

    private func leave(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64, givingBack: Bool) {
        let left = LeftWork(
            key: key, pieces: pieces, lease: lease, isGivenBack: givingBack, doubt: pool.context.doubt)
        // Uses the reading thread, because confirmations must not wait for a lock. If the thread has ended, the lease
        // ends, too, and other servers can claim the work.
        _ = pool.reading.run(.leave(left))
    }

    func take(_ chore: JournalChore) async throws(JournalError) -> Bool {
        let number = node.number
        return try await pool.read { reader throws(JournalError) in
            try reader.take(chore, by: PeerStatements.take, as: number)
        }
    }

    func learnCount() async throws(JournalError) {
        let (number, counters) = (node.number, pool.context.counters)
        let isTaken = try await pool.read { reader throws(JournalError) in
            try reader.take(.count, by: PeerStatements.takeCount, as: number)
        }
        let count: Int? = if isTaken { try await pool.countSessions() } else { nil }
        try await pool.read { reader throws(JournalError) in
            if let count {
                _ = try reader.run(PeerStatements.noteCount, [.integer(number), .integer(count)])
            }
            let rows = try reader.run(PeerStatements.counted)
            if rows.count > 0 { counters.note(Int(rows.integer(0, 0)), at: rows.integer(0, 1)) }
        }
    }

    func guiltyVersion() async throws(JournalError) -> GuiltyInput.ListVersion {
        try await pool.read { reader throws(JournalError) in
            let rows = try reader.run(ReadingStatements.guiltyVersion)
            guard rows.count > 0 else { return GuiltyInput.ListVersion(newest: 0, count: 0) }
            return GuiltyInput.ListVersion(newest: rows.integer(0, 0), count: Int(rows.integer(0, 1)))
        }
    }

    func note(_ refusal: SessionRefusal) async throws(JournalError) {
        try await pool.read { reader throws(JournalError) in try reader.note(refusal) }
    }

    func refusals() async throws(JournalError) -> [RefusalCount] {
        try await pool.read { reader throws(JournalError) in try reader.refusals() }
    }

    func add(_ listener: any JournalListener) { bell.add(listener) }

    func nodes() async throws(JournalError) -> [JournalNode] {
        try await pool.read { reader throws(JournalError) in
            let rows = try reader.run(PeerStatements.nodes)
            return rows.indices.map { row in
                JournalNode(
                    name: rows.text(row, 0), build: rows.text(row, 1), since: rows.integer(row, 2),
                    until: rows.integer(row, 3))
            }
        }
    }
}

extension ClaimedWork {
    /// Returns the work in some rows, grouped by session.
    fileprivate static func all(in found: [ResultRows]) -> [ClaimedWork] {
        var pieces: [JournalKey: Set<WorkPiece>] = [:]
        for rows in found {
            for row in rows.indices {
                guard let key = rows.key(row, 0) else { continue }
                let piece = WorkPiece(revision: Int(rows.integer(row, 1)), place: Int(rows.integer(row, 2)))
                pieces[key, default: []].insert(piece)
            }
        }
        return pieces.map { ClaimedWork($0, Array($1)) }
    }
}

extension Reader {
    /// Reserves a chore by a statement.
    ///
    /// - Returns: `false` if another server does the chore.
    fileprivate func take(
        _ chore: JournalChore, by statement: String, as node: Int64
    ) throws(JournalError) -> Bool {
        try run(statement, [.text(chore.rawValue), .integer(node)]).count > 0
    }
}

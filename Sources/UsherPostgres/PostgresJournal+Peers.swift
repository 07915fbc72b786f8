package import UsherJournal
import UsherProcess

// The work that this server shares with the other servers of the journal.
extension PostgresJournal: JournalPeers {
    package var isReachable: Bool { ownLease.isFresh }

    package var displacement: String? {
        guard ownLease.isDisplaced else { return nil }
        return """
            another server runs under the name \(node.name); give each server its own name with --node. This server \
            starts no work until the other server has stopped
            """
    }

    package var connections: JournalConnections? { pool.stock.connections }

    package func now() -> Int64? { ownLease.time.milliseconds(at: UptimeClock.milliseconds) }

    package var clockError: Int64 {
        WallTime.milliseconds() &- ownLease.time.milliseconds(at: UptimeClock.milliseconds)
    }

    package var lease: Int64 { ownLease.number }

    package var mayBeginWork: Bool { ownLease.holds }

    package func confirm(_ key: JournalKey, upon basis: PendingCommit) -> PendingCommit {
        Confirmation.ask(key, upon: basis, on: pool.confirming)
    }

    package func claim(
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

    package func release(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64) {
        leave(pieces, of: key, under: lease, givingBack: false)
    }

    package func relinquish(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64) {
        leave(pieces, of: key, under: lease, givingBack: true)
    }

    private func leave(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64, givingBack: Bool) {
        let left = LeftWork(
            key: key, pieces: pieces, lease: lease, isGivenBack: givingBack, doubt: pool.context.doubt)
        // Uses the reading thread, because confirmations must not wait for a lock. If the reading thread has ended,
        // this server's lease ends, too, and other servers can claim the work.
        _ = pool.reading.run(.leave(left))
    }

    package func take(_ chore: JournalChore) async throws(JournalError) -> Bool {
        let number = node.number
        return try await pool.read { reader throws(JournalError) in
            try reader.run(PeerStatements.take, [.text(chore.rawValue), .integer(number)]).count > 0
        }
    }

    package func learnCount() async throws(JournalError) {
        let (number, context) = (node.number, pool.context)
        let isTaken = try await pool.read { reader throws(JournalError) in
            try reader.run(PeerStatements.takeCount, [.text("count"), .integer(number)]).count > 0
        }
        let count: Int? = if isTaken { try await pool.countSessions() } else { nil }
        try await pool.read { reader throws(JournalError) in
            if let count {
                _ = try reader.run(PeerStatements.noteCount, [.integer(number), .integer(count)])
            }
            let rows = try reader.run(PeerStatements.counted)
            if rows.count > 0 { context.note(Int(rows.integer(0, 0)), at: rows.integer(0, 1)) }
        }
    }

    package func guiltyVersion() async throws(JournalError) -> GuiltyInput.ListVersion {
        try await pool.read { reader throws(JournalError) in
            let rows = try reader.run(ReadingStatements.guiltyVersion)
            guard rows.count > 0 else { return GuiltyInput.ListVersion(newest: 0, count: 0) }
            return GuiltyInput.ListVersion(newest: rows.integer(0, 0), count: Int(rows.integer(0, 1)))
        }
    }

    package func note(_ refusal: SessionRefusal) async throws(JournalError) {
        try await pool.read { reader throws(JournalError) in try reader.note(refusal) }
    }

    package func refusals() async throws(JournalError) -> [RefusalCount] {
        try await pool.read { reader throws(JournalError) in try reader.refusals() }
    }

    package func add(_ listener: any JournalListener) { bell.add(listener) }

    package func nodes() async throws(JournalError) -> [JournalNode] {
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
    fileprivate static func all(in found: [ResultRows]) -> [ClaimedWork] {
        let pieces = found.flatMap { rows in
            rows.indices.compactMap { row -> (key: JournalKey, piece: WorkPiece)? in
                let piece = WorkPiece(revision: Int(rows.integer(row, 1)), place: Int(rows.integer(row, 2)))
                return rows.key(row, 0).map { ($0, piece) }
            }
        }
        return Dictionary(grouping: pieces, by: \.key).map { ClaimedWork($0, Array(Set($1.map(\.piece)))) }
    }
}

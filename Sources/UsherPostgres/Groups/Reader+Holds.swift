import UsherJournal

extension Reader {
    /// Returns a build's valid verdicts, without damaged verdicts.
    func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) throws(JournalError) -> [SessionHold] {
        let rows = try run(
            HoldStatements.list,
            [.build(build), .key(keys.lowerBound), .key(keys.upperBound), .integer(max(0, limit))])
        return rows.indices.compactMap { row in
            guard let key = rows.key(row, 0), let content = try? open(rows.bytes(row, 1), of: .hold(key)) else {
                return nil
            }
            return try? SessionHold(content, of: key)
        }
    }

    /// Returns the number of a build's valid verdicts for each kind of reason.
    func holdCounts(for build: UInt64) throws(JournalError) -> [String: Int] {
        let rows = try run(HoldStatements.counts, [.build(build)])
        return Dictionary(rows.indices.map { (rows.text($0, 0), Int(rows.integer($0, 1))) }) { $1 }
    }

    func change(_ change: HoldChange) throws(JournalError) {
        switch change {
        case .hold(let hold):
            let content = try seal(hold.bytes, for: .hold(hold.key))
            let version: [Parameter] = [.integer(hold.version?.revision), .integer(hold.version?.mark)]
            _ = try run(
                HoldStatements.hold,
                [.key(hold.key), .build(hold.build)] + version + [.text(hold.kind), .bytes(content)])
        case .lift(let key, let build):
            _ = try run(HoldStatements.lift, [.build(build), .key(key)])
        }
    }
}

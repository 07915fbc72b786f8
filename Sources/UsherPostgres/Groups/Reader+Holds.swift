package import UsherJournal

extension Reader {
    /// Returns a build's valid verdicts; damaged ones are left out.
    package func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) throws(JournalError) -> [SessionHold] {
        let rows = try run(HoldStatements.list) {
            $0.bytes(String(build, radix: 16).utf8)
            $0.key(keys.lowerBound)
            $0.key(keys.upperBound)
            $0.integer(max(0, limit))
        }
        return rows.indices.compactMap { row in
            guard let key = rows.key(row, 0), let content = try? open(rows.bytes(row, 1), of: .hold(key)) else {
                return nil
            }
            return try? SessionHold(content, of: key)
        }
    }

    /// Returns the number of a build's valid verdicts by the kind of their reason.
    package func holdCounts(for build: UInt64) throws(JournalError) -> [String: Int] {
        let rows = try run(HoldStatements.counts) { $0.bytes(String(build, radix: 16).utf8) }
        return Dictionary(rows.indices.map { (rows.text($0, 0), Int(rows.integer($0, 1))) }) { $1 }
    }

    /// Changes the verdicts.
    package func change(_ change: HoldChange) throws(JournalError) {
        switch change {
        case .hold(let hold):
            let content = try seal(hold.bytes, for: .hold(hold.key))
            _ = try run(HoldStatements.hold) {
                $0.key(hold.key)
                $0.bytes(String(hold.build, radix: 16).utf8)
                if let revision = hold.version?.revision { $0.integer(revision) } else { $0.null() }
                if let mark = hold.version?.mark { $0.integer(mark) } else { $0.null() }
                $0.bytes(hold.kind.utf8)
                $0.bytes(content)
            }
        case .lift(let key, let build):
            _ = try run(HoldStatements.lift) {
                $0.bytes(String(build, radix: 16).utf8)
                $0.key(key)
            }
        }
    }
}

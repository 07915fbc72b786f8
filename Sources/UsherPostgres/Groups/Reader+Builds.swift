import UsherJournal

extension Reader {
    /// Returns the builds whose servers use the journal or have used it.
    func builds() throws(JournalError) -> [JournalBuild] {
        let rows = try run(PeerStatements.builds)
        return rows.indices.compactMap { row in
            guard let number = UInt64(rows.text(row, 0), radix: 16) else { return nil }
            return JournalBuild(
                number, seen: rows.integer(row, 1), confirmed: rows.integer(ifAny: row, 2),
                isServing: rows.integer(row, 3) > 0)
        }
    }

    /// Records that a build leaves a session to another build.
    func note(_ refusal: SessionRefusal) throws(JournalError) {
        _ = try run(PeerStatements.noteRefusal, [.key(refusal.key), .build(refusal.build), .build(refusal.writer)])
    }

    func refusals() throws(JournalError) -> [RefusalCount] {
        let rows = try run(PeerStatements.refusals)
        return rows.indices.compactMap { row in
            guard let build = UInt64(rows.text(row, 0), radix: 16), let writer = UInt64(rows.text(row, 1), radix: 16)
            else { return nil }
            return RefusalCount(by: build, writtenBy: writer, sessions: Int(rows.integer(row, 2)))
        }
    }

    /// Records that a server of a build is running, and deletes refusals in favor of builds that no longer run, and
    /// verdicts of builds that have not run for a long time.
    func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) throws(JournalError) {
        let confirmation = isConfirmed ? time : nil
        _ = try run(PeerStatements.noteBuild, [.build(build), .integer(time), .integer(confirmation)])
        _ = try run(PeerStatements.forgetRefusals)
        _ = try run(HoldStatements.forgetOld, [.integer(time &- SessionHold.lifetime)])
    }
}

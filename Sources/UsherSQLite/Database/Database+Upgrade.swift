import UsherJournal

extension Database {
    /// Makes this format of an earlier one, in one transaction; a file that is only looked at stays as it is.
    func bringUpToDate(from earlier: Int64, for purpose: Purpose) throws(SQLiteFailure) {
        guard purpose == .serving else { return try execute(Format.substitutes(for: earlier)) }
        do throws(SQLiteFailure) {
            try execute(Format.beginUpgrade(from: earlier))
            if !Format.hasColumns(earlier) { try fillColumns() }
            // The indexes are made of columns that are filled, which is faster than to change them row by row.
            try execute(Format.endUpgrade(from: earlier))
        } catch {
            rollBack()
            throw error
        }
    }

    /// Fills the columns by which live sessions are listed with what their headers say.
    ///
    /// One whose header is damaged has no app, and counts as opened when it was touched last, so that it is still listed.
    private func fillColumns() throws(SQLiteFailure) {
        let live = try Statement("SELECT session FROM sessions WHERE ended IS NULL", on: self)
        let content = try Statement("SELECT content FROM rows WHERE session = ?1 AND slot = 0", on: self)
        let fill = try Statement(
            "UPDATE sessions SET app = ?2, created = coalesce(?3, touched) WHERE session = ?1", on: self)
        do throws(JournalError) {
            // All keys first: a table that is being walked must not be changed.
            for key in try live.all(read: { $0.key(0) }) {
                let head = try content.first(.key(key)) { try? SessionHeader($0.bytes(0), of: key) } ?? nil
                try fill.run(
                    .key(key), head.map { .text($0.app) } ?? .null, head.map { .integer($0.created) } ?? .null)
            }
        } catch {
            throw failure
        }
    }
}

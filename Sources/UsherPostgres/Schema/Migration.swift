import UsherProcess

/// The making of a journal's tables, as their owner; a server never does it.
package enum Migration {
    /// Makes the tables, where there are none.
    ///
    /// - Parameter location: The database, with a role that may make a schema in it.
    /// - Returns: The format that the journal has now.
    /// - Throws: `PostgresJournalError`.
    @discardableResult
    package static func run(on location: PostgresLocation) throws(PostgresJournalError) -> Int {
        let deadline = MonotonicClock.now + 60_000_000_000
        do throws(PostgresFailure) {
            let connection = try PostgresConnection(to: location)
            let found = try connection.execute("SELECT to_regclass('usher.format') IS NOT NULL AS found", by: deadline)
            guard found.count > 0, found.text(0, 0) == "t" else {
                try connection.execute(Schema.creation, by: deadline)
                return Schema.version
            }
            let version = try connection.execute("SELECT max(version) FROM usher.format", by: deadline)
            let number = version.count > 0 ? Int(version.text(0, 0)) ?? 0 : 0
            guard number == Schema.version else { throw PostgresFailure(.configuration, "\(number)") }
            return number
        } catch {
            throw error.kind == .configuration && error.state.isEmpty
                ? .format("\(location)", found: Int(error.message) ?? 0)
                : .unreachable("\(location)", reason: error.message)
        }
    }
}

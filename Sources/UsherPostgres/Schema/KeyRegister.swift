/// The names of the keys that have sealed rows of a journal, as the database remembers them.
///
/// A server that lacks one of them would find sessions that it cannot read, so it does not start.
struct KeyRegister {
    private let keys: SealingKeys?
    private let journal: String

    private static let list = PostgresStatement(name: "list keys", sql: "SELECT id FROM usher.keys ORDER BY since, id")

    private static let note = PostgresStatement(
        name: "note key", sql: "INSERT INTO usher.keys VALUES ($1::text, now()) ON CONFLICT (id) DO NOTHING")

    /// - Parameters:
    ///   - keys: The keys that this process has.
    ///   - journal: The journal's name.
    init(_ keys: SealingKeys?, of journal: String) {
        self.keys = keys
        self.journal = journal
    }

    /// Sees to it that all keys are there.
    ///
    /// - Parameter run: Runs a statement.
    /// - Throws: `PostgresJournalError`.
    func check(
        _ run: (PostgresStatement, Parameters) throws(PostgresJournalError) -> ResultRows
    ) throws(PostgresJournalError) {
        let rows = try run(Self.list, Parameters())
        let names = rows.indices.map { rows.text($0, 0) }
        guard let keys else {
            guard names.isEmpty else { throw .sealed(journal, by: names) }
            return
        }
        let missing = names.filter { name in !keys.identifiers.contains { SealingKeys.text(of: $0) == name } }
        guard missing.isEmpty else { throw .sealed(journal, by: missing) }
    }

    /// Notes the key that seals from now on.
    ///
    /// - Parameter commit: Runs a statement that writes.
    /// - Throws: `PostgresJournalError`.
    func note(
        _ commit: (PostgresStatement, Parameters) throws(PostgresJournalError) -> Void
    ) throws(PostgresJournalError) {
        guard let identifier = keys?.identifiers.first else { return }
        var parameters = Parameters()
        parameters.bytes(SealingKeys.text(of: identifier).utf8)
        try commit(Self.note, parameters)
    }
}

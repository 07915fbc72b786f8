/// Keeps the inputs of sessions, in order, as bytes: the truth of which trees are a cache.
///
/// A session's entries have the revisions 1, 2, 3 …; the pair of session and revision is what two writers would compete
/// for, so an entry that is not the next one is refused.
public protocol Journal: Sendable {
    /// Adds the next entry of a session.
    ///
    /// - Parameters:
    ///   - entry: An encoded `Entry`.
    ///   - revision: The revision that it leads to.
    ///   - key: The session.
    /// - Throws: `JournalError`; then nothing was added.
    func append(_ entry: [UInt8], revision: Int, to key: JournalKey) throws(JournalError)

    /// All entries of a session, in order; none for a session that there is not.
    ///
    /// - Parameter key: The session.
    /// - Throws: `JournalError`.
    func entries(of key: JournalKey) throws(JournalError) -> [[UInt8]]

    /// Forgets a session.
    ///
    /// - Parameter key: The session.
    /// - Throws: `JournalError`.
    func remove(_ key: JournalKey) throws(JournalError)
}

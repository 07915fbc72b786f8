import UsherJournal

/// The changes that are written in one round.
///
/// Each session occurs in only one of the round's statements.
struct CommitRound {
    private var groups: [GroupedWrite.Kind: [GroupedWrite]] = [:]
    /// The changes that must wait for a later round.
    private(set) var postponed: [JournalChange] = []

    /// The approximate maximum size of a round in bytes.
    ///
    /// Without a limit, small changes would wait for large changes.
    private static let byteLimit = 256 * 1024

    /// Creates a round of as many changes as possible.
    init(_ changes: [JournalChange], refusing refuse: (JournalChange, JournalError) -> Void) {
        var writes: [JournalKey: GroupedWrite] = [:]
        var closed: Set<JournalKey> = []
        writes.reserveCapacity(changes.count)
        var bytes = 0
        for change in changes where !change.failWithBasis() {
            guard !closed.contains(change.key), bytes == 0 || bytes + change.size <= Self.byteLimit else {
                postponed.append(change)
                closed.insert(change.key)
                continue
            }
            bytes += change.size
            do throws(JournalError) {
                if let write = writes[change.key] {
                    if try write.append(change) { continue }
                    postponed.append(change)
                    closed.insert(change.key)
                } else {
                    let write = try GroupedWrite(change)
                    writes[change.key] = write
                    groups[write.kind, default: []].append(write)
                }
            } catch {
                refuse(change, error)
            }
        }
    }

    /// Removes and returns the writes of a kind.
    mutating func takeGroup(of kind: GroupedWrite.Kind) -> [GroupedWrite] {
        groups.removeValue(forKey: kind) ?? []
    }
}

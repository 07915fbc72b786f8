import UsherJournal

/// The changes that are written in one round, in which each session occurs in only one statement.
struct CommitRound {
    private var groups: [GroupedWrite.Kind: [GroupedWrite]] = [:]
    private(set) var postponed: [JournalChange] = []

    /// The approximate maximum size of a round in bytes, so that small changes do not wait for large changes.
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

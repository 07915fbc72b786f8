import UsherJournal

/// The changes that are written in the same round: no session's come into two of its statements that depend on each other.
struct CommitRound {
    private var groups: [GroupedWrite.Kind: [GroupedWrite]] = [:]
    /// The changes that follow on others of this round.
    private(set) var postponed: [JournalChange] = []

    /// In bytes, about the most that one round writes: the others of a statement wait for its largest.
    private static let byteLimit = 256 * 1024

    /// Takes as many changes as one round can have.
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

    /// The sessions that a statement writes; none afterwards.
    mutating func takeGroup(of kind: GroupedWrite.Kind) -> [GroupedWrite] {
        groups.removeValue(forKey: kind) ?? []
    }
}

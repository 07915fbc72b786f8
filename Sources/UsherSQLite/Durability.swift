/// What an acknowledged change outlives.
public enum Durability: String, CaseIterable, Sendable {
    /// A crash of the machine: a change counts once it is on the disk.
    case sync
    /// A crash of the process only now and then: a change counts at once, and is on the disk a moment later.
    case relaxed
}

/// What an acknowledged change outlives.
package enum Durability: String, CaseIterable, Sendable {
    /// Every crash, the machine's too: a change counts once it is on the disk.
    case sync
    /// No crash within the first 50 ms: a change counts at once, and is on the disk by then.
    case relaxed
}

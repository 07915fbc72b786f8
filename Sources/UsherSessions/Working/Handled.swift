/// What an input has led to.
struct Handled: Sendable {
    let snapshot: Snapshot
    /// Under which token the answer waits; nil where there is nothing to wait for.
    let token: Int?
    /// Whether something has to be done once it is kept.
    let isBusy: Bool
    /// What became of the input, for the counts.
    let outcome: EventOutcome
}

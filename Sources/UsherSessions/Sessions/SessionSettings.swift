import Usher
import UsherJournal

/// What all sessions of a registry share.
struct SessionSettings: Sendable {
    let apps: [any App.Type]
    let clock: any Clock
    let journal: any Journal
    let limits: Limits
    /// Inputs that one session may accept, its creation included.
    let inputLimit: Int
    /// Bytes that all these may take in the journal.
    let recordLimit: Int
    let tally: Tally
    /// Runs work that no request waits for.
    let background: @Sendable (@escaping @Sendable () -> Void) -> Void
}

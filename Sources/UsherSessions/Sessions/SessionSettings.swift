import Usher

/// What all sessions of a registry share.
struct SessionSettings: Sendable {
    let clock: any Clock
    let limits: Limits
    /// Inputs that one session may accept, its creation included.
    let inputLimit: Int
    let tally: Tally
}

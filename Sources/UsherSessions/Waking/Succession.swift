import Usher

/// What a tree leaves to the one that is built in its place within the same process.
struct Succession {
    /// Ids that it has spent stay spent.
    let identifiers: NextIdentifiers
    /// What was found out about its leaks.
    let leaks: [Leak]
    let leakCount: Int
    /// What the server's tally has got of it.
    let tallied: CoordinatorCounts
    let inquiry: LeakInquiry
}

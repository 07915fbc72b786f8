/// What an input does with a link: the one that waits, or the one that it brings.
///
/// A link is all or nothing, like an input. One that gets only half-way breaks the tree; the input is then handled again
/// on a tree as it was before, and told what to do with the link instead. The journal keeps it, for replay.
public enum LinkHandling: Equatable, Sendable {
    /// Follows it.
    case follow
    /// Leaves it waiting: a host on its way is not ready.
    case keep
    /// Drops it, with a warning that says why.
    case drop(String)
}

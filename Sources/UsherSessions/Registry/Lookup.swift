/// What the registry knows of an id.
public enum Lookup: Sendable {
    /// The session lives.
    case live(Session)
    /// It is over.
    case ended(Tombstone)
    /// There never was one, or it ended so long ago that its tombstone is gone too.
    case unknown
}

public import Usher

/// One session in an operator's list.
public struct SessionSummary: Sendable {
    /// The key to it.
    public let id: SessionID
    /// The name of its app.
    public let app: String
    /// When it was opened.
    public let created: Timestamp
    /// How many inputs it has accepted, its creation included.
    public let revision: Int
    /// Screens in its stacks.
    public let screens: Int
    /// Its coordinators.
    public let coordinators: Census
    /// Bytes of JSON of its screens.
    public let bytes: Int
}

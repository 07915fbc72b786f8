/// One session in a journal's list.
public struct Listing: Sendable {
    /// The session.
    public let key: JournalKey
    /// What is known of it; nil where its row is damaged.
    public let head: Head?

    /// Makes a listing.
    ///
    /// - Parameters:
    ///   - key: The session.
    ///   - head: What is known of it.
    public init(key: JournalKey, head: Head?) {
        self.key = key
        self.head = head
    }
}

/// One session in a journal's list.
package struct SessionListing: Sendable {
    /// The session.
    package let key: JournalKey
    /// What is known of it; nil where its row is damaged.
    package let head: SessionHeader?

    /// Makes a listing.
    ///
    /// - Parameters:
    ///   - key: The session.
    ///   - head: What is known of it.
    package init(key: JournalKey, head: SessionHeader?) {
        self.key = key
        self.head = head
    }
}

/// All that a journal keeps of a live session.
package struct SessionRecord: Sendable {
    /// What is known of it beside its entries.
    package let head: SessionHeader
    /// Its inputs, those of the revisions 1, 2, 3 ….
    package let entries: [Entry]
    /// The answers that are kept under keys, the oldest first.
    package let answers: [KeyedAnswer]

    /// Reads rows, and checks that they are all there and belong together.
    ///
    /// - Parameters:
    ///   - head: The head's bytes.
    ///   - entries: The entries' bytes, in order.
    ///   - answers: The answers' bytes, in order.
    ///   - key: The session.
    /// - Throws: `JournalError.corrupt`.
    package init(
        head: [UInt8], entries: [[UInt8]], answers: [[UInt8]], of key: JournalKey
    ) throws(JournalError) {
        let read: SessionHeader
        do throws(EntryError) { read = try SessionHeader(head, of: key) } catch { throw .corrupt(error) }
        try self.init(head: read, entries: entries, answers: answers, of: key)
    }

    /// Reads rows, and checks that they are all there and belong to the head.
    init(head: SessionHeader, entries: [[UInt8]], answers: [[UInt8]], of key: JournalKey) throws(JournalError) {
        self.head = head
        do throws(EntryError) {
            self.entries = try entries.map { bytes throws(EntryError) in try Entry(bytes, of: key) }
            self.answers = try answers.map { bytes throws(EntryError) in try KeyedAnswer(bytes, of: key) }
        } catch {
            throw .corrupt(error)
        }
        guard isComplete else { throw .corrupt(.incomplete) }
    }

    private var isComplete: Bool {
        let expected = head.ending == nil ? head.revision : 0
        return entries.count == expected && answers.count == min(head.answers, KeyedAnswer.limit)
            && zip(entries, 1...).allSatisfy { entry, revision in entry.revision == revision }
    }
}

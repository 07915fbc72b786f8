/// The part of a record that a tree has not handled, for others have written it.
package enum RecordGrowth: Sendable {
    /// The record goes on from the tree's revision.
    ///
    /// - Parameters:
    ///   - head: Its header and its version now.
    ///   - entries: The entries beyond the tree's revision; none where only an answer was written.
    ///   - answers: All its answers, the oldest first.
    case further(RecordHead, entries: [Entry], answers: [KeyedAnswer])
    /// The record does not have the entry that the tree stands on, for commits were lost: the tree has to go.
    case another
    /// The session has ended.
    case ended(RecordHead)

    /// One row of the entries.
    package struct Row: Sendable {
        /// The revision of the entry.
        package let revision: Int
        /// The mark of the write that brought it.
        package let mark: UInt64
        /// The entry's bytes.
        package let content: [UInt8]

        /// Makes a row.
        ///
        /// - Parameters:
        ///   - revision: The revision of the entry.
        ///   - mark: The mark of the write that brought it.
        ///   - content: The entry's bytes.
        package init(revision: Int, mark: UInt64, content: [UInt8]) {
            self.revision = revision
            self.mark = mark
            self.content = content
        }
    }

    /// Reads rows, and checks that they follow on a tree's version.
    ///
    /// - Parameters:
    ///   - header: The stored header.
    ///   - mark: The mark of the newest write.
    ///   - rows: The entries from the tree's revision on, that one included, in order.
    ///   - answers: The answers' bytes, in order.
    ///   - token: The version that the tree knows.
    ///   - key: The session.
    /// - Throws: `JournalError.corrupt`.
    package init(
        _ header: SessionHeader, mark: UInt64, rows: [Row], answers: [[UInt8]], since token: RecordToken,
        of key: JournalKey
    ) throws(JournalError) {
        guard header.ending == nil else {
            self = .ended(RecordHead(header, token: token.followed(to: header.revision, by: mark)))
            return
        }
        guard header.revision >= token.revision else {
            self = .another
            return
        }
        guard zip(rows, token.revision...).allSatisfy({ $0.revision == $1 }),
            rows.count == header.revision - token.revision + 1, let newest = rows.last?.mark
        else { throw .corrupt(.incomplete) }
        guard rows.first?.mark == token.entryMark else {
            self = .another
            return
        }
        do throws(EntryError) {
            self = .further(
                RecordHead(header, token: RecordToken(revision: header.revision, mark: mark, entryMark: newest)),
                entries: try rows.dropFirst().map { row throws(EntryError) -> Entry in
                    let entry = try Entry(row.content, of: key)
                    guard entry.revision == row.revision else { throw .malformed }
                    return entry
                },
                answers: try answers.map { bytes throws(EntryError) in try KeyedAnswer(bytes, of: key) })
        } catch {
            throw .corrupt(error)
        }
        guard answers.count == min(header.answers, KeyedAnswer.limit) else { throw .corrupt(.incomplete) }
    }
}

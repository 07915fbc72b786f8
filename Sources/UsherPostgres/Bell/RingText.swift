import UsherJournal

/// The text of a notification: the server that has written, and the sessions with the revisions that they have come to.
enum RingText {
    /// In bytes, the longest that the database takes, with some room.
    static let limit = 7_900

    /// Makes the texts that tell of sessions, as few as it takes.
    ///
    /// - Parameters:
    ///   - node: The server's number.
    ///   - rings: The sessions' revisions.
    static func texts(from node: Int64, _ rings: [JournalKey: Int]) -> [String] {
        let start = String(UInt64(bitPattern: node), radix: 16)
        var texts: [String] = []
        var text = start
        for (key, revision) in rings {
            let piece = ";\(String(key.high, radix: 16)),\(String(key.low, radix: 16)),\(revision)"
            if text.utf8.count + piece.utf8.count > limit {
                texts.append(text)
                text = start
            }
            text += piece
        }
        return rings.isEmpty ? [] : texts + [text]
    }

    /// Reads a text.
    ///
    /// - Returns: nil for one that no server of this kind has written.
    static func read(_ text: String) -> (node: Int64, rings: [JournalRing])? {
        let pieces = text.split(separator: ";")
        guard let first = pieces.first, let node = UInt64(first, radix: 16) else { return nil }
        var rings: [JournalRing] = []
        for piece in pieces.dropFirst() {
            let numbers = piece.split(separator: ",")
            guard numbers.count == 3, let high = UInt64(numbers[0], radix: 16),
                let low = UInt64(numbers[1], radix: 16), let revision = Int(numbers[2])
            else { return nil }
            rings.append(JournalRing(JournalKey(high: high, low: low), at: revision))
        }
        return (Int64(bitPattern: node), rings)
    }
}

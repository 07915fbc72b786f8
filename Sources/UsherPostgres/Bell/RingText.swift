import UsherBytes
import UsherJournal

/// The text of a notification: the server that has written, and the sessions with the revisions that they have come to.
///
/// `node;high,low,revision;…`, the revision in decimal, all else in hexadecimal digits. It is written and read for each entry
/// of each server, so by bytes.
enum RingText {
    /// In bytes, the longest that the database takes, with some room.
    static let limit = 7_900
    /// In bytes, the most that a session takes.
    private static let pieceLimit = 3 + 32 + 20

    /// Makes the texts that tell of sessions, few and long.
    ///
    /// - Parameters:
    ///   - node: The server's number.
    ///   - rings: The sessions' revisions.
    /// - Returns: Their bytes.
    static func texts(from node: Int64, _ rings: [JournalKey: Int]) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        for (key, revision) in rings {
            if texts.last.map({ $0.count + pieceLimit > limit }) ?? true {
                texts.append(start(of: node, capacity: min(limit, 16 + rings.count * pieceLimit)))
            }
            texts[texts.count - 1].append(addingCapacity: pieceLimit) { (output: inout OutputSpan<UInt8>) in
                output.append(UInt8(ascii: ";"))
                output.append(hexadecimal: key.high)
                output.append(UInt8(ascii: ","))
                output.append(hexadecimal: key.low)
                output.append(UInt8(ascii: ","))
                output.append(decimal: UInt64(max(0, revision)))
            }
        }
        return texts
    }

    private static func start(of node: Int64, capacity: Int) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(capacity)
        text.append(addingCapacity: 16) { (output: inout OutputSpan<UInt8>) in
            output.append(hexadecimal: UInt64(bitPattern: node))
        }
        return text
    }

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: Its bytes.
    ///   - node: This server, of whose own rings the sessions are not read.
    /// - Returns: The rings of another server; none of one that no server of this kind has written.
    static func read(_ text: [UInt8], except node: Int64) -> [JournalRing] {
        var reader = RingReader(text)
        guard let writer = reader.number(radix: 16), writer != UInt64(bitPattern: node) else { return [] }
        var rings: [JournalRing] = []
        while !reader.isAtEnd {
            guard reader.skip(";"), let high = reader.number(radix: 16),
                reader.skip(","), let low = reader.number(radix: 16),
                reader.skip(","), let revision = reader.number(radix: 10).flatMap({ Int(exactly: $0) })
            else { return [] }
            rings.append(JournalRing(JournalKey(high: high, low: low), at: revision))
        }
        return rings
    }
}

/// A reader of a ring's text, number by number.
private struct RingReader {
    private let text: [UInt8]
    private var place = 0

    init(_ text: [UInt8]) {
        self.text = text
    }

    var isAtEnd: Bool { place == text.count }

    /// Goes on behind a character.
    ///
    /// - Returns: False where another is next.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard !isAtEnd, text[place] == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    /// Reads the number whose digits are next, as many as there are.
    ///
    /// - Returns: nil where there are none, or too many.
    mutating func number(radix: UInt64) -> UInt64? {
        let start = place
        var value: UInt64 = 0
        while !isAtEnd, let digit = Self.digit(text[place]), digit < radix {
            let (shifted, isTooLarge) = value.multipliedReportingOverflow(by: radix)
            let (sum, isCarried) = shifted.addingReportingOverflow(digit)
            guard !isTooLarge, !isCarried else { return nil }
            value = sum
            place += 1
        }
        return place == start ? nil : value
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a")) + 10
        default: nil
        }
    }
}

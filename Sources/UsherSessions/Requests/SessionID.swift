import UsherBytes
package import UsherJournal

/// A session's name: 128 bits that cannot be guessed, for where no token is asked for it is the only key to the session.
///
/// Its `description` is cut short, so that no log line can give a session away; `text` is the whole.
package struct SessionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// Draws a new id.
    ///
    /// - Parameter random: The source of its 128 bits.
    package init(from random: some RandomSource) {
        high = random.next()
        low = random.next()
    }

    /// Hashes the last 64 bits: they are random, and tell ids apart as well as all do.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(low)
    }

    /// The id of a session in a journal.
    ///
    /// - Parameter key: Its key there.
    package init(_ key: JournalKey) {
        high = key.high
        low = key.low
    }

    /// Reads an id.
    ///
    /// - Parameter text: 32 hexadecimal digits in lower case; anything else is no id.
    package init?(_ text: String) {
        self.init(Array(text.utf8)[...])
    }

    /// Reads an id.
    ///
    /// - Parameter digits: The bytes of 32 hexadecimal digits in lower case; anything else is no id.
    package init?(_ digits: ArraySlice<UInt8>) {
        let digits = digits.span
        guard digits.count == Self.digitCount, let high = Self.word(digits.extracting(first: 16)),
            let low = Self.word(digits.extracting(last: 16))
        else { return nil }
        self.high = high
        self.low = low
    }

    /// All 32 digits: what a client needs, and a log must not have.
    package var text: String {
        String(capacity: Self.digitCount) { append(to: &$0) }
    }

    /// The number of its digits.
    static let digitCount = 32

    /// Appends all digits, for which there must be room.
    @inline(__always)
    func append(to output: inout OutputSpan<UInt8>) {
        output.append(hexadecimal: high)
        output.append(hexadecimal: low)
    }

    /// The first eight digits, enough to find it in a list.
    package var description: String { "\(text.prefix(8))…" }

    /// The order of their texts.
    package static func < (left: SessionID, right: SessionID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// The session's key in the journal.
    package var journalKey: JournalKey { JournalKey(high: high, low: low) }

    /// The first bits, by which sessions are spread over shards in the order of their ids.
    func leadingBits(_ count: Int) -> Int {
        Int(high >> UInt64(64 - count))
    }

    @inline(__always)
    private static func word(_ digits: Span<UInt8>) -> UInt64? {
        guard let high = digits.eightBytes(at: 0).hexadecimal, let low = digits.eightBytes(at: 8).hexadecimal
        else { return nil }
        return UInt64(high) << 32 | UInt64(low)
    }
}

/// The source of session ids and seeds; a test puts in its own.
package protocol RandomSource: Sendable {
    /// 64 bits that nobody can guess.
    func next() -> UInt64
}

/// The operating system's random source (`getrandom` on Linux).
package struct SystemRandom: RandomSource {
    /// Makes a source; all are alike.
    package init() {}

    /// 64 bits from the operating system.
    package func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}

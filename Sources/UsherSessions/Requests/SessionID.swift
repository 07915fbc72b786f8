import UsherBytes
package import UsherJournal

/// A session's name: 128 random bits.
///
/// Nobody can guess the bits. If the server requires no token, the id alone gives access to the session. `description`
/// is therefore shortened, so that a log line does not reveal the id; `text` is complete.
package struct SessionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// Creates an id from 128 random bits.
    package init(from random: some RandomSource) {
        high = random.next()
        low = random.next()
    }

    /// Hashes only the low 64 bits, which are random and distinguish ids well enough.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(low)
    }

    /// Creates the id of a session from its key in a journal.
    package init(_ key: JournalKey) {
        high = key.high
        low = key.low
    }

    /// Parses the text of an id, 32 lowercase hexadecimal digits; `nil` for all other texts.
    package init?(_ text: String) {
        self.init(Array(text.utf8)[...])
    }

    /// Parses the bytes of an id's text, 32 lowercase hexadecimal digits; `nil` for all other bytes.
    package init?(_ digits: ArraySlice<UInt8>) {
        let digits = digits.span
        guard digits.count == Self.digitCount, let high = Self.word(digits.extracting(first: 16)),
            let low = Self.word(digits.extracting(last: 16))
        else { return nil }
        self.high = high
        self.low = low
    }

    /// All 32 digits, for clients but never for logs.
    package var text: String {
        String(capacity: Self.digitCount) { append(to: &$0) }
    }

    static let digitCount = 32

    /// Appends all digits; `output` must have room for them.
    @inline(__always)
    func append(to output: inout OutputSpan<UInt8>) {
        output.append(hexadecimal: high)
        output.append(hexadecimal: low)
    }

    /// The first eight digits, which are enough to find the session in a list.
    package var description: String { "\(text.prefix(8))…" }

    package static func < (left: SessionID, right: SessionID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// The session's key in the journal.
    package var journalKey: JournalKey { JournalKey(high: high, low: low) }

    /// Returns the first `count` bits, with which `SessionStore` assigns sessions to shards in the order of their ids.
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

/// The source of the random bits for ids, tokens and seeds; tests use their own sources.
package protocol RandomSource: Sendable {
    /// Returns 64 unpredictable bits.
    func next() -> UInt64
}

/// The operating system's random source (`getrandom` on Linux).
package struct SystemRandom: RandomSource {
    package init() {}

    /// Returns 64 bits from the operating system.
    package func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}

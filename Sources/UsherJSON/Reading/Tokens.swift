/// The tokens of a text, in reading order.
///
/// The first few stand in place: most of what clients send has no more, and needs no memory of its own for them.
struct Tokens: Sendable {
    private var first = InlineArray<8, Token>(repeating: Token(kind: .null, escaped: false, start: 0, end: 0, next: 0))
    private var others: [Token] = []
    private(set) var count = 0

    /// Makes room for tokens that are still to come.
    mutating func reserveCapacity(_ capacity: Int) {
        if capacity > first.count { others.reserveCapacity(capacity - first.count) }
    }

    @inline(__always)
    mutating func append(_ token: Token) {
        if count < first.count { first[count] = token } else { others.append(token) }
        count += 1
    }

    subscript(index: Int) -> Token {
        @inline(__always) get { index < first.count ? first[index] : others[index - first.count] }
        @inline(__always) set {
            if index < first.count { first[index] = newValue } else { others[index - first.count] = newValue }
        }
    }
}

extension Span<UInt8> {
    func text(_ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for index in range { bytes.append(self[index]) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether others are the same.
    func isSame(as others: Span<UInt8>) -> Bool {
        guard count == others.count else { return false }
        for index in indices where self[index] != others[index] { return false }
        return true
    }

    /// Whether it begins with an ASCII text, without regard to case.
    func hasPrefix(_ prefix: StaticString) -> Bool {
        let wanted = prefix.description.utf8
        guard count >= wanted.count else { return false }
        return zip(indices, wanted).allSatisfy { FieldGrammar.lowercased(self[$0]) == $1 }
    }
}

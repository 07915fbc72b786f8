extension Span<UInt8> {
    func text(_ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for index in range { bytes.append(self[index]) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether it begins with an ASCII text, without regard to case.
    func hasPrefix(_ prefix: StaticString) -> Bool {
        let wanted = prefix.description.utf8
        guard count >= wanted.count else { return false }
        return zip(indices, wanted).allSatisfy { FieldGrammar.lowercased(self[$0]) == $1 }
    }
}

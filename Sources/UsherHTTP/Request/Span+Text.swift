extension Span<UInt8> {
    func text(_ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for index in range { bytes.append(self[index]) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether there is a byte of a kind.
    ///
    /// Looks at all of them: without a way out the compiler takes many at a time.
    @inline(__always)
    func hasAny(where isMeant: (UInt8) -> Bool) -> Bool {
        var found = false
        for index in indices { found = isMeant(self[index]) || found }
        return found
    }

    /// Whether it begins with an ASCII text, without regard to case.
    func hasPrefix(_ prefix: StaticString) -> Bool {
        let wanted = prefix.description.utf8
        guard count >= wanted.count else { return false }
        return zip(indices, wanted).allSatisfy { FieldGrammar.lowercased(self[$0]) == $1 }
    }
}

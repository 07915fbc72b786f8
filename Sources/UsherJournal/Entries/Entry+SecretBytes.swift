extension Entry {
    /// Whether an entry's bytes hold secrets, erased or not: so much can be told without reading it.
    ///
    /// - Parameter bytes: What `bytes(of:)` has returned; of others nothing is promised.
    public static func holdsSecrets(_ bytes: [UInt8]) -> Bool {
        var rest = bytes.dropFirst(2).dropLast(ByteWriter.checksumSize)
        // The revision, the time, and four ids; the digest; the visible screen and the payload.
        for _ in 0..<6 { _ = rest.takeNumber() }
        rest = rest.dropFirst(8)
        for _ in 0..<2 {
            let count = rest.takeNumber()
            rest = rest.dropFirst(count)
        }
        return !rest.isEmpty
    }
}

extension ArraySlice<UInt8> {
    /// A number in LEB128, of which what is beyond an `Int` is cut.
    fileprivate mutating func takeNumber() -> Int {
        var number = 0
        var shift = 0
        while let byte = popFirst() {
            number |= Int(byte & 0x7F) << shift
            shift += 7
            guard byte >= 0x80 else { break }
        }
        return Swift.max(0, number)
    }
}

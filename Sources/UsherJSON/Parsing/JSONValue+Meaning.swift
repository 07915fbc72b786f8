extension JSONValue {
    /// A digest of what the value means (64-bit FNV-1a, draft-eastlake-fnv): the same for all texts of one value,
    /// whatever their blanks, their escapes, the order of their members and the way in which numbers are written.
    ///
    /// It tells mistakes and changes, not attacks: whoever wants two values with one digest can make them.
    package var meaning: UInt64 {
        var digest = MeaningDigest()
        digest.add(self)
        return digest.value
    }
}

/// The digest of a value, built up piece by piece; each begins with its kind and its length, so that no two run together.
private struct MeaningDigest {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ json: JSONValue) {
        switch json.kind {
        case .object:
            let members = json.members.map { (name: Array($0.name.utf8), value: $0.value) }
            begin("o", members.count)
            for member in members.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
                add(member.name, as: "s")
                add(member.value)
            }
        case .array:
            let elements = json.elements.map(\.self)
            begin("a", elements.count)
            for element in elements { add(element) }
        case .string: add(Array((json.string ?? "").utf8), as: "s")
        case .number: add(DecimalNumber(json.bytes).bytes, as: "n")
        case .boolean, .null: add(Array(json.bytes), as: "w")
        }
    }

    private mutating func add(_ bytes: [UInt8], as kind: Unicode.Scalar) {
        begin(kind, bytes.count)
        for byte in bytes { add(byte) }
    }

    private mutating func begin(_ kind: Unicode.Scalar, _ count: Int) {
        add(UInt8(ascii: kind))
        add(length: UInt64(count))
    }

    private mutating func add(length number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}

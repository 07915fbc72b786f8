extension JSONValue {
    /// A 64-bit FNV-1a digest (draft-eastlake-fnv) that is equal for all spellings of the same value.
    ///
    /// White space, escapes, the order of members and the spelling of numbers do not matter. The digest detects
    /// mistakes and changes, not attacks: it is easy to construct two values with the same digest.
    package var meaning: UInt64 {
        var digest = MeaningDigest()
        digest.add(self)
        return digest.value
    }
}

/// The digest of a value; each part starts with its kind and its length, so that two different values never have the
/// same sequence of parts.
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

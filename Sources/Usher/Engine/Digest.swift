/// A hash that is equal for equal values, in every process and build: FNV-1a with 64 bits, followed by a mix.
///
/// The digest shows whether a replay led to the same state. The hash is not cryptographic.
struct Digest {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ number: Int) {
        add(UInt64(bitPattern: Int64(number)))
    }

    mutating func add(_ number: UInt64) {
        var rest = number
        for _ in 0..<8 {
            add(byte: UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    /// Adds a text and an end mark, so that two texts differ from their concatenation.
    mutating func add(_ text: String) {
        let bytes = text.utf8.span
        for index in bytes.indices { add(byte: bytes[index]) }
        add(byte: 0xFF)
    }

    /// The digest, mixed so that digests can be combined with `^`.
    var value: UInt64 {
        var mixed = state
        mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        return mixed ^ (mixed >> 33)
    }

    private mutating func add(byte: UInt8) {
        state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}

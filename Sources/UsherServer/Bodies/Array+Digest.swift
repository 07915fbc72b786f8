extension [UInt8] {
    /// What tells these bytes from others (64-bit FNV-1a, draft-eastlake-fnv).
    ///
    /// It tells mistakes and changes, not attacks: whoever wants two texts with one digest can make them.
    var digest: UInt64 {
        reduce(0xCBF2_9CE4_8422_2325) { digest, byte in (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
}

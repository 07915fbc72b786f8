import Usher

/// The name under which an effect runs, for those whom it asks: the same when it runs again, and of no other session.
enum EffectKey {
    /// - Parameters:
    ///   - id: The effect's name within its session.
    ///   - salt: The session's random bits; its id stays unknown, for it is the key to the session.
    static func text(_ id: EffectID, salt: UInt64) -> String {
        let first = mix(salt ^ mix(UInt64(truncatingIfNeeded: id.revision)))
        let second = mix(first ^ mix(UInt64(truncatingIfNeeded: id.index) ^ salt))
        return digits(first) + digits(second)
    }

    /// The finalizer of SplitMix64 (Steele, Lea, Flood: *Fast Splittable Pseudorandom Number Generators*, OOPSLA 2014).
    private static func mix(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private static func digits(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}

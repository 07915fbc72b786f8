/// Reads memory that is known to exist.
enum Memory {
    static let wordSize: UInt = 8

    static func word(at address: UInt) -> UInt {
        unsafe UnsafeRawPointer(bitPattern: address)?.loadUnaligned(as: UInt.self) ?? 0
    }

    static func half(at address: UInt) -> UInt32 {
        unsafe UnsafeRawPointer(bitPattern: address)?.loadUnaligned(as: UInt32.self) ?? 0
    }

    static func byte(at address: UInt) -> UInt8 {
        unsafe UnsafeRawPointer(bitPattern: address)?.load(as: UInt8.self) ?? 0
    }

    /// Returns the address that is stored at a place as the distance from that place.
    static func target(ofOffsetAt address: UInt) -> UInt {
        address &+ UInt(bitPattern: Int(Int32(bitPattern: half(at: address))))
    }

    static func pointer(_ address: UInt) -> UnsafeRawPointer? { unsafe UnsafeRawPointer(bitPattern: address) }
}

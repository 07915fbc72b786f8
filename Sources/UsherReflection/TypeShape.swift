/// The shape of a type, as the runtime describes it: what `Mirror` tells of a value, where there is none.
package enum TypeShape {
    /// The stored properties of a struct in the order of their declaration; nil for any other type.
    package static func storedProperties(of type: Any.Type) -> [(name: String, type: Any.Type)]? {
        guard unsafe kind(of: type) == structKind else { return nil }
        return (0..<FieldFlags.count(of: type)).map { (FieldFlags.name($0, of: type), FieldFlags.type($0, of: type)) }
    }

    /// All values of an enum of which no case has a payload, in the order of their declaration.
    ///
    /// - Returns: nil for any other type, and for an enum that is larger than a byte.
    package static func values<Value>(of type: Value.Type) -> [Value]? {
        guard let count = unsafe caseCount(of: type), count > 0 else { return nil }
        // One case needs no byte; more are numbered as they are declared.
        switch (MemoryLayout<Value>.size, count) {
        case (0, 1): return [unsafe unsafeBitCast((), to: Value.self)]
        case (1, 2...256): return (0..<count).map { unsafe unsafeBitCast(UInt8($0), to: Value.self) }
        default: return nil
        }
    }

    /// The number of an enum's cases; nil for any other type, and where one has a payload.
    @unsafe private static func caseCount(of type: Any.Type) -> Int? {
        guard unsafe kind(of: type) == enumKind else { return nil }
        let description = unsafe metadata(of: type).load(fromByteOffset: 8, as: UnsafeRawPointer.self)
        // Of the first word 24 bits are the number of cases with a payload.
        guard unsafe description.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF == 0 else { return nil }
        return Int(unsafe description.load(fromByteOffset: 24, as: UInt32.self))
    }

    @unsafe private static func kind(of type: Any.Type) -> Int {
        unsafe metadata(of: type).load(as: Int.self)
    }

    @unsafe private static func metadata(of type: Any.Type) -> UnsafeRawPointer {
        unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    private static let structKind = 0x200
    private static let enumKind = 0x201
}

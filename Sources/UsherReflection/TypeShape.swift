/// Describes types without having a value, which `Mirror` would need.
package enum TypeShape {
    /// Returns the stored properties of a struct in the order of their declaration; nil for any other type.
    package static func storedProperties(of type: Any.Type) -> [(name: String, type: Any.Type)]? {
        guard TypeMetadata(type).kind == .structure else { return nil }
        return (0..<FieldFlags.count(of: type)).map { (FieldFlags.name($0, of: type), FieldFlags.type($0, of: type)) }
    }

    /// Returns all values of an enum without payloads, in the order of their declaration; nil for any other type, and
    /// for an enum that is larger than a byte.
    package static func values<Value>(of type: Value.Type) -> [Value]? {
        guard let count = TypeMetadata(type).countOfCases, count > 0 else { return nil }
        // A single case needs no byte; several are numbered in the order of their declaration.
        switch (MemoryLayout<Value>.size, count) {
        case (0, 1): return [unsafe unsafeBitCast((), to: Value.self)]
        case (1, 2...256): return (0..<count).map { unsafe unsafeBitCast(UInt8($0), to: Value.self) }
        default: return nil
        }
    }
}

import Synchronization

/// Determines which types have values that may refer to an object; values of other types need no search.
enum HoldingTypes {
    private static let known = Mutex<[ObjectIdentifier: Bool]>([:])

    /// Returns `true` if a value of a type can refer to an object: strongly, weakly or unowned.
    static func contain(_ type: Any.Type) -> Bool {
        let key = ObjectIdentifier(type)
        if let isKnown = known.withLock({ $0[key] }) { return isKnown }
        var seen: Set<ObjectIdentifier> = []
        let mayRefer = mayRefer(TypeMetadata(type), &seen)
        known.withLock { $0[key] = mayRefer }
        return mayRefer
    }

    /// The depth at which a type is assumed to refer to an object, because generic types can nest endlessly.
    private static let depthLimit = 16

    /// Returns a Boolean value that indicates whether a type's stored values may refer to objects.
    ///
    /// Searches each type once.
    private static func mayRefer(_ type: TypeMetadata, _ seen: inout Set<ObjectIdentifier>, depth: Int = 0) -> Bool {
        guard !type.isTrivial, seen.insert(ObjectIdentifier(type.type)).inserted else { return false }
        guard depth < depthLimit else { return true }
        switch type.kind {
        case .object, .function, .existential, .extendedExistential: return true
        case .structure:
            if let list = type.type as? any ElementList.Type {
                for element in list.elementTypes where mayRefer(TypeMetadata(element), &seen, depth: depth + 1) {
                    return true
                }
                return false
            }
            for index in 0..<FieldFlags.count(of: type.type) {
                guard FieldFlags.isStrong(index, of: type.type) else { return true }
                if mayRefer(TypeMetadata(FieldFlags.type(index, of: type.type)), &seen, depth: depth + 1) {
                    return true
                }
            }
            return false
        case .enumeration:
            for payload in type.payloads {
                guard let payload else { return true }
                if mayRefer(payload.type, &seen, depth: depth + 1) { return true }
            }
            return false
        case .tuple:
            for element in type.elements where mayRefer(element.type, &seen, depth: depth + 1) { return true }
            return false
        case .other: return false
        }
    }
}

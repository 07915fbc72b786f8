/// Some objects, and the search for which of them another refers to in any way: strongly, weakly, unowned, or in a closure.
///
/// `Mirror` cannot tell an unowned reference that dangles from another, and does not look into closures. So the values are
/// read where they are, each by its type, and references are compared with the targets' addresses.
package struct ReferenceTargets {
    /// The targets' places, by the addresses of their instances, and of the side tables that weak references point to.
    fileprivate let places: [UInt: Int]

    /// Makes a search for these.
    package init(_ objects: [AnyObject]) {
        var places: [UInt: Int] = [:]
        for (index, object) in objects.enumerated() {
            let address = Self.address(of: object)
            places[address] = index
            if let table = Self.sideTable(ofObjectAt: address) { places[table] = index }
        }
        self.places = places
    }

    /// The targets that an object's own properties refer to, each once: those of its own class come before those of its
    /// superclasses.
    ///
    /// The elements of lists, the payloads of enums, and what closures capture are such properties; other objects are not
    /// looked into.
    package func referred(by object: AnyObject) -> [Int] {
        guard !places.isEmpty else { return [] }
        var walk = ReferenceWalk(places)
        walk.add(fieldsOf: type(of: object), at: Self.address(of: object))
        return withExtendedLifetime(object) { walk.found }
    }

    private static func address(of object: AnyObject) -> UInt {
        unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    /// The side table of an object that is, or was, referred to weakly: its counts are there, and the two highest bits set.
    private static func sideTable(ofObjectAt address: UInt) -> UInt? {
        let counts = Memory.word(at: address + Memory.wordSize)
        guard counts >> 62 == 3 else { return nil }
        return (counts & (1 << 62 - 1)) << 3
    }
}

/// The names of a class's stored properties, which can be asked for without reading one.
package enum StoredPropertyNames {
    /// The names, those of superclasses first.
    package static func all(of type: AnyClass) -> [String] {
        (0..<FieldFlags.count(of: type)).map { FieldFlags.name($0, of: type) }
    }
}

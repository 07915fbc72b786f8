/// Finds which of some objects another object refers to in any way: strongly, weakly, unowned, or in a closure.
///
/// `Mirror` cannot recognize a dangling unowned reference, and does not read closures. Values are therefore read in
/// place by their types, and references are compared with the targets' addresses.
package struct ReferenceTargets {
    /// The indices of the targets, by the addresses of their instances and of their side tables for weak references.
    fileprivate let places: [UInt: Int]

    package init(_ objects: [AnyObject]) {
        var places: [UInt: Int] = [:]
        for (index, object) in objects.enumerated() {
            let address = Self.address(of: object)
            places[address] = index
            if let table = Self.sideTable(ofObjectAt: address) { places[table] = index }
        }
        self.places = places
    }

    /// Returns the targets to which an object's properties refer, each once, those of the object's own class first.
    ///
    /// Elements of collections, payloads of enums, and captures of closures count as properties. Other objects are not
    /// searched.
    package func referred(by object: AnyObject) -> [Int] {
        guard !places.isEmpty else { return [] }
        var walk = ReferenceWalk(places)
        walk.add(fieldsOf: type(of: object), at: Self.address(of: object))
        return withExtendedLifetime(object) { walk.found }
    }

    private static func address(of object: AnyObject) -> UInt {
        unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    /// Returns the side table of an object with weak references, whose counts have their two highest bits set.
    private static func sideTable(ofObjectAt address: UInt) -> UInt? {
        let counts = Memory.word(at: address + Memory.wordSize)
        guard counts >> 62 == 3 else { return nil }
        return (counts & (1 << 62 - 1)) << 3
    }
}

/// The names of a class's stored properties, which are found without reading any property.
package enum StoredPropertyNames {
    /// Returns the names of a class's stored properties, the properties of superclasses first.
    package static func all(of type: AnyClass) -> [String] {
        (0..<FieldFlags.count(of: type)).map { FieldFlags.name($0, of: type) }
    }
}

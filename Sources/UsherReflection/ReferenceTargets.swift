/// Some objects, and the search for which of them another refers to in any way: strongly, weakly, unowned, or in a closure.
///
/// `Mirror` tells no unowned reference that dangles from another, and looks into no closure. So the words of an object's
/// fields are compared with addresses, and none is ever followed that is not known to be an object's.
package struct ReferenceTargets {
    /// The targets' places, by the addresses of their instances, and of the side tables that weak references point to.
    private let places: [UInt: Int]

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

    /// The targets that an object's own fields refer to, in the order of these, each once.
    package func referred(by object: AnyObject) -> [Int] {
        guard !places.isEmpty else { return [] }
        let (address, type) = (Self.address(of: object), type(of: object) as Any.Type)
        var found: [Int] = []
        for index in 0..<FieldFlags.count(of: type) {
            let (field, offset) = (FieldFlags.type(index, of: type), FieldFlags.offset(index, of: type))
            add(from: address + UInt(bitPattern: offset), size: Self.size(of: field), to: &found)
            guard Self.isFunction(field) else { continue }
            // A function is the address of its code, and its context.
            addCaptures(of: Self.word(at: address + UInt(bitPattern: offset) + Self.wordSize), to: &found)
        }
        return withExtendedLifetime(object) { found }
    }

    private func add(from address: UInt, size: Int, to found: inout [Int]) {
        for distance in stride(from: 0, to: max(0, size - 7), by: 8) {
            guard let place = places[Self.word(at: address + UInt(distance))], !found.contains(place) else { continue }
            found.append(place)
        }
    }

    /// The context of a closure that captures one object may be that object; else it is a box of captures.
    private func addCaptures(of context: UInt, to found: inout [Int]) {
        guard context != 0, places[context] == nil, Self.word(at: Self.word(at: context)) == Self.boxKind else {
            return
        }
        let size = unsafe Self.allocatedSize(UnsafeRawPointer(bitPattern: context)) - Self.headerSize
        add(from: context + UInt(Self.headerSize), size: size, to: &found)
    }
}

/// The layout of Swift's objects on a machine of 64 bits, which is fixed on Apple's platforms and the same on Linux.
extension ReferenceTargets {
    private static let wordSize: UInt = 8
    /// The metadata and the reference counts.
    private static let headerSize = 16
    /// The kind of metadata that a closure's box of captures has.
    private static let boxKind: UInt = 0x400
    private static let functionKind: UInt = 0x302
    private static let optionalKind: UInt = 0x202

    private static func address(of object: AnyObject) -> UInt {
        unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    private static func word(at address: UInt) -> UInt {
        unsafe UnsafePointer<UInt>(bitPattern: address)?.pointee ?? 0
    }

    /// The side table of an object that is, or was, referred to weakly: its counts are there, and the two highest bits set.
    private static func sideTable(ofObjectAt address: UInt) -> UInt? {
        let counts = word(at: address + wordSize)
        guard counts >> 62 == 3 else { return nil }
        return (counts & (1 << 62 - 1)) << 3
    }

    private static func kind(of type: Any.Type) -> UInt {
        word(at: unsafe UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self)))
    }

    /// True for a function, and for an optional one.
    private static func isFunction(_ type: Any.Type) -> Bool {
        guard size(of: type) == 16 else { return false }
        switch kind(of: type) {
        case functionKind: return true
        case optionalKind:
            let name = String(reflecting: type).utf8
            return zip(name, name.dropFirst()).contains { $0 == UInt8(ascii: "-") && $1 == UInt8(ascii: ">") }
        default: return false
        }
    }

    private static func size(of type: Any.Type) -> Int {
        func size<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.size }
        return size(type)
    }

    @_silgen_name("malloc_usable_size")
    @unsafe private static func allocatedSize(_ pointer: UnsafeRawPointer?) -> Int
}

/// The names of a class's stored properties, which can be asked for without reading one.
package enum StoredPropertyNames {
    /// The names, those of superclasses first.
    package static func all(of type: AnyClass) -> [String] {
        (0..<FieldFlags.count(of: type)).map { FieldFlags.name($0, of: type) }
    }
}

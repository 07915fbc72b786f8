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

    /// The targets that an object's own fields refer to, each once: those of its own class come first, for a field that is
    /// empty may have the word of what was at its place before, and a base class has such fields.
    package func referred(by object: AnyObject) -> [Int] {
        guard !places.isEmpty else { return [] }
        let (address, type) = (Self.address(of: object), type(of: object) as Any.Type)
        var found: [Int] = []
        for index in (0..<FieldFlags.count(of: type)).reversed() {
            let (field, offset) = (FieldFlags.type(index, of: type), FieldFlags.offset(index, of: type))
            let size = Self.isClassExistential(field) ? Int(Self.wordSize) : Self.size(of: field)
            add(from: address + UInt(bitPattern: offset), size: size, to: &found)
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
        for captured in Self.captures(in: context) { add(from: captured.address, size: captured.size, to: &found) }
    }
}

/// A closure's captures, by the descriptor that the compiler leaves of them: what lies behind the last one in memory is what
/// was at its place before.
extension ReferenceTargets {
    private static func captures(in context: UInt) -> [(address: UInt, size: Int)] {
        let metadata = word(at: context)
        var offset = Int(half(at: metadata + wordSize))
        let descriptor = word(at: metadata + 2 * wordSize)
        guard descriptor != 0 else { return [] }
        var captures: [(address: UInt, size: Int)] = []
        for index in 0..<UInt(half(at: descriptor)) {
            let record = descriptor + descriptorHeaderSize + 4 * index
            let name = record &+ UInt(bitPattern: Int(Int32(bitPattern: half(at: record))))
            let length = nameLength(at: name)
            if isBox(name, length) {
                captures.append((word(at: context + UInt(offset)) + UInt(headerSize), Int(wordSize)))
                offset += Int(wordSize)
            } else if let type = capturedType(named: name, length) {
                let (size, alignment) = layout(of: type)
                offset = (offset + alignment - 1) / alignment * alignment
                captures.append((context + UInt(offset), size))
                offset += size
            } else {
                // A type of unknown size: the places of those behind it are unknown, too.
                break
            }
        }
        return captures
    }

    /// True for a variable, which closures share in a box: its type ends with the mark of one.
    private static func isBox(_ name: UInt, _ length: UInt) -> Bool {
        length > 3 && word(at: name + length - 3) & 0xff_ffff == 0x78_585f
    }

    private static func capturedType(named name: UInt, _ length: UInt) -> Any.Type? {
        guard let pointer = unsafe UnsafePointer<UInt8>(bitPattern: name) else { return nil }
        return unsafe _getTypeByMangledNameInContext(pointer, length, genericContext: nil, genericArguments: nil)
    }

    /// The length of a mangled name, in which a small number stands before an address that may have zeros.
    private static func nameLength(at name: UInt) -> UInt {
        var length: UInt = 0
        while true {
            switch word(at: name + length) & 0xff {
            case 0: return length
            case 1...0x17: length += 5
            case 0x18...0x1f: length += 9
            default: length += 1
            }
        }
    }

    private static func half(at address: UInt) -> UInt32 { UInt32(truncatingIfNeeded: word(at: address)) }

    private static func layout(of type: Any.Type) -> (size: Int, alignment: Int) {
        func layout<Value>(_ type: Value.Type) -> (size: Int, alignment: Int) {
            (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
        }
        return layout(type)
    }

    /// The counts of captures, of sources of metadata, and of bindings.
    private static let descriptorHeaderSize: UInt = 12
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
    private static let existentialKind: UInt = 0x303
    /// Set in the flags of an existential that may have values other than objects.
    private static let anyValueFlag: UInt = 1 << 31

    private static func address(of object: AnyObject) -> UInt {
        unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    private static func word(at address: UInt) -> UInt {
        unsafe UnsafeRawPointer(bitPattern: address)?.loadUnaligned(as: UInt.self) ?? 0
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

    /// True for a protocol's optional whose values are objects: only the first word refers to one, and where there is none
    /// the others have what was at their place before.
    private static func isClassExistential(_ type: Any.Type) -> Bool {
        guard kind(of: type) == optionalKind else { return false }
        let wrapped = word(at: unsafe UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self)) + 2 * wordSize)
        return word(at: wrapped) == existentialKind && word(at: wrapped + wordSize) & anyValueFlag == 0
    }

    private static func size(of type: Any.Type) -> Int {
        func size<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.size }
        return size(type)
    }
}

/// The names of a class's stored properties, which can be asked for without reading one.
package enum StoredPropertyNames {
    /// The names, those of superclasses first.
    package static func all(of type: AnyClass) -> [String] {
        (0..<FieldFlags.count(of: type)).map { FieldFlags.name($0, of: type) }
    }
}

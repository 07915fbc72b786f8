struct ReferenceWalk {
    private(set) var found: [Int] = []
    private let places: [UInt: Int]
    /// The contexts and boxes that were searched, because a closure may capture itself.
    private var seen: Set<UInt> = []
    /// The number of values that may still be searched.
    private var rest = 10_000
    /// The nesting depth of the current value, which is limited, because a chain of closures can be very long.
    private var depth = 0

    init(_ places: [UInt: Int]) {
        self.places = places
    }

    /// Adds the targets of an instance's stored properties, the properties of the instance's own class first.
    mutating func add(fieldsOf type: Any.Type, at address: UInt) {
        for index in (0..<FieldFlags.count(of: type)).reversed() {
            let place = address + UInt(bitPattern: FieldFlags.offset(index, of: type))
            let field = FieldFlags.type(index, of: type)
            if FieldFlags.isStrong(index, of: type) {
                add(TypeMetadata(field), at: place)
            } else {
                // The first word of a weak or unowned existential refers to the object.
                addWord(at: place)
            }
        }
    }

    mutating func add(_ type: TypeMetadata, at address: UInt) {
        guard rest > 0, depth < Self.depthLimit, !type.isTrivial else { return }
        rest -= 1
        depth += 1
        defer { depth -= 1 }
        switch type.kind {
        case .object: addWord(at: address)
        case .structure: addStructure(type, at: address)
        case .enumeration: addEnumeration(type, at: address)
        case .tuple:
            for element in type.elements { add(element.type, at: address + element.offset) }
        case .function:
            if type.hasContext { addFunction(at: address) }
        case .existential, .extendedExistential: addExistential(type, at: address)
        case .other: break
        }
    }

    private mutating func addWord(at address: UInt) {
        guard let place = places[Memory.word(at: address)], !found.contains(place) else { return }
        found.append(place)
    }

    private mutating func addStructure(_ type: TypeMetadata, at address: UInt) {
        guard let list = type.type as? any ElementList.Type else { return add(fieldsOf: type.type, at: address) }
        unsafe list.visitElements(ofValueAt: Memory.pointer(address)) { element, place in
            add(TypeMetadata(element), at: UInt(bitPattern: place))
            return rest > 0
        }
    }

    /// Adds only the targets of the current case, because the rest of an enum's memory is undefined.
    private mutating func addEnumeration(_ type: TypeMetadata, at address: UInt) {
        guard let payload = type.payload(ofValueAt: address) else { return }
        unsafe withUnsafeTemporaryAllocation(byteCount: max(type.size, 8), alignment: type.alignment) { copy in
            guard let bytes = copy.baseAddress, let value = unsafe Memory.pointer(address) else { return }
            unsafe bytes.copyMemory(from: value, byteCount: type.size)
            let place = UInt(bitPattern: bytes)
            type.projectPayload(at: place)
            if payload.isIndirect {
                addBox(Memory.word(at: place), of: payload.type)
            } else {
                add(payload.type, at: place)
            }
        }
    }

    private mutating func addExistential(_ type: TypeMetadata, at address: UInt) {
        switch type.existentialForm {
        case .object: addWord(at: address)
        case .buffer:
            if let held = TypeMetadata.content(ofExistentialAt: address) { add(held.type, at: held.place) }
        case .other: break
        }
    }

    /// Adds the targets of a function, which consists of its code's address and a context that is undefined for nil.
    private mutating func addFunction(at address: UInt) {
        if Memory.word(at: address) != 0 { addContext(Memory.word(at: address + Memory.wordSize)) }
    }

    /// Adds the targets of a closure's captures; the context of a closure with one captured object may be that object.
    private mutating func addContext(_ context: UInt) {
        guard enter(context) else { return }
        defer { depth -= 1 }
        if let place = places[context] {
            if !found.contains(place) { found.append(place) }
            return
        }
        guard Memory.word(at: Memory.word(at: context)) == Self.closureKind else { return }
        addCaptures(in: context)
    }

    /// Adds the captures of a closure, or the content of a box.
    ///
    /// If a closure captures only one box, the context is that box itself.
    private mutating func addCaptures(in context: UInt) {
        let captures = ClosureCaptures(in: context).all
        // If a closure captures only one counted reference, the context is that reference itself. All boxes in a file
        // whose content is such a reference share a description, which can name the wrong type.
        if captures.count == 1, case .value(let type) = captures[0].content, type.size == Int(Memory.wordSize),
            !type.isTrivial
        {
            return addWord(at: captures[0].address)
        }
        for capture in captures {
            switch capture.content {
            case .value(let type): add(type, at: capture.address)
            case .reference: addWord(at: capture.address)
            case .box: addBox(Memory.word(at: capture.address))
            case .function: addFunction(at: capture.address)
            }
        }
    }

    /// Adds the content of a box; `type` is the type of the content, if it is known.
    private mutating func addBox(_ box: UInt, of type: TypeMetadata? = nil) {
        guard enter(box) else { return }
        defer { depth -= 1 }
        let metadata = Memory.word(at: box)
        let content = box + UInt(Memory.half(at: metadata + Memory.wordSize))
        switch Memory.word(at: metadata) {
        case Self.closureKind:
            if let type { add(type, at: content) } else { addCaptures(in: box) }
        case Self.boxKind:
            if let type = TypeMetadata(at: Memory.word(at: metadata + 2 * Memory.wordSize)) { add(type, at: content) }
        default: break
        }
    }

    /// Starts to search a context or a box; returns `false` if it was searched already, or a limit was reached.
    private mutating func enter(_ object: UInt) -> Bool {
        guard object != 0, rest > 0, depth < Self.depthLimit, seen.insert(object).inserted else { return false }
        rest -= 1
        depth += 1
        return true
    }

    /// The depth beyond which values are not read.
    private static let depthLimit = 200

    /// The kinds of metadata of a closure's captures and a generic box.
    private static let closureKind: UInt = 0x400
    private static let boxKind: UInt = 0x500
}

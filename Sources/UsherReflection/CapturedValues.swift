/// The values that a closure keeps: its strong captures, and those of the closures that it has captured.
struct CapturedValues {
    private(set) var all: [Any] = []
    /// The contexts and boxes that were looked into: a closure may capture itself.
    private var seen: Set<UInt> = []

    /// More contexts are not looked into: a chain of closures can be very long.
    private static let limit = 1_000

    /// Reads the captures of a function; none of a value of another type.
    init(of function: Any) {
        let context = unsafe withUnsafePointer(to: function) { place -> UInt in
            let place = unsafe UInt(bitPattern: UnsafeRawPointer(place))
            // The type of what stands there: of a function in an `Any` that is itself in an `Any`, the outer one has a box.
            guard let type = TypeMetadata(at: Memory.word(at: place + 3 * Memory.wordSize)), type.kind == .function,
                type.hasContext, type.isInline
            else { return 0 }
            return Self.context(ofFunctionAt: place)
        }
        withExtendedLifetime(function) { add(referenceTo: context) }
    }

    /// A function is the address of its code, and its context; nil is no code, whatever the context is.
    private static func context(ofFunctionAt place: UInt) -> UInt {
        Memory.word(at: place) == 0 ? 0 : Memory.word(at: place + Memory.wordSize)
    }

    /// Returns a Boolean value indicating whether a word can be the address of an instance, or of metadata.
    private static func isAddress(_ word: UInt) -> Bool {
        word >= 4096 && word.isMultiple(of: Memory.wordSize) && word >> 47 == 0
    }

    /// Adds what a strong reference leads to: an object, or the content of a context or a box.
    ///
    /// What a description says of a lone reference can be the type of another, so the instance itself is asked.
    private mutating func add(referenceTo instance: UInt) {
        guard Self.isAddress(instance) else { return }
        let metadata = Memory.word(at: instance)
        guard Self.isAddress(metadata) else { return }
        switch Memory.word(at: metadata) {
        case Self.classKind:
            guard let pointer = unsafe Memory.pointer(instance) else { return }
            all.append(unsafe Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue())
        case Self.closureKind:
            guard seen.count < Self.limit, seen.insert(instance).inserted else { return }
            let captures = ClosureCaptures(in: instance).all
            for capture in captures where capture.isStrong { add(capture, isAlone: captures.count == 1) }
        case Self.boxKind:
            guard seen.count < Self.limit, seen.insert(instance).inserted else { return }
            let content = instance + UInt(Memory.half(at: metadata + Memory.wordSize))
            if let type = TypeMetadata(at: Memory.word(at: metadata + 2 * Memory.wordSize)) { add(type, at: content) }
        default: break
        }
    }

    private mutating func add(_ capture: ClosureCaptures.Capture, isAlone: Bool) {
        switch capture.content {
        case .value(let type) where isAlone && Self.isOneReference(type):
            add(referenceTo: Memory.word(at: capture.address))
        case .value(let type): add(type, at: capture.address)
        case .reference, .box: add(referenceTo: Memory.word(at: capture.address))
        case .function: add(referenceTo: Self.context(ofFunctionAt: capture.address))
        }
    }

    /// Returns a Boolean value indicating whether a value of a type is one strong reference, or none.
    ///
    /// Such types can share a description, so it is the reference that says what it leads to. Cases of an enum without a
    /// payload are words as well, which lead nowhere.
    private static func isOneReference(_ type: TypeMetadata) -> Bool {
        switch type.kind {
        case .object: return true
        case .structure:
            guard type.size == Int(Memory.wordSize), FieldFlags.count(of: type.type) == 1,
                FieldFlags.isStrong(0, of: type.type)
            else { return false }
            return isOneReference(TypeMetadata(FieldFlags.type(0, of: type.type)))
        case .enumeration:
            guard let optional = type.type as? any OptionalType.Type else { return false }
            return isOneReference(TypeMetadata(optional.wrapped))
        default: return false
        }
    }

    private mutating func add(_ type: TypeMetadata, at address: UInt) {
        if type.kind == .object { return add(referenceTo: Memory.word(at: address)) }
        guard type.isCopyable, HoldingTypes.contain(type.type) else { return }
        if let value = Self.copy(of: type.type, at: address) { all.append(value) }
    }

    /// The value of a type at its place; of an optional what is in it.
    private static func copy<Value>(of type: Value.Type, at address: UInt) -> Any? {
        guard let pointer = unsafe Memory.pointer(address) else { return nil }
        let value: Any = unsafe pointer.assumingMemoryBound(to: Value.self).pointee
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional ? mirror.children.first?.value : value
    }

    /// The kinds of metadata that an object, a closure's captures, and a generic box have.
    private static let classKind: UInt = 0
    private static let closureKind: UInt = 0x400
    private static let boxKind: UInt = 0x500
}

private protocol OptionalType {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
    static var wrapped: Any.Type { Wrapped.self }
}

/// The strong captures of a closure, and of the closures that the closure has captured.
struct CapturedValues {
    private(set) var all: [Any] = []
    /// The contexts and boxes that were already read, because a closure may capture itself.
    private var seen: Set<UInt> = []

    /// The maximum number of contexts and boxes to read, because a chain of closures can be very long.
    private static let limit = 1_000

    /// Reads the captures of a function; reads nothing if the value has another type.
    init(of function: Any) {
        let context = unsafe withUnsafePointer(to: function) { place -> UInt in
            var held = unsafe TypeMetadata.content(ofExistentialAt: UInt(bitPattern: UnsafeRawPointer(place)))
            // `Mirror` wraps a property of type `Any` in another `Any`.
            while let inner = held, inner.type.kind == .existential, inner.type.existentialForm == .buffer {
                held = TypeMetadata.content(ofExistentialAt: inner.place)
            }
            guard let held, held.type.kind == .function, held.type.hasContext else { return 0 }
            return Self.context(ofFunctionAt: held.place)
        }
        withExtendedLifetime(function) { add(referenceTo: context) }
    }

    /// Returns the context of a function; 0 if the function is nil.
    ///
    /// A function consists of the address of its code and its context. If the code is 0, the function is nil, and the
    /// context is undefined.
    private static func context(ofFunctionAt place: UInt) -> UInt {
        Memory.word(at: place) == 0 ? 0 : Memory.word(at: place + Memory.wordSize)
    }

    /// Returns a Boolean value that indicates whether a word can be the address of an instance, or of metadata.
    private static func isAddress(_ word: UInt) -> Bool {
        word >= 4096 && word.isMultiple(of: Memory.wordSize) && word >> 47 == 0
    }

    /// Adds the value behind a strong reference: an object, or the content of a context or a box.
    ///
    /// Descriptions of captures that are one reference can name the wrong type, so this method reads the type of the
    /// instance itself.
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

    /// Returns `true` if each value of a type is either one strong reference or nil.
    ///
    /// Such types can share a description, so only the referenced instance shows the real type. An enum of the same
    /// size is not such a type, because its cases without a payload are numbers and not addresses.
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

    /// Returns a copy of the value at an address; for an optional, returns the wrapped value, or nil.
    private static func copy<Value>(of type: Value.Type, at address: UInt) -> Any? {
        guard let pointer = unsafe Memory.pointer(address) else { return nil }
        let value = unsafe pointer.assumingMemoryBound(to: Value.self).pointee
        guard let optional = value as? any OptionalType else { return value }
        return optional.content
    }

    /// The kinds of metadata of an object, a closure's captures, and a generic box.
    private static let classKind: UInt = 0
    private static let closureKind: UInt = 0x400
    private static let boxKind: UInt = 0x500
}

private protocol OptionalType {
    static var wrapped: Any.Type { get }
    var content: Any? { get }
}

extension Optional: OptionalType {
    static var wrapped: Any.Type { Wrapped.self }
    var content: Any? { map { $0 } }
}

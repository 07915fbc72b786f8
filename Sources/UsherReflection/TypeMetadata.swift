/// The runtime's metadata of a type, read from memory.
///
/// The layout is Swift's on 64-bit machines: stable on Apple's platforms, and the same on Linux. This type reads only
/// metadata that every value of the type needs, so reading cannot fail for a type that has a value.
struct TypeMetadata {
    /// The kinds of types whose values can refer to something.
    enum Kind {
        case object, structure, enumeration, tuple, function, existential, extendedExistential, other
    }

    let type: Any.Type
    private let address: UInt

    init(_ type: Any.Type) {
        self.type = type
        address = unsafe UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self))
    }

    /// Creates the metadata at an address; nil for the address 0.
    init?(at address: UInt) {
        guard address != 0 else { return nil }
        self.init(unsafe unsafeBitCast(address, to: Any.Type.self))
    }

    var kind: Kind {
        switch Memory.word(at: address) {
        case 0x000, 0x203, 0x800...: .object
        case 0x200: .structure
        case 0x201, 0x202: .enumeration
        case 0x301: .tuple
        case 0x302: .function
        case 0x303: .existential
        case 0x307: .extendedExistential
        default: .other
        }
    }

    private var witnesses: UInt { Memory.word(at: address - Memory.wordSize) }

    var size: Int { Int(Memory.word(at: witnesses + 8 * Memory.wordSize)) }

    var alignment: Int { Int(flags & 0xff) + 1 }

    /// A Boolean value that indicates whether a value consists only of bytes, and refers to no object.
    var isTrivial: Bool { flags & 0x1_0000 == 0 }

    /// A Boolean value that indicates whether an existential stores a value of the type inline instead of in a box.
    var isInline: Bool { flags & 0x2_0000 == 0 }

    private var flags: UInt32 { Memory.half(at: witnesses + 10 * Memory.wordSize) }
}

/// Copyability, determined without a copy.
extension TypeMetadata {
    /// A Boolean value that is `false` if copying a value would end the process.
    ///
    /// A generic type's flags do not say whether its values can be copied, so its description is read.
    var isCopyable: Bool {
        guard flags & 0x80_0000 == 0 else { return false }
        guard kind == .structure || kind == .enumeration else { return true }
        let description = Memory.word(at: address + Memory.wordSize)
        // The type is declared `~Copyable` or `~Escapable`.
        guard Memory.half(at: description) & 0x20 != 0 else { return true }
        // A generic type's copyability may depend on its arguments: an optional is copyable if its wrapped type is.
        guard Memory.half(at: description) & 0x80 != 0 else { return false }
        let (counts, flags) = (Memory.half(at: description + 36), Memory.half(at: description + 40) >> 16)
        // Generic arguments can be numbers, such as the count of an inline array.
        guard flags & 2 != 0, flags & 5 == 0 else { return false }
        return (0..<UInt(counts & 0xffff)).allSatisfy { index in
            TypeMetadata(at: Memory.word(at: address + (2 + index) * Memory.wordSize))?.isCopyable ?? false
        }
    }
}

/// Values that contain other values or the address of one.
extension TypeMetadata {
    /// The elements of a tuple, with their offsets.
    var elements: [(type: TypeMetadata, offset: UInt)] {
        (0..<Memory.word(at: address + Memory.wordSize)).compactMap { index in
            let element = address + (3 + 2 * index) * Memory.wordSize
            let offset = UInt(Memory.half(at: element + Memory.wordSize))
            return TypeMetadata(at: Memory.word(at: element)).map { ($0, offset) }
        }
    }

    /// A Boolean value that indicates whether a function has a context; only C functions have none.
    var hasContext: Bool { Memory.word(at: address + Memory.wordSize) >> 16 & 0xff == 0 }

    /// The ways in which an existential holds its value.
    enum ExistentialForm {
        case object, buffer, other
    }

    var existentialForm: ExistentialForm {
        switch kind {
        case .existential:
            let flags = Memory.half(at: address + Memory.wordSize)
            // An error is always boxed.
            guard flags >> 24 & 0x3f == 0 else { return .other }
            return flags >> 31 == 0 ? .object : .buffer
        case .extendedExistential:
            switch Memory.half(at: Memory.word(at: address + Memory.wordSize)) & 0xff {
            case 0: return .buffer
            case 1: return .object
            default: return .other
            }
        default: return .other
        }
    }

    /// Returns the value of an existential of the form `buffer`, which is inline or in a box.
    static func content(ofExistentialAt address: UInt) -> (type: TypeMetadata, place: UInt)? {
        guard let type = TypeMetadata(at: Memory.word(at: address + 3 * Memory.wordSize)) else { return nil }
        guard !type.isInline else { return (type, address) }
        let alignment = UInt(type.alignment)
        let header = (2 * Memory.wordSize + alignment - 1) / alignment * alignment
        return (type, Memory.word(at: address) + header)
    }
}

/// The cases of an enum.
extension TypeMetadata {
    struct Payload {
        let type: TypeMetadata
        /// A Boolean value that indicates whether the payload is in a box.
        let isIndirect: Bool
    }

    /// The number of an enum's cases; nil if a case has a payload, and for other types.
    var countOfCases: Int? {
        guard kind == .enumeration else { return nil }
        let description = Memory.word(at: address + Memory.wordSize)
        // The lower 24 bits are the number of cases with a payload.
        guard Memory.half(at: description + 20) & 0xff_ffff == 0 else { return nil }
        return Int(Memory.half(at: description + 24))
    }

    /// Returns the payload of a value's case; nil if the case has none.
    func payload(ofValueAt value: UInt) -> Payload? {
        let read = unsafe witness(11, as: EnumTag.self)
        let tag = unsafe read.map { unsafe $0(Memory.pointer(value), Memory.pointer(address)) } ?? 0
        return tag < caseCount && hasPayload(tag) ? payload(ofCase: tag) : nil
    }

    /// The payloads of all cases that have one; nil for a payload of unknown type.
    var payloads: [Payload?] { (0..<caseCount).filter(hasPayload).map(payload(ofCase:)) }

    private var caseFields: UInt {
        let offset = Memory.word(at: address + Memory.wordSize) + 16
        // A module that was built without reflection metadata has no description of the cases.
        return Memory.half(at: offset) == 0 ? 0 : Memory.target(ofOffsetAt: offset)
    }

    private var caseCount: UInt32 { caseFields == 0 ? 0 : Memory.half(at: caseFields + 12) }

    private func record(ofCase tag: UInt32) -> UInt { caseFields + 16 + 12 * UInt(tag) }

    private func hasPayload(_ tag: UInt32) -> Bool { Memory.half(at: record(ofCase: tag) + 4) != 0 }

    private func payload(ofCase tag: UInt32) -> Payload? {
        let record = record(ofCase: tag)
        let name = MangledName(at: Memory.target(ofOffsetAt: record + 4))
        let description = Memory.word(at: address + Memory.wordSize)
        guard let type = name.type(in: description, arguments: address + 2 * Memory.wordSize) else { return nil }
        return Payload(type: TypeMetadata(type), isIndirect: Memory.half(at: record) & 1 != 0)
    }

    /// Clears the bits for the case in an enum's value, which must be a bitwise copy, so that the payload remains.
    func projectPayload(at value: UInt) {
        if let project = unsafe witness(12, as: Projection.self) {
            unsafe project(Memory.pointer(value), Memory.pointer(address))
        }
    }

    private typealias EnumTag = @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?) -> UInt32
    private typealias Projection = @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?) -> Void

    private func witness<Function>(_ index: UInt, as type: Function.Type) -> Function? {
        guard flags & 0x20_0000 != 0 else { return nil }
        return unsafe unsafeBitCast(Memory.word(at: witnesses + index * Memory.wordSize), to: Function?.self)
    }
}

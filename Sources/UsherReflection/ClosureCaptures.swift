/// The values that a closure has captured, read with the compiler's description of the captures.
///
/// Bytes after the last value are undefined: they contain whatever was in the memory before.
struct ClosureCaptures {
    enum Content {
        case value(TypeMetadata)
        /// An object of an unknown class.
        case reference
        /// A variable that several closures can share.
        case box
        case function
    }

    struct Capture {
        let address: UInt
        let content: Content
        /// A Boolean value that is `false` for a weak or unowned reference.
        let isStrong: Bool
    }

    private(set) var all: [Capture] = []
    private var end: UInt

    /// Reads the captures of a closure from its context, or the content of a box.
    init(in context: UInt) {
        let descriptor = Memory.word(at: Memory.word(at: context) + 2 * Memory.wordSize)
        end = context + 2 * Memory.wordSize
        guard descriptor != 0 else { return }
        // The type arguments of a generic closure come first.
        let bindings = UInt(Memory.half(at: descriptor + 8))
        end += bindings * Memory.wordSize
        let count = UInt(Memory.half(at: descriptor))
        // For a box, which has one value, the description does not show whether a generic function created it.
        let isGeneric = count == 1 || bindings > 0 || Memory.half(at: descriptor + 4) > 0
        for index in 0..<count {
            let name = MangledName(at: Memory.target(ofOffsetAt: descriptor + Self.headerSize + 4 * index))
            // If the size of a value is unknown, the places of the following values are unknown, too.
            guard add(name, isGeneric: isGeneric) else { return }
        }
    }

    /// Adds the next capture; returns `false` if its size is unknown.
    private mutating func add(_ name: MangledName, isGeneric: Bool) -> Bool {
        if name.hasSuffix("Xx") || name.hasSuffix("XX") {
            append(.box, name, size: 8, alignment: 8)
        } else if name.isFunction {
            append(.function, name, size: 16, alignment: 8)
        } else if name.hasSuffix("XMt") {
            // A captured metatype of a known struct or enum has no size.
            return true
        } else if !isGeneric || !name.mentionsParameter {
            guard let type = name.type.map(TypeMetadata.init) else { return false }
            append(.value(type), name, size: type.size, alignment: type.alignment)
        } else if name.isReference {
            append(.reference, name, size: 8, alignment: 8)
        } else {
            return false
        }
        return true
    }

    private mutating func append(_ content: Content, _ name: MangledName, size: Int, alignment: Int) {
        let alignment = UInt(alignment)
        end = (end + alignment - 1) / alignment * alignment
        all.append(Capture(address: end, content: content, isStrong: name.isStrong))
        end += UInt(size)
    }

    /// The size of the counts of captures, metadata sources and bindings; only generic closures have the last two.
    private static let headerSize: UInt = 12
}

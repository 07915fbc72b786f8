/// The mangled name of a type in a program.
struct MangledName {
    private let address: UInt
    private let length: UInt

    private init(address: UInt, length: UInt) {
        (self.address, self.length) = (address, length)
    }

    init(at address: UInt) {
        self.address = address
        // A byte with a small number is followed by an address, which may contain zeros, so the length must be parsed.
        var length: UInt = 0
        while true {
            switch Memory.byte(at: address + length) {
            case 0:
                self.length = length
                return
            case 1...0x17: length += 5
            case 0x18...0x1f: length += 9
            default: length += 1
            }
        }
    }

    func hasSuffix(_ suffix: StaticString) -> Bool {
        let count = UInt(suffix.utf8CodeUnitCount)
        guard length >= count else { return false }
        for index in 0..<count {
            let byte = unsafe suffix.utf8Start[Int(index)]
            guard Memory.byte(at: address + length - count + index) == byte else { return false }
        }
        return true
    }

    /// The type of a name.
    ///
    /// The name must not mention a parameter of a generic function, because the runtime would then end the process.
    var type: Any.Type? {
        guard let name = unsafe UnsafePointer<UInt8>(bitPattern: address) else { return nil }
        return unsafe _getTypeByMangledNameInContext(name, length, genericContext: nil, genericArguments: nil)
    }

    /// Returns the type of a name in a generic type's description, with that type's arguments.
    func type(in description: UInt, arguments: UInt) -> Any.Type? {
        guard let name = unsafe UnsafePointer<UInt8>(bitPattern: address) else { return nil }
        return unsafe _getTypeByMangledNameInContext(
            name, length, genericContext: Memory.pointer(description), genericArguments: Memory.pointer(arguments))
    }

    /// A Boolean value that indicates whether the name may mention a parameter of a generic function.
    var mentionsParameter: Bool {
        var index: UInt = 0
        while index < length {
            switch Memory.byte(at: address + index) {
            case 1...0x17: index += 5
            case 0x18...0x1f: index += 9
            case UInt8(ascii: "x"), UInt8(ascii: "q"), UInt8(ascii: "Q"): return true
            default: index += 1
            }
        }
        return false
    }

    /// A Boolean value that is `false` for a reference that is weak, unowned, or not counted.
    var isStrong: Bool { !hasSuffix("Xw") && !hasSuffix("Xo") && !hasSuffix("Xu") }

    /// A Boolean value that indicates whether the type is a reference, strong or not, optional or not.
    ///
    /// Only the description of the referenced class is read.
    var isReference: Bool {
        let name = isStrong ? self : dropping(2)
        return name.unwrapped.isClass
    }

    /// A Boolean value that indicates whether the type is a function with a context, optional or not.
    ///
    /// A captured function's name ends with its calling conventions, as in `Iegn_`: `e` for an escaping function, and
    /// then `g`, `x` or `y` for the convention of its context. A C function has no context.
    var isFunction: Bool {
        let name = unwrapped
        guard name.hasSuffix("_") else { return false }
        var index = name.length - 1
        while index > 0, Memory.byte(at: address + index) != UInt8(ascii: "I") { index -= 1 }
        index += 1
        // An `s` or `d` for other properties of the form may precede the `e`.
        if "sd".utf8.contains(Memory.byte(at: address + index)) { index += 1 }
        guard Memory.byte(at: address + index) == UInt8(ascii: "e") else { return false }
        // A letter for the isolation to an actor may follow the `e`.
        if Memory.byte(at: address + index + 1) == UInt8(ascii: "A") { index += 1 }
        return "gxy".utf8.contains(Memory.byte(at: address + index + 1))
    }

    /// The name of an optional's wrapped type.
    private var unwrapped: MangledName { hasSuffix("Sg") ? dropping(2) : self }

    private func dropping(_ count: UInt) -> MangledName { MangledName(address: address, length: length - count) }

    /// A Boolean value that indicates whether the type is a class, whose name starts with the place of its description.
    private var isClass: Bool {
        let description =
            switch Memory.byte(at: address) {
            case 1: Memory.target(ofOffsetAt: address + 1)
            case 2: Memory.word(at: Memory.target(ofOffsetAt: address + 1))
            default: UInt(0)
            }
        guard description != 0, Memory.half(at: description) & 0x1f == 0x10 else { return false }
        return length == 5 || (length > 5 && Memory.byte(at: address + 5) == UInt8(ascii: "y") && hasSuffix("G"))
    }
}

/// A value that another value holds directly: a strong stored property, an element, or a payload.
struct StoredProperty {
    /// The suffix of the holder's path, for example `.detail` or `[2]`.
    let access: String
    let value: Any

    /// Returns the strong properties of a value and its superclasses, except those of opaque types.
    static func all(of value: Any, isOpaque: (Any.Type) -> Bool) -> [StoredProperty] {
        guard HoldingTypes.contain(type(of: value)) else { return [] }
        var properties: [StoredProperty] = []
        var mirror: Mirror? = Mirror(reflecting: value)
        while let level = mirror {
            if !isOpaque(level.subjectType) { properties += own(level, of: value) }
            mirror = level.superclassMirror
        }
        return properties
    }

    /// Returns the strong captures of a function; empty if the value has another type.
    static func captures(of value: Any) -> [StoredProperty] {
        CapturedValues(of: value).all.map { captured in
            StoredProperty(access: " → captured \(type(of: captured))", value: captured)
        }
    }

    private static func own(_ mirror: Mirror, of value: Any) -> [StoredProperty] {
        guard mirror.displayStyle == .class || mirror.displayStyle == .struct, !(value is any CustomReflectable) else {
            return mirror.children.enumerated().map { index, child in
                StoredProperty(access: access(child.label, index, in: mirror), value: child.value)
            }
        }
        // A class's own fields come after its superclasses'.
        let first = FieldFlags.count(of: mirror.subjectType) - mirror.children.count
        return mirror.children.indices.enumerated().compactMap { index, position in
            // Checked first: reading a dangling unowned property, or a value that cannot be copied, would end the
            // process.
            let field = first + index
            guard FieldFlags.isStrong(field, of: mirror.subjectType),
                TypeMetadata(FieldFlags.type(field, of: mirror.subjectType)).isCopyable
            else { return nil }
            let child = mirror.children[position]
            return StoredProperty(access: access(child.label, index, in: mirror), value: child.value)
        }
    }

    private static func access(_ label: String?, _ index: Int, in mirror: Mirror) -> String {
        switch mirror.displayStyle {
        // Optionals and the pairs of a dictionary add nothing to the path, because authors do not write them.
        case .optional, .tuple: ""
        case .collection, .set, .dictionary: "[\(index)]"
        default: label.map { ".\(name(of: $0))" } ?? "[\(index)]"
        }
    }

    /// Returns the name that an author writes; the compiler adds a prefix to a `lazy` property.
    private static func name(of label: String) -> Substring {
        label.hasPrefix(lazyPrefix) ? label.dropFirst(lazyPrefix.count) : label[...]
    }

    private static let lazyPrefix = "$__lazy_storage_$_"
}

/// The runtime's description of a type's stored properties.
///
/// `Mirror` returns a weak property like any other optional, and reading a dangling unowned property ends the process.
/// The runtime's description shows which properties are strong. `Mirror` itself uses these functions of the runtime,
/// which the standard library does not make public.
enum FieldFlags {
    /// Returns the number of stored properties of a struct, or of a class with its superclasses.
    static func count(of type: Any.Type) -> Int {
        unsafe fieldCount(type)
    }

    static func name(_ index: Int, of type: Any.Type) -> String {
        var field = unsafe Field()
        _ = unsafe fieldMetadata(type, index: index, field: &field)
        let name = unsafe field.name.map { unsafe String(cString: $0) } ?? ""
        if let free = unsafe field.free { unsafe free(field.name) }
        return name
    }

    /// Returns the type of a stored property, which is an optional for a weak one.
    static func type(_ index: Int, of type: Any.Type) -> Any.Type {
        var field = unsafe Field()
        let found = unsafe fieldMetadata(type, index: index, field: &field)
        if let free = unsafe field.free { unsafe free(field.name) }
        return found
    }

    /// Returns the offset of a stored property from the start of its instance, in bytes.
    static func offset(_ index: Int, of type: Any.Type) -> Int {
        unsafe fieldOffset(type, index: index)
    }

    /// Returns `true` for a strong property; the indices start with the properties of the topmost superclass.
    static func isStrong(_ index: Int, of type: Any.Type) -> Bool {
        var field = unsafe Field()
        _ = unsafe fieldMetadata(type, index: index, field: &field)
        if let free = unsafe field.free { unsafe free(field.name) }
        return unsafe field.isStrong
    }

    /// The layout of the runtime's `FieldMetadata`.
    @unsafe private struct Field {
        var name: UnsafePointer<CChar>?
        var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
        var isStrong = false
        var isVariable = false
    }

    @_silgen_name("swift_reflectionMirror_recursiveCount")
    @unsafe private static func fieldCount(_ type: Any.Type) -> Int

    @_silgen_name("swift_reflectionMirror_recursiveChildOffset")
    @unsafe private static func fieldOffset(_ type: Any.Type, index: Int) -> Int

    @_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
    @unsafe private static func fieldMetadata(
        _ type: Any.Type, index: Int, field: UnsafeMutablePointer<Field>
    ) -> Any.Type
}

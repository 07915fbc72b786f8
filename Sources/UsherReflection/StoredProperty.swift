/// A strong stored property, an element or a payload: what a value holds by itself.
struct StoredProperty {
    /// The access that is written behind the holder to reach it, such as `.detail` or `[2]`.
    let access: String
    let value: Any

    /// The strong properties of a value, those of its superclasses included.
    ///
    /// - Parameter isOpaque: Types whose own properties are left out.
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

    /// The strong captures of a function; empty if the value has another type.
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
        // A level's own fields come after its superclasses'.
        let first = FieldFlags.count(of: mirror.subjectType) - mirror.children.count
        return mirror.children.indices.enumerated().compactMap { index, position in
            // Asked first: a weak or unowned property must not even be read, and a value that cannot be copied ends the process.
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
        // Neither an optional nor a dictionary's pair is a step that an author writes.
        case .optional, .tuple: ""
        case .collection, .set, .dictionary: "[\(index)]"
        default: label.map { ".\(name(of: $0))" } ?? "[\(index)]"
        }
    }

    /// The name as an author writes it: the compiler keeps a `lazy` property under a longer one.
    private static func name(of label: String) -> Substring {
        label.hasPrefix(lazyPrefix) ? label.dropFirst(lazyPrefix.count) : label[...]
    }

    private static let lazyPrefix = "$__lazy_storage_$_"
}

/// The runtime's knowledge of a type's stored properties, beyond what `Mirror` tells.
///
/// `Mirror` gives a weak property as an optional like any other, and reading an unowned one whose object is gone ends the
/// process. The runtime's own description of the fields says which are strong; these functions are what `Mirror` is
/// itself made of, and are here alone.
enum FieldFlags {
    /// The number of stored properties of a class with its superclasses, or of a struct.
    static func count(of type: Any.Type) -> Int {
        unsafe fieldCount(type)
    }

    /// The name of a stored property.
    static func name(_ index: Int, of type: Any.Type) -> String {
        var field = unsafe Field()
        _ = unsafe fieldMetadata(type, index: index, field: &field)
        let name = unsafe field.name.map { unsafe String(cString: $0) } ?? ""
        if let free = unsafe field.free { unsafe free(field.name) }
        return name
    }

    /// The type of a stored property; of a weak one its optional.
    static func type(_ index: Int, of type: Any.Type) -> Any.Type {
        var field = unsafe Field()
        let found = unsafe fieldMetadata(type, index: index, field: &field)
        if let free = unsafe field.free { unsafe free(field.name) }
        return found
    }

    /// The place of a stored property in bytes, from the beginning of its instance.
    static func offset(_ index: Int, of type: Any.Type) -> Int {
        unsafe fieldOffset(type, index: index)
    }

    /// True where a stored property keeps what it refers to.
    ///
    /// - Parameter index: The first superclass's properties come first.
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

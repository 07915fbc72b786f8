/// What Swift's runtime knows of a type's stored properties beyond what `Mirror` tells.
///
/// `Mirror` gives a weak property as an optional like any other, and reading an unowned one whose object is gone ends the
/// process. The runtime's own description of the fields says which are strong; these two functions are what `Mirror` is
/// itself made of, and are here alone.
enum FieldFlags {
    /// How many stored properties a class has with its superclasses, or a struct.
    static func count(of type: Any.Type) -> Int {
        unsafe fieldCount(type)
    }

    /// Whether a stored property keeps what it refers to.
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

    @_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
    @unsafe private static func fieldMetadata(
        _ type: Any.Type, index: Int, field: UnsafeMutablePointer<Field>
    ) -> Any.Type
}

/// A strong stored property, an element or a payload: what a value holds by itself.
struct StoredProperty {
    /// What is written behind the holder to reach it, such as `.detail` or `[2]`.
    let access: String
    let value: Any

    /// The strong properties of a value, those of its superclasses included.
    ///
    /// - Parameter isOpaque: Types whose own properties are left out.
    static func all(of value: Any, isOpaque: (Any.Type) -> Bool) -> [StoredProperty] {
        var properties: [StoredProperty] = []
        var mirror: Mirror? = Mirror(reflecting: value)
        while let level = mirror {
            if !isOpaque(level.subjectType) { properties += own(level, of: value) }
            mirror = level.superclassMirror
        }
        return properties
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
            // Asked first: a weak or unowned property must not even be read.
            guard FieldFlags.isStrong(first + index, of: mirror.subjectType) else { return nil }
            let child = mirror.children[position]
            return StoredProperty(access: access(child.label, index, in: mirror), value: child.value)
        }
    }

    private static func access(_ label: String?, _ index: Int, in mirror: Mirror) -> String {
        switch mirror.displayStyle {
        // Neither an optional nor a dictionary's pair is a step that an author writes.
        case .optional, .tuple: ""
        case .collection, .set, .dictionary: "[\(index)]"
        default: label.map { ".\($0)" } ?? "[\(index)]"
        }
    }
}

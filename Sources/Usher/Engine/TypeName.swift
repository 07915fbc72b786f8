import Synchronization

/// A type's name in source code, from which wire names are derived.
package struct TypeName {
    private let name: Substring

    init(_ type: Any.Type) {
        // Leaves out the arguments of a generic type.
        name = Substring(String(describing: type).prefix { $0 != "<" })
    }

    /// Returns a name in lower camel case without a suffix: `LoginCoordinator` is `login`, `DMListScreen` is `dmList`.
    func lowerCamelCased(without suffix: String) -> String {
        let stem = stem(without: suffix)
        let capitals = stem.prefix(while: \.isUppercase)
        let rest = stem.dropFirst(capitals.count)
        // In `DMList`, the last capital letter begins the next word. In `DM`, there is no next word.
        let kept = capitals.count > 1 && rest.first?.isLetter == true ? 1 : 0
        return capitals.dropLast(kept).lowercased() + capitals.suffix(kept) + rest
    }

    /// Returns a name with hyphens without a suffix: `HelloByeApp` is `hello-bye`.
    func hyphenated(without suffix: String) -> String {
        lowerCamelCased(without: suffix).reduce(into: "") { result, letter in
            if letter.isUppercase { result += "-" }
            result += letter.lowercased()
        }
    }

    private func stem(without suffix: String) -> Substring {
        name.hasSuffix(suffix) && name.count > suffix.count ? name.dropLast(suffix.count) : name
    }
}

/// The cached wire names of types, because computing a name takes longer than handling an event.
package final class WireNames: Sendable {
    package static let shared = WireNames()

    private let table = Mutex<[ObjectIdentifier: String]>([:])

    /// Returns the wire name of a type, which is computed only once.
    package func name(of type: Any.Type, make: (TypeName) -> String) -> String {
        table.withLock { table in
            let key = ObjectIdentifier(type)
            if let known = table[key] { return known }
            let name = make(TypeName(type))
            table[key] = name
            return name
        }
    }
}

/// The cached descriptions of types of screens, flow hosts and effects.
///
/// The table is in a type of its own, because generic types cannot have static stored properties.
final class Descriptions: Sendable {
    static let shared = Descriptions()

    /// The values are objects, because a cast from an object is cheap.
    private let table = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    private final class Box<Value: Sendable>: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    /// Returns the description of a type, if the description is not an object.
    func value<Value: Sendable>(of type: Any.Type, make: () -> Value) -> Value {
        description(of: type) { Box(make()) }.value
    }

    /// Returns the description of a type, created outside of the lock, because the app's `examples` may run any code.
    func description<Description: AnyObject & Sendable>(of type: Any.Type, make: () -> Description) -> Description {
        let key = ObjectIdentifier(type)
        if let known = table.withLock({ $0[key] }) as? Description { return known }
        let made = make()
        table.withLock { $0[key] = made }
        return made
    }
}

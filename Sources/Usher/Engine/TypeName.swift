import Synchronization

/// A type's name as it is written in source, and the wire names that are made from it.
package struct TypeName {
    private let name: Substring

    init(_ type: Any.Type) {
        // A generic type's arguments are no part of its name.
        name = Substring(String(describing: type).prefix { $0 != "<" })
    }

    /// `LoginCoordinator` without `Coordinator` is `login`, `DMListScreen` without `Screen` is `dmList`.
    func lowerCamelCased(without suffix: String) -> String {
        let stem = stem(without: suffix)
        let capitals = stem.prefix(while: \.isUppercase)
        let rest = stem.dropFirst(capitals.count)
        // In `DMList` the last capital begins the next word; in `DM` there is no next word.
        let kept = capitals.count > 1 && rest.first?.isLetter == true ? 1 : 0
        return capitals.dropLast(kept).lowercased() + capitals.suffix(kept) + rest
    }

    /// `HelloByeApp` without `App` is `hello-bye`.
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

/// The wire names of all types of coordinators, controllers and apps that this process has met.
///
/// To make one takes longer than an event.
package final class WireNames: Sendable {
    package static let shared = WireNames()

    private let table = Mutex<[ObjectIdentifier: String]>([:])

    /// The wire name of a type; a type has one only.
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

/// The descriptions of all types of screens, flow hosts and effects that this process has met.
///
/// Generic types have no static stored properties, so the table stands outside of them.
final class Descriptions: Sendable {
    static let shared = Descriptions()

    /// Objects, for a cast from one costs little.
    private let table = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    private final class Box<Value: Sendable>: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    /// The description of a type that is no object.
    func value<Value: Sendable>(of type: Any.Type, make: () -> Value) -> Value {
        description(of: type) { Box(make()) }.value
    }

    /// The description of a type; made outside the lock, for an author's `examples` may do anything.
    func description<Description: AnyObject & Sendable>(of type: Any.Type, make: () -> Description) -> Description {
        let key = ObjectIdentifier(type)
        if let known = table.withLock({ $0[key] }) as? Description { return known }
        let made = make()
        table.withLock { $0[key] = made }
        return made
    }
}

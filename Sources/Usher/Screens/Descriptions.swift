import Synchronization

/// What is known of all types of screens, flow hosts and effects that this process has met.
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

    /// What is known of a type that is no object.
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

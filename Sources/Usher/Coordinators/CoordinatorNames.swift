import Synchronization

/// The wire names of all coordinator types that this process has started.
final class CoordinatorNames: Sendable {
    static let shared = CoordinatorNames()

    private let table = Mutex<[ObjectIdentifier: String]>([:])

    func name(of type: AnyCoordinator.Type) -> String {
        table.withLock { table in
            let key = ObjectIdentifier(type)
            if let known = table[key] { return known }
            let name = TypeName(type).lowerCamelCased(without: "Coordinator")
            table[key] = name
            return name
        }
    }
}

import Synchronization
import Usher
import UsherReflection

/// Recognizes the classes of an app's own coordinators by the names of their stored properties.
final class OwnCoordinatorTypes: Sendable {
    static let shared = OwnCoordinatorTypes()

    private let known = Mutex<[ObjectIdentifier: Bool]>([:])

    /// Names of properties that only coordinators have.
    private static let telling: Set<String> = [
        "childCoordinators", "childCoordinator", "parentCoordinator", "finishDelegate", "coordinatorFinishDelegate",
    ]

    /// Names of properties that other classes have, too; they count only if the class's name ends in `Coordinator`.
    private static let likely: Set<String> = [
        "children", "parent", "delegate", "coordinatorDelegate", "navigationController", "navigation",
        "rootViewController", "window", "router", "presenter", "onFinish", "didFinish", "finish", "completion",
    ]

    func contains(_ object: AnyObject) -> Bool {
        if object is any ReportedCoordinator { return true }
        if object is UIResponder || object is AnyCoordinator { return false }
        let type: AnyClass = type(of: object)
        let key = ObjectIdentifier(type)
        if let isKnown = known.withLock({ $0[key] }) { return isKnown }
        let isCoordinator = Self.isCoordinator(type)
        known.withLock { $0[key] = isCoordinator }
        return isCoordinator
    }

    private static func isCoordinator(_ type: AnyClass) -> Bool {
        let names = StoredPropertyNames.all(of: type)
        if names.contains(where: telling.contains) { return true }
        // The name of a generic class without the brackets.
        let name = String(describing: type).prefix { $0 != "<" }
        return name.hasSuffix("Coordinator") && names.contains(where: likely.contains)
    }
}

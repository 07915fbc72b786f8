package import Usher
import UsherReflection

/// Finds the coordinators of a session's app on request, and stores the result of the last search to detect leaks.
@MainActor
final class OwnTreeWatch {
    private final class KnownCoordinator {
        private(set) weak var object: AnyObject?

        init(_ object: AnyObject) {
            self.object = object
        }
    }

    /// The coordinators that the last search found.
    private var seen: [KnownCoordinator] = []
    /// The types of the zombies that the client was warned about.
    private var warned: [String] = []

    /// Returns a report of the app's own coordinators, without leaks if running work may hold coordinators in closures.
    func report(_ session: UIKitSession, mayHoldWork: Bool) -> OwnTree {
        let search = OwnCoordinatorSearch(session)
        return OwnTree(
            roots: search.members, zombies: search.zombies, leaks: leaks(besides: search.objects, mayHoldWork))
    }

    func warn(in session: UIKitSession) {
        var known = warned
        let zombies = OwnCoordinatorSearch(session).zombies
        for zombie in zombies {
            if let place = known.firstIndex(of: zombie.type) {
                known.remove(at: place)
            } else {
                session.warn("\(zombie.type) is a zombie: \(zombie.holder) keeps it, although the zombie shows nothing")
            }
        }
        warned = zombies.map(\.type)
    }

    private func leaks(besides objects: [AnyObject], _ mayHoldWork: Bool) -> [OwnTree.Retained] {
        let kept = Set(objects.map { ObjectIdentifier($0) })
        let left = seen.compactMap(\.object).filter { !kept.contains(ObjectIdentifier($0)) }
        seen = (objects + left).map(KnownCoordinator.init)
        guard !mayHoldWork else { return [] }
        return left.map { OwnTree.Retained(type: "\(type(of: $0))", holder: Self.holder(of: $0)) }
    }

    /// Describes what keeps a coordinator alive: the shortest path from the coordinator to itself or, because some
    /// captures cannot be read, the coordinator's closures.
    private static func holder(of object: AnyObject) -> String {
        // Skips actors, because another thread may be using an actor.
        let graph = ObjectGraphSearch { $0 is any Actor.Type }
        if let path = graph.path(from: object, to: object, throughClosures: true) { return path }
        let closures = graph.closures(in: object)
        guard !closures.isEmpty else {
            return graph.reachesLimit(from: object)
                ? "an unknown object: the search ended after \(ObjectGraphSearch.limit) values that the coordinator holds"
                : "something outside the app's coordinators"
        }
        return "the closure in \(closures.joined(separator: " or ")), which may have captured the coordinator"
    }
}

extension UIKitCoordinator: OwnTreeKeeping {
    /// Returns the app's own coordinators.
    package func ownTree() -> OwnTree {
        let (session, mayHoldWork) = (session, hasPassingWork)
        return MainActor.assumeIsolated { session.ownTree.report(session, mayHoldWork: mayHoldWork) }
    }
}

import Usher
import UsherReflection

/// A search for an app's own coordinators and for the screens that each coordinator shows.
///
/// The search follows the stored properties of the app's delegates and coordinators. A screen belongs to the
/// coordinator to which its controller refers: as a coordinator, as a delegate, or in a closure. An object that the
/// controller holds may also contain the reference.
@MainActor
struct OwnCoordinatorSearch {
    private final class Found {
        let object: AnyObject
        /// The path from a delegate or another coordinator to the property that retains this coordinator.
        let holder: String
        var children: [Found] = []
        var screens: [Int] = []
        var isShowing = false
        /// A Boolean value that indicates whether the coordinator may show a screen that refers to no coordinator.
        var mayShow = false

        init(_ object: AnyObject, holder: String) {
            self.object = object
            self.holder = holder
        }

        var showsBelow: Bool { isShowing || children.contains(where: \.showsBelow) }
        var mayShowBelow: Bool { mayShow || children.contains(where: \.mayShowBelow) }
    }

    /// The maximum number of a controller's objects that are searched for references to coordinators.
    private static let partnerLimit = 64

    private let graph = ObjectGraphSearch { $0 == UIResponder.self || $0 is any Actor.Type }
    private var all: [Found] = []
    private var known: [ObjectIdentifier: Int] = [:]
    private var roots: [Found] = []
    /// The coordinators that refer to a controller, even weakly, in the order in which they were found.
    private var holders: [ObjectIdentifier: [Found]] = [:]
    /// The visible controllers and their containers, which coordinators may reference weakly.
    private let shown: [UIViewController]
    private let shownTargets: ReferenceTargets

    init(_ session: UIKitSession) {
        let records = session.screens.records.filter(\.isShown)
        let kept = session.application.windows.flatMap(\.keptControllers)
        shown = Self.withContainers(records.map(\.controller) + kept)
        shownTargets = ReferenceTargets(shown)
        for keeper in session.application.keepers { search(from: keeper, "\(type(of: keeper))") }
        for case let keeper? in session.ownValues.map(ObjectGraphSearch.object) {
            search(from: keeper, "\(type(of: keeper))")
        }
        // In some apps only the screens retain a coordinator.
        for record in records { search(from: record.controller, "\(type(of: record.controller))") }
        attribute(records, kept)
    }

    private static func withContainers(_ controllers: [UIViewController]) -> [UIViewController] {
        var all: Set<UIViewController> = []
        var ordered: [UIViewController] = []
        for first in controllers {
            var next: UIViewController? = first
            while let controller = next, all.insert(controller).inserted {
                ordered.append(controller)
                next = controller.parent ?? controller.presentation.presenting
            }
        }
        return ordered
    }

    var objects: [AnyObject] { all.map(\.object) }

    /// The topmost coordinators, which no other coordinator retains.
    var members: [OwnTree.Member] { roots.map { Self.member($0, isRoot: true) } }

    /// The coordinators that are retained, but show nothing.
    var zombies: [OwnTree.Retained] {
        let topmost = Set(roots.map { ObjectIdentifier($0.object) })
        return all.filter { !topmost.contains(ObjectIdentifier($0.object)) && Self.isZombie($0) }.map { found in
            OwnTree.Retained(type: "\(type(of: found.object))", holder: found.holder)
        }
    }

    private static func member(_ found: Found, isRoot: Bool = false) -> OwnTree.Member {
        OwnTree.Member(
            type: "\(type(of: found.object))", screens: found.screens, isZombie: !isRoot && isZombie(found),
            isGuessed: !isRoot && lacksScreens(found) && found.mayShowBelow, children: found.children.map { member($0) }
        )
    }

    private static func isZombie(_ found: Found) -> Bool {
        lacksScreens(found) && !found.mayShowBelow
    }

    private static func lacksScreens(_ found: Found) -> Bool {
        !found.showsBelow && (found.object as? any ReportedCoordinator)?.mayShowNothing != true
    }

    /// Finds the coordinators that an object retains, recursively, and also the object if the object is a coordinator.
    private mutating func search(from keeper: AnyObject, _ path: String) {
        var waiting: [(object: AnyObject, found: Found?)] = []
        if OwnCoordinatorTypes.shared.contains(keeper) {
            guard let found = add(keeper, holder: path, under: nil) else { return }
            waiting.append((keeper, found))
        } else {
            waiting.append((keeper, nil))
        }
        var next = 0
        while next < waiting.count {
            let (object, parent) = waiting[next]
            next += 1
            for (child, path) in children(of: object, found: parent) {
                guard let found = add(child, holder: path, under: parent) else { continue }
                waiting.append((child, found))
            }
        }
    }

    private mutating func add(_ object: AnyObject, holder: String, under parent: Found?) -> Found? {
        guard known[ObjectIdentifier(object)] == nil else { return nil }
        let found = Found(object, holder: holder)
        known[ObjectIdentifier(object)] = all.count
        all.append(found)
        if let parent { parent.children.append(found) } else { roots.append(found) }
        return found
    }

    /// Returns the nearest coordinators that an object retains, and records the controllers that the object holds.
    private mutating func children(of object: AnyObject, found: Found?) -> [(object: AnyObject, path: String)] {
        var children: [(object: AnyObject, path: String)] = []
        var controllers = shownTargets.referred(by: object).map { shown[$0] }
        graph.visit(from: object) { value, path in
            guard let held = ObjectGraphSearch.object(value) else { return .enter }
            if let controller = held as? UIViewController {
                controllers.append(controller)
                return .pass
            }
            // Stop here, because the engine's objects and views have references to everything.
            if held is UIResponder || held is AnyCoordinator || held is UIKitSession { return .pass }
            guard OwnCoordinatorTypes.shared.contains(held) else {
                controllers += references(of: held, among: shownTargets).map { shown[$0] }
                return .enter
            }
            children.append((held, path))
            return .pass
        }
        if let reported = object as? any ReportedCoordinator {
            children += reported.reportedChildren.map { ($0, "\(type(of: object)).reportedChildren") }
            controllers += reported.reportedControllers
        }
        if let found {
            for controller in controllers { holders[ObjectIdentifier(controller), default: []].append(found) }
        }
        return children
    }

    /// Returns the targets that an object refers to; none for an actor, because another thread may be using the actor.
    private func references(of object: AnyObject, among targets: ReferenceTargets) -> [Int] {
        object is any Actor ? [] : targets.referred(by: object)
    }

    /// Finds the coordinator of each screen, and of controllers in hidden windows and columns, which can return.
    private func attribute(_ records: [ScreenRecord], _ kept: [UIViewController]) {
        let targets = ReferenceTargets(objects)
        for record in records {
            let owner = noteOwners(of: record.controller, targets)
            if let id = record.screenID { owner?.screens.append(id) }
        }
        for controller in kept { noteOwners(of: controller, targets) }
        // A navigation controller notifies its delegate of all changes, so the delegate counts as showing something.
        for case let navigation as UINavigationController in shown {
            for place in targets.referred(by: navigation) { all[place].isShowing = true }
        }
    }

    /// Records that a controller's owner, and all coordinators that refer to the controller, show it; returns the
    /// owner.
    ///
    /// If the controller and the coordinators have no references to each other, the owner of the controller's
    /// container, or of its presenter, counts as the owner. Another coordinator that refers to the same container may
    /// be the real owner, so neither coordinator counts as a zombie.
    @discardableResult
    private func noteOwners(of first: UIViewController, _ targets: ReferenceTargets) -> Found? {
        var controller: UIViewController? = first
        while let current = controller {
            if let owner = owner(of: current, targets) {
                for found in [owner] + (holders[ObjectIdentifier(current)] ?? []) {
                    if current === first { found.isShowing = true } else { found.mayShow = true }
                }
                return owner
            }
            controller = current.parent ?? current.presentation.presenting
        }
        return nil
    }

    /// Returns the coordinator to which a controller or its objects refer, or else the first that holds the controller.
    private func owner(of controller: UIViewController, _ targets: ReferenceTargets) -> Found? {
        var nearest = targets.referred(by: controller).first
        var count = 0
        graph.visit(from: controller) { value, _ in
            guard nearest == nil, count < Self.partnerLimit else { return .end }
            guard let partner = ObjectGraphSearch.object(value) else { return .enter }
            if let place = known[ObjectIdentifier(partner)] {
                nearest = place
                return .end
            }
            if partner is UIResponder || partner is AnyCoordinator { return .pass }
            count += 1
            nearest = references(of: partner, among: targets).first
            return .enter
        }
        if let found = nearest.map({ all[$0] }) ?? holders[ObjectIdentifier(controller)]?.first { return found }
        return Self.partsWithActions(of: controller).lazy.compactMap { targets.referred(by: $0).first }.first.map {
            all[$0]
        }
    }

    /// Returns the bar items and the presentation controller, through which a controller may call a coordinator.
    private static func partsWithActions(of controller: UIViewController) -> [AnyObject] {
        let items = (controller.storedNavigationItem?.allItems ?? []) + (controller.toolbarItems ?? [])
        return items.flatMap { item -> [AnyObject] in [item, item.primaryAction].compactMap(\.self) }
            + [controller.presentation.controller].compactMap(\.self)
    }
}

extension UIWindow {
    /// The controllers that the window retains without showing them: in a hidden window, all controllers; in a visible
    /// window, those in columns, and those below a tab bar that was pushed.
    fileprivate var keptControllers: [UIViewController] {
        guard let rootViewController else { return [] }
        let all = ([rootViewController] + rootViewController.presentedChain).flatMap(Self.subtree)
        guard isOnDisplay else { return all }
        let splits = all.compactMap { $0 as? UISplitViewController }.filter(\.keepsColumns)
        let covered = all.compactMap { $0 as? UINavigationController }.filter { $0.tabsOfBase != nil }
        return (splits.flatMap(\.children) + covered.flatMap { $0.children.dropLast() }).flatMap(Self.subtree)
    }

    private static func subtree(of controller: UIViewController) -> [UIViewController] {
        [controller] + controller.children.flatMap(subtree)
    }
}

import Usher
import UsherReflection

/// A search for the coordinators that an app keeps by itself, and for the screens that each shows.
///
/// It goes over what the app's delegates and coordinators hold, by their stored properties. A screen is shown by the
/// coordinator that its controller, or what that holds, refers to: as a coordinator, a delegate, or in a closure.
@MainActor
struct OwnCoordinatorSearch {
    /// An own coordinator that was found.
    private final class Found {
        let object: AnyObject
        /// The path from the coordinator, or the delegate, that keeps it.
        let holder: String
        var children: [Found] = []
        var screens: [Int] = []
        var isShowing = false
        /// Set if the coordinator may show a screen that refers to no coordinator.
        var mayShow = false

        init(_ object: AnyObject, holder: String) {
            self.object = object
            self.holder = holder
        }

        var showsBelow: Bool { isShowing || children.contains(where: \.showsBelow) }
        var mayShowBelow: Bool { mayShow || children.contains(where: \.mayShowBelow) }
    }

    /// The number of objects that a controller holds which are looked at, for the coordinators that they refer to.
    private static let partnerLimit = 64

    private let graph = ObjectGraphSearch { $0 == UIResponder.self || $0 is any Actor.Type }
    private var all: [Found] = []
    private var known: [ObjectIdentifier: Int] = [:]
    private var roots: [Found] = []
    /// Those that refer to a controller, be it weakly, in the order in which they were found.
    private var holders: [ObjectIdentifier: [Found]] = [:]
    /// The controllers on display, and what they are in, which coordinators may know weakly.
    private let shown: [UIViewController]
    private let shownTargets: ReferenceTargets

    /// Searches a session.
    init(_ session: UIKitSession) {
        let records = session.screens.records.filter(\.isShown)
        let kept = session.application.windows.flatMap(\.keptControllers)
        shown = Self.withContainers(records.map(\.controller) + kept)
        shownTargets = ReferenceTargets(shown)
        for keeper in session.application.keepers { search(from: keeper, "\(type(of: keeper))") }
        for case let keeper? in session.ownValues.map(ObjectGraphSearch.object) {
            search(from: keeper, "\(type(of: keeper))")
        }
        // Some apps have a coordinator kept by its screens alone.
        for record in records { search(from: record.controller, "\(type(of: record.controller))") }
        attribute(records, kept)
    }

    /// Controllers with all that they are in, each once.
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

    /// All that were found.
    var objects: [AnyObject] { all.map(\.object) }

    /// The app's own coordinators that keep others, or are kept by nobody of them.
    var members: [OwnTree.Member] { roots.map { Self.member($0, isRoot: true) } }

    /// Those that are kept, and show nothing.
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

    /// True if neither the coordinator nor one below it is known to show a screen, unless the app keeps it on purpose.
    private static func lacksScreens(_ found: Found) -> Bool {
        !found.showsBelow && (found.object as? any ReportedCoordinator)?.mayShowNothing != true
    }

    /// Finds what an object keeps, and what those keep that are found; an object that is a coordinator itself, too.
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

    /// The nearest coordinators that an object keeps, and the controllers that it holds.
    private mutating func children(of object: AnyObject, found: Found?) -> [(object: AnyObject, path: String)] {
        var children: [(object: AnyObject, path: String)] = []
        var controllers = shownTargets.referred(by: object).map { shown[$0] }
        graph.visit(from: object) { value, path in
            guard let held = ObjectGraphSearch.object(value) else { return .enter }
            if let controller = held as? UIViewController {
                controllers.append(controller)
                return .pass
            }
            // The engine's own, and views, lead back to everything.
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

    /// The indices of the targets that an object refers to; empty for an actor, which another thread may be using.
    private func references(of object: AnyObject, among targets: ReferenceTargets) -> [Int] {
        object is any Actor ? [] : targets.referred(by: object)
    }

    /// Finds out who shows each screen, and whose controllers are in windows that are not shown, or in columns that are kept:
    /// they show again.
    private func attribute(_ records: [ScreenRecord], _ kept: [UIViewController]) {
        let targets = ReferenceTargets(objects)
        for record in records {
            let owner = noteOwners(of: record.controller, targets)
            if let id = record.screenID { owner?.screens.append(id) }
        }
        for controller in kept { noteOwners(of: controller, targets) }
        // The delegate of a navigation is told of all that it shows.
        for case let navigation as UINavigationController in shown {
            for place in targets.referred(by: navigation) { all[place].isShowing = true }
        }
    }

    /// Notes which coordinators show a controller: its owner, and those that refer to the controller.
    ///
    /// If the controller refers to no coordinator and no coordinator refers to the controller, the owner of its
    /// container, or of the controller that presents it, counts as its owner. Another coordinator that refers to the
    /// same container may be the owner instead, so neither coordinator counts as a zombie.
    ///
    /// - Returns: The owner; nil if there is none.
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

    /// The coordinator that a controller refers to, itself or by what it holds; else the first that holds it.
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

    /// The objects by which a coordinator may be called that keeps nothing of a controller: its bars' items, and its
    /// presentation with the delegate of that.
    private static func partsWithActions(of controller: UIViewController) -> [AnyObject] {
        let items = (controller.storedNavigationItem?.allItems ?? []) + (controller.toolbarItems ?? [])
        return items.flatMap { item -> [AnyObject] in [item, item.primaryAction].compactMap(\.self) }
            + [controller.presentation.controller].compactMap(\.self)
    }
}

extension UIWindow {
    /// The controllers that it keeps and does not show: all of them while it is not on display, else those of columns, and
    /// below a tab bar that was pushed.
    fileprivate var keptControllers: [UIViewController] {
        guard let rootViewController else { return [] }
        let all = ([rootViewController] + rootViewController.presentedChain).flatMap(Self.subtree)
        guard isOnDisplay else { return all }
        let splits = all.compactMap { $0 as? UISplitViewController }.filter(\.keepsColumns)
        let covered = all.compactMap { $0 as? UINavigationController }.filter { $0.tabsOfBase != nil }
        return (splits.flatMap(\.children) + covered.flatMap { $0.children.dropLast() }).flatMap(Self.subtree)
    }

    /// A controller, and all that it contains.
    private static func subtree(of controller: UIViewController) -> [UIViewController] {
        [controller] + controller.children.flatMap(subtree)
    }
}

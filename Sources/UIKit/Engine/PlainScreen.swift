import Usher

/// The screen of a controller that defines no screen: its class's name, its title, and what can be tapped.
struct PlainScreen: ScreenWrapper {
    enum Event: Codable, LabelledEvent {
        /// A tap on an action with this title.
        case tap(action: String)

        var label: String {
            switch self {
            case .tap(let action): "tap \(action)"
            }
        }
    }

    static let examples: [Event] = [.tap(action: "Done")]
    static let wrapped: (any Screen.Type)? = nil

    let instanceName: String?
    private let refusal: ContainerRefusal?
    private let title: String?
    /// The titles of everything that can be tapped: bar buttons, controls, and the author's own actions.
    private let actions: [String]

    private enum CodingKeys: String, CodingKey { case title, actions }

    var backRefusal: String? { refusal?.text }
    var dismissalRefusal: String? { refusal?.ofDismissal }

    var currentExamples: [Event] { actions.map { .tap(action: $0) } }

    @MainActor
    init(_ controller: UIViewController, actions: [String], refusal: ContainerRefusal?) {
        instanceName = PlainScreenNames.name(of: type(of: controller))
        title = controller.barTitle
        self.actions = actions
        self.refusal = refusal
    }

    @MainActor
    func differs(from controller: UIViewController, _ actions: [String], _ refusal: ContainerRefusal?) -> Bool {
        title != controller.barTitle || self.actions != actions || self.refusal != refusal
    }
}

enum PlainScreenNames {
    /// Returns the wire name of a class: `login` for `LoginViewController`, `navigation` for `UINavigationController`,
    /// `home` for `UIHostingController<HomeView>`.
    static func name(of type: Any.Type) -> String {
        WireNames.shared.name(of: type) { _ in makeName(of: type) }
    }

    private static func makeName(of type: Any.Type) -> String {
        let type = String(describing: type)
        // A generic controller of the system is named after its content.
        let isShown = type.hasPrefix("UI") && type.last == ">"
        var name = (isShown ? type.split(separator: "<").last ?? "" : type[...]).prefix { !"<>,".contains($0) }
        for suffix in ["Controller", "View"] where name.hasSuffix(suffix) && name.count > suffix.count {
            name = name.dropLast(suffix.count)
        }
        if name.hasPrefix("UI"), name.dropFirst(2).first?.isUppercase == true { name = name.dropFirst(2) }
        let capitals = name.prefix(while: \.isUppercase)
        let rest = name.dropFirst(capitals.count)
        // In `DMList` the last capital begins the next word; in `DM` there is no next word.
        let kept = capitals.count > 1 && rest.first?.isLetter == true ? 1 : 0
        return capitals.dropLast(kept).lowercased() + capitals.suffix(kept) + rest
    }
}

final class PlainRecord: ScreenRecord {
    private let handle: Handle<PlainScreen>

    init(_ controller: UIViewController, on coordinator: AnyCoordinator, replacing: Bool, in session: UIKitSession) {
        let screen = PlainScreen(controller, actions: [], refusal: nil)
        handle = coordinator.show(screen, keeping: controller, replacing: replacing) { controller, event in
            switch event {
            case .tap(let title): try session.handleTouch { try controller.performAction(titled: title) }
            }
        }
        super.init(controller)
    }

    override var screenID: Int? { handle.id }

    override func refresh(refusal: ContainerRefusal?) {
        let actions = controller.tappableActions.map(\.title)
        guard let shown = handle.screen, shown.differs(from: controller, actions, refusal) else { return }
        handle.update { $0 = PlainScreen(controller, actions: actions, refusal: refusal) }
    }

    override func popToSelf(_ coordinator: AnyCoordinator) {
        coordinator.pop(to: handle)
    }
}

extension UIViewController {
    /// Everything that can be tapped: the items of the bars, the view's controls and the author's own actions; then the
    /// actions of the containers, and of the controllers that are visible beside this controller.
    var tappableActions: [TappableAction] {
        var found: [TappableAction] = []
        if let place = placeInBar {
            place.controller.collectItemsOfBars(into: &found)
            if !place.container.takesTaps { found = found.map(\.disabled) }
        }
        var seen: Set<UIView> = []
        collectOwnTappable(into: &found, except: &seen)
        var branch: UIViewController = self
        while let container = branch.parent {
            if container.showsAllChildren {
                for child in container.children where child !== branch && !child.isHiddenInContainer {
                    child.collectVisibleTappable(into: &found, except: &seen)
                }
            }
            container.collectOwnTappable(into: &found, except: &seen)
            branch = container
        }
        return found
    }

    private func collectVisibleTappable(into found: inout [TappableAction], except seen: inout Set<UIView>) {
        for child in visibleChildren where !(showsAllChildren && child.isHiddenInContainer) {
            child.collectVisibleTappable(into: &found, except: &seen)
        }
        collectOwnTappable(into: &found, except: &seen)
    }

    private func collectOwnTappable(into found: inout [TappableAction], except seen: inout Set<UIView>) {
        let takesTaps = takesTaps
        if let view = viewIfMade {
            view.collectTappable(into: &found, takesTaps: takesTaps, except: seen)
            seen.insert(view)
        }
        for action in actionsOfScreen { found.append(takesTaps ? action.tappable() : action.tappable().disabled) }
    }

    final var takesTaps: Bool {
        var view = viewIfMade
        while let current = view {
            guard current.isUserInteractionEnabled else { return false }
            view = current.superview
        }
        if let parent { return parent.takesTaps }
        return containingWindow?.isUserInteractionEnabled != false
    }

    private func collectItemsOfBars(into found: inout [TappableAction]) {
        if let item = storedNavigationItem, navigationController?.isNavigationBarHidden != true {
            for item in item.allItems { item.collectTappable(into: &found) }
            item.titleView?.collectTappable(into: &found)
        }
        if let toolbarItems, navigationController?.isToolbarHidden == false {
            for item in toolbarItems { item.collectTappable(into: &found) }
        }
    }

    /// Performs the action of a bar button, a control or an author's action, as a tap does.
    ///
    /// Call this method in a `ScreenController` whose event represents a button, for example a button that a
    /// coordinator has added.
    ///
    /// - Parameter title: The action's title.
    /// - Throws: `Refusal` if there is no such action, or if the action is disabled.
    public final func performAction(titled title: String) throws {
        guard let action = tappableActions.first(where: { $0.title == title }) else {
            throw Refusal("there is no button or action \"\(title)\"")
        }
        guard action.isEnabled else { throw Refusal("\"\(title)\" is disabled") }
        action.perform()
    }
}

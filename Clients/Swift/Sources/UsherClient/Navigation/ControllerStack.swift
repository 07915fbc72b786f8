/// The controllers of a session's screens, updated by operations, for a `UINavigationController`.
public struct ControllerStack<Controller: AnyObject> {
    /// A screen with its controller.
    public struct Entry {
        /// The current screen.
        public fileprivate(set) var screen: Screen
        /// The controller, which is the same as long as the screen is in the stack.
        public let controller: Controller
    }

    /// A controller that was hidden with its tab.
    private struct Hidden {
        let controller: Controller
        let tab: String?
    }

    /// The entries on display, from bottom to top.
    public private(set) var entries: [Entry] = []
    /// The controllers that may come back with their tabs.
    private var hidden: [Int: Hidden] = [:]
    private var tab: String?
    private let make: (Screen) -> Controller
    private let update: (Controller, Screen) -> Void

    /// - Parameters:
    ///   - make: Creates the controller of a screen.
    ///   - update: Gives a controller its screen's new state.
    public init(make: @escaping (Screen) -> Controller, update: @escaping (Controller, Screen) -> Void) {
        self.make = make
        self.update = update
    }

    /// Returns the controllers of a layer, from its root up.
    public func controllers(of layer: NavigationModel.Layer) -> [Controller] {
        ([layer.root] + layer.path).compactMap { screen in entries.first { $0.screen.id == screen.id }?.controller }
    }

    /// Returns the ids of the screens of controllers; unknown controllers are skipped.
    public func screens(of controllers: some Sequence<Controller>) -> [Int] {
        controllers.compactMap { controller in entries.first { $0.controller === controller }?.screen.id }
    }

    /// Applies the operations that lead to a state, in order.
    public mutating func apply(_ operations: [ViewOperation]) {
        let before = tab
        for operation in operations {
            switch operation {
            case .remove(let id, let isHidden): remove(id, isHidden: isHidden)
            case .insert(let screen, let place): insert(screen, at: place)
            case .update(let screen):
                guard let place = entries.firstIndex(where: { $0.screen.id == screen.id }) else { continue }
                entries[place].screen = screen
                update(entries[place].controller, screen)
            case .select(let tabs): select(tabs)
            }
        }
        // Screens that did not come back with their tab were removed while the tab was hidden.
        if tab != before { hidden = hidden.filter { $0.value.tab != tab } }
    }

    private mutating func select(_ tabs: Tabs?) {
        tab = tabs?.selected
        hidden = hidden.filter { _, screen in tabs?.names.contains { $0 == screen.tab } ?? false }
    }

    private mutating func remove(_ id: Int, isHidden: Bool) {
        guard let place = entries.firstIndex(where: { $0.screen.id == id }) else { return }
        let entry = entries.remove(at: place)
        if isHidden { hidden[id] = Hidden(controller: entry.controller, tab: tab) }
    }

    private mutating func insert(_ screen: Screen, at place: Int) {
        let known = hidden.removeValue(forKey: screen.id)?.controller
        let controller = known ?? make(screen)
        if known != nil { update(controller, screen) }
        entries.insert(Entry(screen: screen, controller: controller), at: min(place, entries.count))
    }
}

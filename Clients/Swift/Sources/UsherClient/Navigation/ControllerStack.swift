/// The controllers of a session's screens, one each, moved by operations: what a `UINavigationController` is given.
public struct ControllerStack<Controller: AnyObject> {
    /// A screen with its controller.
    public struct Entry {
        /// The screen as it is now.
        public fileprivate(set) var screen: Screen
        /// Its controller, which stays the same while the screen is there.
        public let controller: Controller
    }

    /// Those on display, from the bottom to the top.
    public private(set) var entries: [Entry] = []
    /// Those that a tab took along, which may come back.
    private var hidden: [Int: Controller] = [:]
    private let make: (Screen) -> Controller
    private let update: (Controller, Screen) -> Void

    /// - Parameters:
    ///   - make: Makes the controller of a screen.
    ///   - update: Gives a controller its screen's new state.
    public init(make: @escaping (Screen) -> Controller, update: @escaping (Controller, Screen) -> Void) {
        self.make = make
        self.update = update
    }

    /// The stacks of controllers: the base's, and each modal's.
    public var layers: [[Entry]] {
        entries.reduce(into: []) { layers, entry in
            if layers.isEmpty || entry.screen.shown.beginsModal { layers.append([]) }
            layers[layers.count - 1].append(entry)
        }
    }

    /// Applies operations, in their order.
    public mutating func apply(_ operations: [ViewOperation]) {
        for operation in operations {
            switch operation {
            case .remove(let id, let isHidden): remove(id, isHidden: isHidden)
            case .insert(let screen, let place): insert(screen, at: place)
            case .update(let screen):
                guard let place = entries.firstIndex(where: { $0.screen.id == screen.id }) else { continue }
                entries[place].screen = screen
                update(entries[place].controller, screen)
            case .select(let tabs): if tabs == nil { hidden = [:] }
            }
        }
    }

    /// The fact that the user has gone back, where a navigation shows fewer controllers of a layer than it was given.
    public func fact(showing controllers: [Controller], of layer: [Entry]) -> Input? {
        guard controllers.count < layer.count, zip(controllers, layer).allSatisfy({ $0 === $1.controller }) else {
            return nil
        }
        return .popped(layer[controllers.count].screen.id)
    }

    private mutating func remove(_ id: Int, isHidden: Bool) {
        guard let place = entries.firstIndex(where: { $0.screen.id == id }) else { return }
        let entry = entries.remove(at: place)
        if isHidden { hidden[id] = entry.controller }
    }

    private mutating func insert(_ screen: Screen, at place: Int) {
        let known = hidden.removeValue(forKey: screen.id)
        let controller = known ?? make(screen)
        if known != nil { update(controller, screen) }
        entries.insert(Entry(screen: screen, controller: controller), at: min(place, entries.count))
    }
}

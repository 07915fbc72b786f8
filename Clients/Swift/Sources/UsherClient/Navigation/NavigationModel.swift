/// The window as layers, each a navigation of its own: the base, and the modals above it.
///
/// The user closes screens by himself, and the view has done so before the server knows: what he has left is not shown
/// from then on, and comes back where the server refuses it.
public struct NavigationModel: Sendable {
    /// A stack of screens: the base's, or a modal's.
    public struct Layer: Sendable, Equatable, Identifiable {
        /// The lowest, which cannot be popped.
        public let root: Screen
        /// Those above it, from the bottom to the top.
        public fileprivate(set) var path: [Screen] = []

        /// The id of its lowest screen.
        public var id: Int { root.id }
        /// The way in which it came on display.
        public var shown: Shown { root.shown }
        /// The ids of the path, as a navigation stack binds them.
        public var pathIDs: [Int] { path.map(\.id) }
        /// True where the user can close it by a gesture.
        public var isClosable: Bool { [.sheet, .formSheet, .popover, .actionSheet].contains(shown) }
    }

    /// The layers that are to be shown, from the base up.
    public private(set) var layers: [Layer] = []
    /// The visible screen; nil if nothing is shown.
    public var visible: Screen? { layers.last.map { $0.path.last ?? $0.root } }
    /// The tabs under it.
    public var tabs: Tabs? { state?.tabs }
    private var state: SessionState?
    /// The screens that the user has left, of which the server has not decided.
    private var popped: Set<Int> = []
    /// By the layers that the view has closed: the inputs that say so, which alone decide it.
    private var closings: [Int: Input] = [:]

    /// A window without screens.
    public init() {}

    /// Takes a state of the session's.
    public mutating func show(_ state: SessionState) {
        self.state = state
        layers = Self.layers(of: state.stack, withoutPopped: popped, withoutLayers: Set(closings.keys))
    }

    /// The path of a layer is another one now: the user has gone back, by a swipe or by the bar's button.
    ///
    /// - Returns: The fact that the server is to be told; nil where it is none, since screens come from the server alone.
    public mutating func setPath(_ ids: [Int], of layer: Int) -> Input? {
        guard let screens = layers.first(where: { $0.id == layer })?.path, ids.count < screens.count,
            screens.prefix(ids.count).map(\.id) == ids
        else { return nil }
        return leave(.popped(screens[ids.count].id))
    }

    /// The view has closed a layer: the user pulled a sheet down, or tapped beside it.
    ///
    /// - Returns: The fact that the server is to be told; nil where the server knows of it, or an event says it.
    public mutating func dismiss(_ layer: Int) -> Input? {
        guard layers.contains(where: { $0.id == layer && $0.isClosable }) else { return nil }
        return leave(.dismissed(layer))
    }

    /// An event closes the layer of its screen, as the buttons of an alert do: the view has done so already.
    public mutating func sendClosing(_ event: String, _ payload: JSON? = nil, of layer: Int) -> Input {
        let input = Input.event(named: event, payload, screen: layer)
        closings[layer] = input
        if let state { show(state) }
        return input
    }

    /// The server has decided an input, and is at a state.
    public mutating func decide(_ input: Input, at state: SessionState) {
        switch input {
        case .popped(let screen): popped.remove(screen)
        case .dismissed(let layer), .event(_, let layer?): if closings[layer] == input { closings[layer] = nil }
        default: break
        }
        show(state)
    }

    private mutating func leave(_ fact: Input) -> Input {
        if case .popped(let screen) = fact { popped.insert(screen) }
        if case .dismissed(let screen) = fact { closings[screen] = fact }
        if let state { show(state) }
        return fact
    }

    /// A screen that is popped takes those of its layer above it along, and a layer that is closed those above it.
    private static func layers(
        of stack: [Screen], withoutPopped popped: Set<Int>, withoutLayers closed: Set<Int>
    ) -> [Layer] {
        var layers: [Layer] = []
        var isLeft = false
        for screen in stack {
            if layers.isEmpty || screen.shown.beginsModal {
                if closed.contains(screen.id) { break }
                layers.append(Layer(root: screen))
                isLeft = false
            } else {
                isLeft = isLeft || popped.contains(screen.id)
                if !isLeft { layers[layers.count - 1].path.append(screen) }
            }
        }
        return layers
    }
}

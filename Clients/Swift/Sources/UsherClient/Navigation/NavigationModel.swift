/// The window as layers, each with its own navigation: the base and the modals above it.
///
/// When the user leaves a screen, the view removes the screen before the server knows. Such a screen stays removed,
/// unless the server refuses the input.
public struct NavigationModel: Sendable {
    /// A stack of screens: the base or a modal.
    public struct Layer: Sendable, Equatable, Identifiable {
        /// The lowest screen, which cannot be popped.
        public let root: Screen
        /// The screens above the root, from bottom to top.
        public fileprivate(set) var path: [Screen] = []

        /// The id of the root.
        public var id: Int { root.id }
        /// The way in which the layer was shown.
        public var shown: Shown { root.shown }
        /// The ids of the path, for the binding of a navigation stack.
        public var pathIDs: [Int] { path.map(\.id) }
        /// A Boolean value indicating whether the user can close the layer with a gesture.
        public var isClosable: Bool { [.sheet, .formSheet, .popover, .actionSheet].contains(shown) }
    }

    /// The layers to show, from the base up.
    public private(set) var layers: [Layer] = []
    /// The visible screen; nil if there is none.
    public var visible: Screen? { layers.last.map { $0.path.last ?? $0.root } }
    /// The tabs below the base.
    public var tabs: Tabs? { state?.tabs }
    private var state: SessionState?
    /// The screens that the user popped, until the server has answered the inputs.
    private var popped: Set<Int> = []
    /// The inputs that closed layers, by layer; a layer stays closed until the server has answered its input.
    private var closings: [Int: Input] = [:]

    /// Creates a window without screens.
    public init() {}

    /// Shows a state of the session.
    public mutating func show(_ state: SessionState) {
        self.state = state
        layers = Self.layers(of: state.stack, withoutPopped: popped, withoutLayers: Set(closings.keys))
    }

    /// Reports that a layer's path has changed because the user went back.
    ///
    /// - Returns: The input to send to the server, or nil if no screen was popped, because only the server adds
    ///   screens.
    public mutating func setPath(_ ids: [Int], of layer: Int) -> Input? {
        guard let screens = layers.first(where: { $0.id == layer })?.path, ids.count < screens.count,
            screens.prefix(ids.count).map(\.id) == ids
        else { return nil }
        return leave(.popped(screens[ids.count].id))
    }

    /// Reports that the user dismissed a layer.
    ///
    /// - Returns: The input to send to the server, or nil if the layer is gone already or an event closes it.
    public mutating func dismiss(_ layer: Int) -> Input? {
        guard layers.contains(where: { $0.id == layer && $0.isClosable }) else { return nil }
        return leave(.dismissed(layer))
    }

    /// Returns an event that closes its screen's layer, such as an alert's button.
    ///
    /// The view has closed the layer already.
    public mutating func sendClosing(_ event: String, _ payload: JSON? = nil, of layer: Int) -> Input {
        let input = Input.event(named: event, payload, screen: layer)
        closings[layer] = input
        if let state { show(state) }
        return input
    }

    /// Called when the server has answered an input; `state` is the newest state.
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

    /// Returns the layers without the screens that the user left.
    ///
    /// A popped screen removes the screens of its layer above it, and a closed layer removes the layers above it.
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

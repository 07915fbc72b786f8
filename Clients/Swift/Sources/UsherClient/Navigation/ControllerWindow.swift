/// The layers and controllers that a session's window must show.
struct ControllerWindow<Controller: AnyObject> {
    /// The next step from the modals on display to the required modals.
    enum ModalStep: Equatable {
        /// Close the modals from an index on, because the layer of the first of these has changed or is gone.
        case close(from: Int)
        case present(NavigationModel.Layer)
    }

    private var model = NavigationModel()
    private var stack: ControllerStack<Controller>
    private var shown: SessionState?

    init(make: @escaping (Screen) -> Controller, update: @escaping (Controller, Screen) -> Void) {
        stack = ControllerStack(make: make, update: update)
    }

    var layers: [NavigationModel.Layer] { model.layers }

    func controllers(of layer: NavigationModel.Layer) -> [Controller] { stack.controllers(of: layer) }

    /// - Parameter roots: The root screens of the modals on display, from the lowest up.
    /// - Returns: The next step, or nil if the right modals are on display.
    func step(from roots: [Int]) -> ModalStep? {
        let wanted = Array(layers.dropFirst())
        let kept = zip(roots, wanted).prefix { $0 == $1.id }.count
        if kept < roots.count { return .close(from: kept) }
        return kept < wanted.count ? .present(wanted[kept]) : nil
    }

    /// Shows the session's newest state.
    mutating func show(_ state: SessionState) {
        move(to: state)
        model.show(state)
    }

    /// Called when the user went back, so that a container shows fewer controllers than the window gave it.
    ///
    /// - Returns: The input to send to the server, or nil if there is nothing to report.
    mutating func setControllers(_ controllers: [Controller], of layer: Int) -> Input? {
        model.setPath(stack.screens(of: controllers.dropFirst()), of: layer)
    }

    /// Called when the user has closed a modal.
    ///
    /// - Returns: The input to send to the server, or nil if there is nothing to report.
    mutating func dismiss(_ layer: Int) -> Input? { model.dismiss(layer) }

    /// Called when the server has answered an input; `state` is the newest state.
    mutating func decide(_ fact: Input, at state: SessionState) {
        move(to: state)
        model.decide(fact, at: state)
    }

    /// Moves the controllers to a state, so that layers and controllers always show the same state.
    private mutating func move(to state: SessionState) {
        stack.apply(ViewOperation.leading(from: shown, to: state))
        shown = state
    }
}

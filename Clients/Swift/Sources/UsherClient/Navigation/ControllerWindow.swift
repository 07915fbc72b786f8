/// The window of a session whose screens have controllers: the layers that are to be shown, and what a container of each
/// is to be given.
struct ControllerWindow<Controller: AnyObject> {
    /// The next step of the modals that are on display towards those that are to be.
    enum ModalStep: Equatable {
        /// Those from a place on are closed: it has another layer now, or none.
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

    /// - Parameter roots: The roots of the modals on display, from the lowest up.
    /// - Returns: The next step; nil where they are those that are to be.
    func step(from roots: [Int]) -> ModalStep? {
        let wanted = Array(layers.dropFirst())
        let kept = zip(roots, wanted).prefix { $0 == $1.id }.count
        if kept < roots.count { return .close(from: kept) }
        return kept < wanted.count ? .present(wanted[kept]) : nil
    }

    /// Takes the newest state of the session's.
    mutating func show(_ state: SessionState) {
        move(to: state)
        model.show(state)
    }

    /// A container shows other controllers than it was given: the user has gone back.
    ///
    /// - Returns: The fact that the server is to be told; nil where it is none.
    mutating func setControllers(_ controllers: [Controller], of layer: Int) -> Input? {
        model.setPath(stack.screens(of: controllers.dropFirst()), of: layer)
    }

    /// The user has closed a modal.
    ///
    /// - Returns: The fact that the server is to be told; nil where it is none.
    mutating func dismiss(_ layer: Int) -> Input? { model.dismiss(layer) }

    /// The server has decided a fact, and is at a state.
    mutating func decide(_ fact: Input, at state: SessionState) {
        move(to: state)
        model.decide(fact, at: state)
    }

    /// Moves the controllers to a state; layers and controllers are of one state at any time.
    private mutating func move(to state: SessionState) {
        stack.apply(ViewOperation.leading(from: shown, to: state))
        shown = state
    }
}

import UsherJSON

/// A showing of a screen of a known type.
///
/// What an event does its subclass knows, for it knows whom the closure is passed.
class TypedScreenInstance<S: Screen>: ScreenInstance {
    /// The screen as it stands; nil once it has left, so that an author who keeps a `Handle` keeps nothing else.
    final var screen: S?

    init(_ screen: S, at placement: Placement) {
        self.screen = screen
        super.init(ScreenDescription<S>.cached(), at: placement)
    }

    /// Runs the closure for an event, as the body of an input.
    func run(_ event: S.Event, by owner: AnyCoordinator, in tree: Tree) {}

    override final var ownBackRefusal: String? { screen?.backRefusal }

    override final func receive(_ event: JSONValue, in tree: Tree) throws(Rejection) {
        guard let owner, let description = description as? ScreenDescription<S> else { return }
        run(try description.decode(event, tree.secrets), by: owner, in: tree)
    }

    override final func encodeState(into writer: inout JSONWriter) throws(JSONError) {
        if let screen { try writer.encode(screen) }
    }

    override func leave(_ warnings: Warnings) {
        super.leave(warnings)
        screen = nil
    }
}

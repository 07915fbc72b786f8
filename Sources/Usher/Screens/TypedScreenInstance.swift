import UsherJSON

/// A showing of a screen of a known type, with the closure that its coordinator gave for its events.
final class TypedScreenInstance<S: Screen>: ScreenInstance {
    /// What an event does; the coordinator is passed in, never captured.
    typealias Handler = (AnyCoordinator, S.Event) throws -> Void

    var screen: S
    private let description: ScreenDescription<S>
    private var handler: Handler?
    private var viewModel: AnyObject?

    init(_ presentation: Presentation<S>, id: Int, owner: AnyCoordinator, shown: Shown) {
        screen = presentation.screen
        viewModel = presentation.viewModel
        handler = presentation.handler
        description = ScreenDescription.cached()
        super.init(id: id, owner: owner, shown: shown, origin: presentation.origin)
    }

    override var name: String { description.name }

    override var eventsFragment: [UInt8] { description.eventsFragment }

    override var ownBackRefusal: String? { screen.backRefusal }

    override var kept: AnyObject? { viewModel }

    override func receive(_ event: JSONValue, in tree: Tree) throws(Rejection) {
        let event = try description.decode(event, tree.secrets)
        guard let owner, let handler else { return }
        // An alert is gone before its handler runs, so that the handler can present another; its view model is not.
        withExtendedLifetime(viewModel) {
            tree.run(with: self) {
                tree.dismissAlert(self)
                try handler(owner, event)
            }
        }
    }

    override func encodeState(into writer: inout JSONWriter) throws(JSONError) {
        try writer.encode(screen)
    }

    override func dropHandler() {
        handler = nil
    }

    override func leave(_ warnings: Warnings) {
        super.leave(warnings)
        handler = nil
        viewModel = nil
    }
}

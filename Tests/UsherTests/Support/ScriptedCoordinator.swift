import Usher

/// A coordinator that runs closures of a test: in `start`, and for each event of its screens.
final class ScriptedCoordinator: Coordinator<String> {
    typealias Script = (ScriptedCoordinator) throws -> Void

    private let onStart: Script
    /// The closures for the events of its screens.
    var onEvent: [StepScreen.Event: Script]
    /// Decides whether one of its tabs may be selected; nil if all may.
    var onSelect: ((ScriptedCoordinator, String) throws -> Bool)?
    /// Called when one of its screens is visible again.
    var onReturn: ((ScriptedCoordinator, Int) throws -> Void)?
    var handles: [Handle<StepScreen>] = []
    var ended: [String] = []
    /// The children that a test wants to access; the engine retains them.
    var children: [ScriptedCoordinator] {
        get { reachable.compactMap(\.coordinator) }
        set { reachable = newValue.map(Reachable.init) }
    }
    private var reachable: [Reachable] = []

    init(onEvent: [StepScreen.Event: Script] = [:], onStart: @escaping Script = { $0.show() }) {
        self.onStart = onStart
        self.onEvent = onEvent
    }

    /// Returns a root that starts a child at the event `one` of its own screen.
    static func starting(
        _ onEvent: [StepScreen.Event: Script] = [:], onStart: @escaping Script = { $0.show() }
    ) -> ScriptedCoordinator {
        ScriptedCoordinator(onEvent: [.one: { $0.start(ScriptedCoordinator(onEvent: onEvent, onStart: onStart)) }])
    }

    override func start() throws {
        try onStart(self)
    }

    override func childDidFinish(_ child: AnyCoordinator, _ outcome: Outcome<Any>) {
        ended.append("\(outcome)")
    }

    override func didReturn(to screen: Int) throws {
        try onReturn?(self, screen)
    }

    override func shouldSelect(_ tab: String) throws -> Bool {
        guard let onSelect else { return true }
        ended.append("asked for \(tab)")
        return try onSelect(self, tab)
    }

    override func didSelect(_ tab: String) {
        ended.append("selected \(tab)")
    }

    override func didReselect(_ tab: String) {
        ended.append("reselected \(tab)")
    }

    /// Shows a screen in a modal.
    func show(_ note: String = "", as style: PresentationStyle) {
        handles.append(present(StepScreen(note: note), as: style) { me, event in try me.onEvent[event]?(me) })
    }

    /// Pushes a screen.
    func show(_ note: String = "") {
        handles.append(push(StepScreen(note: note)) { me, event in try me.onEvent[event]?(me) })
    }
}

private struct Reachable {
    weak var coordinator: ScriptedCoordinator?

    init(_ coordinator: ScriptedCoordinator) {
        self.coordinator = coordinator
    }
}

/// A screen with three buttons.
struct StepScreen: Screen {
    enum Event: String, Codable, CaseIterable { case one, two, three }
    var note = ""
}

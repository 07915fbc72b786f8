import Usher

/// A host whose flows run closures of a test.
final class PlacesCoordinator: Coordinator<String>, FlowHost {
    enum Flow: String, Codable, CaseIterable { case first, second }
    typealias Script = (PlacesCoordinator) throws -> Void

    private let onStart: Script
    var onFlow: [Flow: Script]
    var onEvent: [StepScreen.Event: Script]
    /// The outcomes of children without a closure, and the foreign flows that it was asked to take.
    private(set) var heard: [String] = []
    /// Whether it takes foreign flows.
    var takesForeignFlows = false

    init(
        onFlow: [Flow: Script] = [:], onEvent: [StepScreen.Event: Script] = [:],
        onStart: @escaping Script = { $0.show() }
    ) {
        self.onFlow = onFlow
        self.onEvent = onEvent
        self.onStart = onStart
    }

    override func start() throws {
        try onStart(self)
    }

    func open(_ flow: Flow) throws -> (any FlowHost)? {
        try onFlow[flow]?(self)
        return child(PlacesCoordinator.self)
    }

    override func childDidFinish(_ child: AnyCoordinator, _ outcome: Outcome<Any>) {
        heard.append("\(outcome)")
    }

    override func childDidFinish(_ child: AnyCoordinator, next: any Codable & Sendable) -> Bool {
        heard.append("asked")
        guard takesForeignFlows else { return false }
        show("taken")
        return true
    }

    /// Pushes a screen.
    func show(_ note: String = "") {
        push(StepScreen(note: note)) { me, event in try me.onEvent[event]?(me) }
    }
}

/// A flow that belongs to no host.
enum ForeignFlow: Codable { case nowhere(secret: String) }

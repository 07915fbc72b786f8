import Usher

final class VaultCoordinator: Coordinator<Secret<String>>, FlowHost {
    enum Flow: Codable {
        case enter(code: Secret<String>)
        case wait(code: Secret<String>)
        case peek(code: Secret<String>)
        case look(code: Secret<String>)
        case deeper
    }

    static let examples: [Flow] = [
        .enter(code: "apple"), .wait(code: "apple"), .peek(code: "apple"), .look(code: "apple"), .deeper,
    ]

    static let formerFlowNames = ["pass": "enter", "linger": "wait"]

    private var kept: [Secret<String>] = []
    private let options: VaultApp.Options
    private var screen: Handle<VaultScreen>?
    private var isOpen = false

    init(_ options: VaultApp.Options) {
        self.options = options
    }

    override func start() {
        screen = push(VaultScreen(shown: options.key)) { me, event in try me.handle(event) }
    }

    func open(_ flow: Flow) throws -> (any FlowHost)? {
        switch flow {
        case .enter(let code): kept = [code]
        case .wait(let code):
            guard isOpen else { throw Later() }
            screen?.update { $0.shown = code }
        case .peek(let code): if try !code.reveal().isEmpty { throw Later() }
        case .look(let code):
            guard isOpen else { throw Later() }
            try screen?.update { $0.note = "\(try code.reveal().count)" }
        case .deeper:
            guard isOpen else { throw Later() }
        }
        return self
    }

    private func handle(_ event: VaultScreen.Event) throws {
        isOpen = true
        switch event {
        case .drop: kept = []
        case .useKept: screen?.update { $0.note = "\(kept.count)" }
        case .readKept: for secret in kept { push(VaultScreen(note: "\(try secret.reveal().count)")) { _, _ in } }
        case .ignore: break
        case .keep(let password): kept = [password]
        case .read(let password): push(VaultScreen(note: "\(try password.reveal().count)")) { _, _ in }
        case .fail(let password): throw Refusal("\(password) is no password, nor is \(password.debugDescription)")
        case .check: break
        case .fill(let form): push(VaultScreen(note: "\(form.answers.count) \(form.pin == nil)")) { _, _ in }
        case .offer(let code, let other):
            screen?.update { $0.note = "\(code == nil ? "none" : "one") \(other == nil ? "none" : "one")" }
        case .several(let secrets): screen?.update { $0.note = "\(secrets.count { $0 != nil })" }
        case .either(.number): screen?.update { $0.note = "number" }
        case .either(.text): screen?.update { $0.note = "text" }
        case .end(let result): finish(result)
        }
    }
}

import Usher

/// An app whose events, options and flows bring secrets.
enum VaultApp: App {
    struct Options: Codable {
        var name = "vault"
        var key: Secret<String> = "default"
        var spare: Secret<String>?
        var reads = false
    }

    static let options = Options()
    static var screens: [any Screen.Type] { [VaultScreen.self] }
    static var flowHosts: [any FlowHost.Type] { [VaultCoordinator.self] }

    static func root(_ options: Options) throws -> sending AnyCoordinator {
        if options.reads, try options.key.reveal().count < 2 { throw Refusal("a key has two letters") }
        return VaultCoordinator(options)
    }
}

struct VaultScreen: Screen {
    struct Form: Codable {
        var name: String
        var answers: [Secret<String>]
        var pin: Secret<Int>?
        var pair: Secret<Pair>?
    }

    struct Pair: Codable {
        var left: Secret<String>
        var right: String
    }

    /// Looks at its secret while it is decoded.
    struct Checked: Codable {
        let secret: Secret<String>

        init(_ secret: Secret<String>) {
            self.secret = secret
        }

        init(from decoder: any Decoder) throws {
            secret = try decoder.singleValueContainer().decode(Secret<String>.self)
            _ = try secret.reveal()
        }

        func encode(to encoder: any Encoder) throws {
            try secret.encode(to: encoder)
        }
    }

    /// Is another thing, if it is no secret number.
    enum Either: Codable {
        case number(Secret<Int>)
        case text(Secret<String>)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Secret<Int>.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(Secret<String>.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .number(let secret): try secret.encode(to: encoder)
            case .text(let secret): try secret.encode(to: encoder)
            }
        }
    }

    enum Event: Codable {
        case drop, useKept, readKept
        case ignore(Secret<String>)
        case keep(password: Secret<String>)
        case read(password: Secret<String>)
        case fail(password: Secret<String>)
        case check(Checked)
        case fill(form: Form)
        case offer(code: Secret<String>?, other: Secret<String>?)
        case either(Either)
        case several([Secret<String>?])
        case end(Secret<String>)
    }

    static let examples: [Event] = [
        .drop, .useKept, .readKept, .ignore("apple"), .keep(password: "apple"), .read(password: "apple"),
        .fail(password: "apple"), .check(Checked("apple")), .offer(code: "apple", other: nil), .end("apple"),
        .several(["apple"]), .either(.text("apple")),
        .fill(form: Form(name: "kim", answers: ["apple"], pin: Secret(1234), pair: nil)),
    ]

    var shown: Secret<String> = "cherry"
    var note = ""
}

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

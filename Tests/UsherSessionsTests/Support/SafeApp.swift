import Usher

/// An app that is told secrets, and does with them what can be done.
enum SafeApp: App {
    struct Options: Codable, Sendable {
        var owner: Secret<String> = "nobody"
    }

    static var options: Options { Options() }

    static func root(_ options: Options) -> sending AnyCoordinator { SafeCoordinator() }
}

/// The same in a build that drops nothing.
enum StricterSafeApp: App {
    static let name = "safe"
    static var options: SafeApp.Options { SafeApp.Options() }
    static func root(_ options: SafeApp.Options) -> sending AnyCoordinator { SafeCoordinator(isStrict: true) }
}

struct SafeScreen: Screen {
    enum Event: Codable {
        case ignore(Secret<String>), keep(Secret<String>), read(Secret<String>), pass(Secret<String>), drop, refuse
    }
    static let examples: [Event] = [.ignore("a"), .keep("b"), .read("c"), .pass("d"), .drop, .refuse]

    var length = 0
    var kept: Secret<String>?
}

/// Reads a secret outside of the coordinators.
struct Measuring: Effect {
    let secret: Secret<String>

    func run(_ context: EffectContext<NoServices>) async throws -> Int { try secret.reveal().count }
}

final class SafeCoordinator: Coordinator<Never> {
    private var kept: Secret<String>?
    private var screen: Handle<SafeScreen>?
    private let isStrict: Bool

    init(isStrict: Bool = false) {
        self.isStrict = isStrict
    }

    override func start() {
        screen = push(SafeScreen()) { me, event in
            switch event {
            case .ignore: break
            case .keep(let secret): me.show(secret)
            case .read(let secret):
                let length = try secret.reveal().count
                me.screen?.update { $0.length = length }
            case .pass(let secret):
                me.perform(Measuring(secret: secret)) { me, result in
                    try me.screen?.update { $0.length = try result.get() }
                }
            case .drop:
                if me.isStrict { throw Refusal("nothing is dropped") }
                me.show(nil)
            case .refuse: throw Refusal("no")
            }
        }
    }

    private func show(_ secret: Secret<String>?) {
        kept = secret
        screen?.update { $0.kept = secret }
    }
}

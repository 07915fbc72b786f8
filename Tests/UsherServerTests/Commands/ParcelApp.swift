import Usher

/// An app that sends parcels, whose sessions have effects, timers and messages.
enum ParcelApp: App {
    static func services() -> Counter { Counter() }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { ParcelCoordinator(isRevised: false) }

    /// The services of its effects.
    struct Counter: Sendable {
        func send(to name: String) throws -> Receipt {
            guard name != "nobody" else { throw EffectFailure(code: "unknown", message: "it's \"nobody\"") }
            return Receipt(name: "it's \(name)", pin: "hush")
        }
    }
}

/// A later build, in which the event `look` leads to another screen.
enum ParcelAppRevised: App {
    static var name: String { ParcelApp.name }

    static func services() -> ParcelApp.Counter { ParcelApp.Counter() }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { ParcelCoordinator(isRevised: true) }
}

struct Receipt: Codable, Sendable {
    let name: String
    let pin: Secret<String>
}

struct SendParcel: Effect {
    let name: String

    func run(_ context: EffectContext<ParcelApp.Counter>) async throws -> Receipt {
        try context.services.send(to: name)
    }
}

struct ParcelScreen: Screen {
    enum Event: Codable {
        case send(name: String), chain, remind(after: Int), refuse, look
    }

    static let examples: [Event] = [.send(name: "kim"), .chain, .remind(after: 1), .refuse, .look]
}

struct ReceiptScreen: Screen {
    enum Event: Codable, CaseIterable { case done }

    let name: String
}

struct ReminderScreen: Screen {
    enum Event: Codable, CaseIterable { case done }
}

struct NewsScreen: Screen {
    enum Event: Codable, CaseIterable { case done }
}

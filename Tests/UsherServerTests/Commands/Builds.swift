import Usher

/// Three builds of one app, of the same name: as it was, with another way through it, and with more to show.
enum Builds {
    static let old: any App.Type = Old.App.self
    static let changed: any App.Type = Changed.App.self
    static let grown: any App.Type = Grown.App.self

    static let name = "shop"

    private enum Old {
        enum App: Usher.App {
            static var name: String { Builds.name }

            static func root(_ options: NoOptions) -> sending AnyCoordinator { ShopCoordinator(paysAtOnce: true) }
        }
    }

    private enum Changed {
        enum App: Usher.App {
            static var name: String { Builds.name }
            static var version: String { "2" }

            static func root(_ options: NoOptions) -> sending AnyCoordinator { ShopCoordinator(paysAtOnce: false) }
        }
    }

    private enum Grown {
        enum App: Usher.App {
            static var name: String { Builds.name }
            static var version: String { "3" }

            static func root(_ options: NoOptions) -> sending AnyCoordinator {
                ShopCoordinator(paysAtOnce: true, currency: "€")
            }
        }
    }
}

private struct GoodsScreen: Screen {
    enum Event: Codable, CaseIterable { case look, buy }

    /// Only a newer build shows it.
    var currency: String?
}

private struct ThingScreen: Screen {
    enum Event: Codable, CaseIterable { case buy }
}

private struct PaymentScreen: Screen {
    enum Event: Codable, CaseIterable { case pay }
}

private final class ShopCoordinator: Coordinator<Never> {
    private let paysAtOnce: Bool
    private let currency: String?

    init(paysAtOnce: Bool, currency: String? = nil) {
        self.paysAtOnce = paysAtOnce
        self.currency = currency
    }

    override func start() {
        push(GoodsScreen(currency: currency)) { me, event in
            switch event {
            case .look: me.look()
            case .buy: me.buy()
            }
        }
    }

    private func look() {
        push(ThingScreen()) { me, _ in me.buy() }
    }

    private func buy() {
        // A later build wants to know more before.
        guard paysAtOnce else { return look() }
        push(PaymentScreen()) { _, _ in }
    }
}

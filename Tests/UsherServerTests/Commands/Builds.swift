import Usher

/// Builds of one app with the same name.
///
/// The first is unchanged, one has another flow, one ends sessions with that flow, one shows more, and one has a screen that
/// clients do not know yet.
enum Builds {
    static let old: any App.Type = Old.App.self
    static let changed: any App.Type = Changed.App.self
    static let changedEnding: any App.Type = ChangedEnding.App.self
    static let grown: any App.Type = Grown.App.self
    static let newPayment: any App.Type = NewPayment.App.self

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

            static func root(_ options: NoOptions) -> sending AnyCoordinator { ShopCoordinator(paysAtOnce: false) }
        }
    }

    private enum ChangedEnding {
        enum App: Usher.App {
            static var name: String { Builds.name }
            static var onDivergence: DivergenceResponse { .end }

            static func root(_ options: NoOptions) -> sending AnyCoordinator { ShopCoordinator(paysAtOnce: false) }
        }
    }

    private enum Grown {
        enum App: Usher.App {
            static var name: String { Builds.name }

            static func root(_ options: NoOptions) -> sending AnyCoordinator {
                ShopCoordinator(paysAtOnce: true, currency: "€")
            }
        }
    }

    private enum NewPayment {
        enum App: Usher.App {
            static var name: String { Builds.name }

            static func root(_ options: NoOptions) -> sending AnyCoordinator {
                ShopCoordinator(paysAtOnce: true, paysAnew: true)
            }
        }
    }
}

private struct GoodsScreen: Screen {
    enum Event: Codable, CaseIterable { case look, buy }

    /// The currency, which only a newer build shows.
    var currency: String?
}

private struct ThingScreen: Screen {
    enum Event: Codable, CaseIterable { case buy }
}

private struct PaymentScreen: Screen {
    enum Event: Codable, CaseIterable { case pay }
}

private struct NewPaymentScreen: Screen {
    static let name = "payment"
    static let version = 2
    enum Event: Codable, CaseIterable { case pay }
}

private final class ShopCoordinator: Coordinator<Never> {
    private let paysAtOnce: Bool
    private let paysAnew: Bool
    private let currency: String?

    init(paysAtOnce: Bool, paysAnew: Bool = false, currency: String? = nil) {
        self.paysAtOnce = paysAtOnce
        self.paysAnew = paysAnew
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
        // A later build asks for more before the payment.
        guard paysAtOnce else { return look() }
        if paysAnew { push(NewPaymentScreen()) { _, _ in } } else { push(PaymentScreen()) { _, _ in } }
    }
}

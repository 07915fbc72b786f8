import Testing
import Usher
import UsherTesting

@Suite("Tests of the app before a change")
struct UnknownChangeTests {
    @Test(
        arguments: [
            ([], "n[time]"), (["delivery-time"], "n[payment]"), (["gift"], "n[time]"),
        ] as [(Set<String>, String)])
    func `coordinators know every change except the changes that a test excludes`(unknown: Set<String>, stack: String)
        throws
    {
        let app = try AppUnderTest(OrderApp.self, unknownChanges: unknown)
        app.expectStack(stack)
        app.send("again")
        app.expectStack(stack)
    }
}

private enum OrderApp: App {
    static let changes = ["delivery-time", "gift"]
    static func root(_ options: NoOptions) -> sending AnyCoordinator { OrderCoordinator() }
}

private struct TimeScreen: Screen { enum Event: Codable, CaseIterable { case again } }
private struct PaymentScreen: Screen { enum Event: Codable, CaseIterable { case again } }

private final class OrderCoordinator: Coordinator<Void> {
    override func start() {
        if changed("delivery-time") {
            replace(with: TimeScreen()) { me, _ in me.replace(with: OrderCoordinator()) { _, _ in } }
        } else {
            replace(with: PaymentScreen()) { me, _ in me.replace(with: OrderCoordinator()) { _, _ in } }
        }
    }
}

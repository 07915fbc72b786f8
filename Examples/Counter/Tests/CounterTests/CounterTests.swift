import Testing
import Usher
import UsherTesting

@testable import CounterServer

@Test func countsUntilTheUserConfirms() throws {
    let app = try AppUnderTest(CounterApp.self)
    app.send("increment")
    app.send(.add(amount: 41), on: CounterScreen.self)
    app.expectVisible(CounterScreen(count: 42))
    app.expectRefusal(.refused, naming: "no room") { $0.send(.add(amount: .max), on: CounterScreen.self) }

    app.send("done")
    app.expectStack("n[counter, confirm]")
    app.expectTree("Counter→[Confirm]")
    app.back()
    app.expectTree("Counter")

    app.send("done")
    app.send("confirm")
    app.expectEnded(#"{"reason":"finished","result":42}"#)
}

import Testing
import UIKit
import Usher
import UsherTesting

@Suite
struct NavigationTests {
    @Test func `the engine's stack lists the controllers of a navigation controller`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.expectStack("n[A]")
        app.take(.send(.push("B")))
        app.take(.send(.push("C")))
        app.expectStack("n[A, B, C]")
        app.take(.send(.popTo("A")))
        app.expectStack("n[A]")
        app.take(.send(.set(["X", "Y"])))
        app.expectStack("n[X, Y]")
    }

    @Test func `a screen that stays visible keeps its id`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.push("B")))
        let ids = app.screens.map(\.id)
        app.take(.send(.push("C")))
        app.take(.back)
        #expect(app.screens.map(\.id) == ids)
    }

    @Test func `pushing and popping a controller are reported as changes`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.push("B")))
        app.expectChanges(#"[{"push":[2]},{"update":[1]}]"#)
        app.take(.back)
        app.expectChanges(#"[{"pop":[2]},{"update":[1]}]"#)
    }

    @Test func `if a client reports that several screens were popped, these screens are removed`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.push("B")))
        app.take(.send(.push("C")))
        app.popped(2)
        app.expectStack("n[A]")
        app.take(.send(.push("D")))
        app.expectStack("n[A, D]")
    }

    @Test func `going back is refused while the top controller hides its back button`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.push("B")))
        app.take(.send(.hideBack))
        #expect(app.backState == #"{"refused":"the screen has no back button"}"#)
        app.expectRefusal(.invalid) { $0.back() }
        app.expectStack("n[A, B]")
    }

    @Test func `a left bar item replaces the back button, unless the controller's item asks to show both`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.push("B")))
        app.take(.send(.leftItem(supplements: false)))
        app.expectRefusal(.invalid) { $0.back() }
        app.expectRefusal(.refused, naming: "no swipe back") { $0.open(UIKitCoordinator.Flow.cancelledPop) }
        app.take(.send(.leftItem(supplements: true)))
        app.back()
        app.expectStack("n[A]")
    }

    /// developer.apple.com/documentation/uikit/uigesturerecognizerdelegate/gesturerecognizershouldbegin(_:).
    ///
    /// If the app sets its own delegate, or none, the user can swipe back even if the button or the bar is hidden:
    /// stackoverflow.com/q/24710258 and /q/19054625.
    @Test(arguments: [Swipe.delegate, .noDelegate], [RowScreen.Event.hideBack, .swipe(.hiddenBar)])
    func `the user can swipe back without a back button if the app sets the gesture recogniser's delegate`(
        _ swipe: Swipe, _ hiding: RowScreen.Event
    ) throws {
        let app = try AppUnderTest(RowApp.self)
        for event in [.push("B"), .swipe(.systemDelegate), hiding] { app.take(.send(event)) }
        #expect(app.backState == #"{"refused":"the screen has no back button"}"#)
        app.expectRefusal(.refused, naming: "the screen has no back button") {
            $0.open(UIKitCoordinator.Flow.cancelledPop)
        }
        app.take(.send(.swipe(swipe)))
        app.open(UIKitCoordinator.Flow.cancelledPop)
        app.back()
        app.expectStack("n[A]")
    }

    @Test func `the gesture recogniser's delegate is asked about swipes on the top screen only`()
        throws
    {
        let app = try AppUnderTest(RowApp.self)
        for event in [.swipe(.delegate), .push("B"), .hideBack, .push("C"), RowScreen.Event.hideBack] {
            app.take(.send(event))
        }
        #expect(!app.calls.contains { $0.hasPrefix("shouldBegin") })
        app.back()
        app.expectStack("n[A, B]")
        #expect(app.calls.filter { $0.hasPrefix("shouldBegin") } == ["shouldBegin on C"])
    }

    @Test func `if the delegate refuses a swipe, the screen stays and keeps its id`() throws {
        let app = try AppUnderTest(RowApp.self)
        for event in [.push("B"), .swipe(.delegate), .refuse, RowScreen.Event.hideBack] { app.take(.send(event)) }
        let screens = app.screens.map(\.id)
        #expect(app.backState == "true")
        let words = "Stage does not allow a swipe back"
        app.expectRefusal(.refused, naming: words) { $0.back() }
        app.expectRefusal(.refused, naming: words) { $0.popped(2) }
        app.expectRefusal(.refused, naming: words) { $0.open(UIKitCoordinator.Flow.cancelledPop) }
        #expect(app.screens.map(\.id) == screens)
    }

    @Test func `while the gesture recogniser is disabled, the user can go back only with the back button`() throws {
        let app = try AppUnderTest(RowApp.self)
        for event in [.push("B"), .swipe(.delegate), RowScreen.Event.swipe(.disabled)] { app.take(.send(event)) }
        app.expectRefusal(.refused, naming: "is disabled") { $0.open(UIKitCoordinator.Flow.cancelledPop) }
        app.back()
        for event in [.push("B"), RowScreen.Event.hideBack] { app.take(.send(event)) }
        app.expectRefusal(.invalid, naming: "the screen has no back button") { $0.back() }
        app.take(.send(.swipe(.enabled)))
        app.back()
        app.expectStack("n[A]")
    }

    @Test func `a window without a root controller is shown as an empty window`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.push("B")))
        app.take(.send(.noRoot))
        app.expectStack("n[emptyWindow]")
    }

    @Test(arguments: [9, -1])
    func `selecting a tab with an index out of bounds is ignored, with a warning`(_ index: Int) throws {
        let app = try AppUnderTest(RowApp.self, options: .init(start: .tabs))
        let calls = app.calls
        app.expectWarning("out of bounds") { $0.take(.send(.select(index))) }
        #expect(app.calls == calls)
        app.expectStack("tab(a){a[A], b[B]}")
    }

    @Test func `a collapsed split view shows the secondary column, unless its delegate chooses the primary column`()
        throws
    {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.split(primaryOnTop: false)))
        app.expectStack("n[P, S]")
        let other = try AppUnderTest(RowApp.self)
        other.take(.send(.split(primaryOnTop: true)))
        other.expectStack("n[P]")
    }

    @Test(arguments: [
        (RowScreen.Event.pushSelf, "Pushing the same view controller instance more than once is not supported"),
        (.pushNavigation, "Pushing a navigation controller is not supported"),
    ])
    func `a push that would crash on a phone is ignored, with UIKit's message`(
        _ event: RowScreen.Event, _ warning: String
    ) throws {
        let app = try AppUnderTest(RowApp.self)
        app.expectWarning(warning) { $0.take(.send(event)) }
        app.expectStack("n[A]")
    }

    @Test func `pushing a tab bar controller onto a navigation inside that controller is ignored, with a warning`()
        throws
    {
        let app = try AppUnderTest(RowApp.self, options: .init(start: .tabs))
        app.expectWarning("Pushing a controller onto a controller that it contains") { $0.take(.send(.pushContainer)) }
        app.expectStack("tab(a){a[A], b[B]}")
    }

    @Test func `if a navigation controller refuses to pop, going back does not remove its top controller`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.push("B")))
        app.take(.send(.refuse))
        app.take(.back)
        app.expectStack("n[A, B]")
        #expect(app.calls.last == "popViewController")
    }

    @Test func `popping the root controller has no effect`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.pop))
        app.expectStack("n[A]")
    }
}

import SelectorApp
import Testing
import UIKit
import Usher
import UsherTesting

/// Tests of targets and actions in an app with `#selector`, each with a replay.
@Suite
struct SelectorTests {
    @Test func `buttons, tap recognisers and refresh controls that use selectors are actions of their screen`()
        throws
    {
        let app = try AppUnderTest(SelectorApp.self)
        #expect(
            app.visible?.state
                == #"{"actions":["Wrong","Save","Add","Both","Post","Wait","Search","Cancel","Remove","Forget","Overload","Stranger","Cover","Refresh","Banner"]}"#
        )
    }

    @Test(arguments: [
        ("Save", "saved"), ("Both", "both true"), ("Post", "saved by kim"), ("Overload", "closed"),
        ("Refresh", "refreshing"), ("Banner", "banner"),
    ])
    func `a tap or a notification calls its target's method`(action: String, title: String) throws {
        let app = try AppUnderTest(SelectorApp.self)
        app.take(.tap(action))
        try expectTitle(title, in: app)
    }

    @Test func `a control calls each of its targets until the target is removed`() throws {
        let app = try AppUnderTest(SelectorApp.self)
        app.take(.tap("Add"))
        app.take(.tap("Add"))
        try expectTitle("Add 2 1", in: app)
        app.take(.tap("Remove"))
        app.take(.tap("Add"))
        app.take(.tap("Add"))
        try expectTitle("Add 4 2", in: app)
    }

    @Test func `a control does not retain its target, and ignores a target that was released`() throws {
        let app = try AppUnderTest(SelectorApp.self)
        app.take(.tap("Add"))
        app.take(.tap("Forget"))
        app.take(.tap("Add"))
        try expectTitle("Add 2 0", in: app)
    }

    @Test func `a warning appears if the sender has another type than the parameter of the target's method`() throws {
        let app = try AppUnderTest(SelectorApp.self)
        app.expectWarning("-[EditorViewController wrong(_:)]: an argument is not of type UIRefreshControl") {
            $0.take(.tap("Wrong"))
        }
        #expect(app.visible?.state.contains("title") == false)
    }

    @Test func `UIKit's warning appears if the target does not have the method`() throws {
        let app = try AppUnderTest(SelectorApp.self)
        app.expectWarning("-[EditorViewController note(_:)]: unrecognized selector sent to instance") {
            $0.take(.tap("Stranger"))
        }
    }

    @Test func `a tap recogniser that is disabled is not listed as an action`() throws {
        let app = try AppUnderTest(SelectorApp.self)
        app.take(.tap("Cover"))
        #expect(app.visible?.state.contains("Banner") == false)
    }

    @Test func `a timer calls the method of its target and passes itself`() throws {
        let app = try AppUnderTest(SelectorApp.self)
        app.take(.tap("Wait"))
        app.advance(by: .seconds(1))
        try expectTitle("tick", in: app)
    }

    @Test
    func `a delayed method call happens once, in its own input, unless the call is cancelled`()
        throws
    {
        let app = try AppUnderTest(SelectorApp.self)
        app.take(.tap("Search"))
        app.advance(by: .milliseconds(400))
        app.take(.tap("Search"))
        app.advance(by: .milliseconds(400))
        #expect(app.visible?.state.contains("title") == false)
        app.advance(by: .milliseconds(100))
        try expectTitle("found text", in: app)
        app.take(.tap("Save"))
        app.take(.tap("Search"))
        app.take(.tap("Cancel"))
        app.expectPending()
    }

    @Test func `selectors are equal if their names and numbers of parameters are equal`() {
        let close = Selector("close") { (target: UIViewController) in target.viewDidLoad }
        #expect(close == Selector("close") { (target: UIView) in target.removeFromSuperview })
        #expect(close != Selector("open") { (target: UIViewController) in target.viewDidLoad })
        #expect(close != Selector("close") { (target: UIViewController) in target.viewWillAppear(_:) })
        #expect("\(Selector("close") { (target: UIViewController) in target.viewWillAppear(_:) })" == "close(_:)")
    }

    @Test
    func `sendAction needs a target; an action method with a Boolean parameter receives true if there is a sender`()
        async
    {
        let end = Selector("endEditing") { (target: UIView) in target.endEditing(_:) }
        await MainActor.run {
            let view = EditedView()
            #expect(!UIApplication.shared.sendAction(end, to: nil, from: view, for: nil) && view.isForced == nil)
            #expect(UIApplication.shared.sendAction(end, to: view, from: view, for: nil) && view.isForced == true)
            #expect(UIApplication.shared.sendAction(end, to: view, from: nil, for: nil) && view.isForced == false)
        }
    }

    @Test func `a recogniser is attached to one view at a time`() async {
        await MainActor.run {
            let (first, second, tap) = (UIView(), UIView(), UITapGestureRecognizer())
            first.addGestureRecognizer(tap)
            second.addGestureRecognizer(tap)
            first.removeGestureRecognizer(tap)
            #expect(first.gestureRecognizers == nil && second.gestureRecognizers == [tap] && tap.view === second)
            second.removeGestureRecognizer(tap)
            #expect(second.gestureRecognizers == nil && tap.view == nil)
        }
    }

    private func expectTitle(
        _ title: String, in app: AppUnderTest, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let state = try #require(app.visible?.state, sourceLocation: sourceLocation)
        #expect(state.contains(#""title":"\#(title)""#), "\(state)", sourceLocation: sourceLocation)
    }
}

/// A view that records how its editing was ended.
private final class EditedView: UIView {
    private(set) var isForced: Bool?

    override func endEditing(_ force: Bool) -> Bool {
        isForced = force
        return true
    }
}

import Testing
import UIKit
import Usher
import UsherTesting

@Suite
struct PresentationTests {
    @Test func `modals are stacked above each other with their presentation styles`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.present("B", style: "automatic")))
        app.take(.send(.presentNavigation("C", style: "fullScreen")))
        app.take(.send(.push("D")))
        app.expectStack("n[A] ⊕ sheet[B] ⊕ fullScreen[C, D]")
        app.take(.back)
        app.expectStack("n[A] ⊕ sheet[B] ⊕ fullScreen[C]")
        app.take(.send(.dismiss))
        app.expectStack("n[A] ⊕ sheet[B]")
    }

    @Test(arguments: ["fullScreen", "overFullScreen", "formSheet", "popover"])
    func `each of UIKit's presentation styles has its counterpart in the engine`(_ style: String) throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.present("B", style: style)))
        app.expectStack("n[A] ⊕ \(style)[B]")
    }

    @Test func `only presentation styles that need a presentation context look for one`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.beContext))
        app.take(.send(.present("B", style: "automatic")))
        app.expectStack("n[A] ⊕ sheet[B]")
        app.take(.send(.dismissRoot))
        app.expectStack("n[A]")
    }

    @MainActor @Test func `a presentation controller whose presented controller is gone returns an empty controller`() {
        var controller: UIViewController? = UIViewController()
        let presentation = controller?.presentationController
        #expect(presentation?.presentedViewController === controller)
        controller = nil
        #expect(presentation?.presentedViewController.children == [])
    }

    @Test func `the completion of a dismissal runs even if no modal is presented`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.dismissWithCompletion))
        app.expectStack("n[A]")
        #expect(app.calls.last == "dismissed")
    }

    @MainActor @Test func `outside a session, completions run at once`() {
        var calls: [String] = []
        let (controller, url) = (UIViewController(), URL(string: "trail://a"))
        controller.present(UIViewController(), animated: true) { calls.append("presented") }
        controller.dismiss(animated: true) { calls.append("dismissed") }
        let pages = UIPageViewController(transitionStyle: .scroll, navigationOrientation: .horizontal)
        pages.setViewControllers([controller], direction: .forward, animated: true) { _ in calls.append("turned") }
        UIView.animate(withDuration: 1, animations: {}, completion: { _ in calls.append("animated") })
        if let url { UIApplication.shared.open(url) { _ in calls.append("opened") } }
        CATransaction.setCompletionBlock { calls.append("committed") }
        #expect(calls == ["presented", "dismissed", "turned", "animated", "opened", "committed"])
    }

    @Test func `dismissing the lowest modal closes all modals above it too`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.present("B", style: "automatic")))
        app.take(.send(.present("C", style: "automatic")))
        app.take(.send(.dismissRoot))
        app.expectStack("n[A]")
    }

    @Test func `a controller that already presents a modal cannot present another, and UIKit's warning appears`() throws
    {
        let app = try AppUnderTest(RowApp.self)
        app.expectWarning("which is already presenting") { $0.take(.send(.presentTwice("B", "C"))) }
        app.expectStack("n[A] ⊕ sheet[B]")
    }

    @Test(arguments: [false, true])
    func `a controller cannot present its own container, and UIKit's warning appears`(onModal: Bool) throws {
        let app = try AppUnderTest(RowApp.self)
        if onModal { app.take(.send(.present("B", style: "automatic"))) }
        app.expectWarning("present modally an active controller") { $0.take(.send(.presentContainer)) }
        app.expectStack(onModal ? "n[A] ⊕ sheet[B]" : "n[A]")
    }

    @Test func `adding a container as a child of its own child is ignored, with a warning`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.expectWarning("as a child") { $0.take(.send(.addContainer)) }
        app.expectStack("n[A]")
    }

    @Test func `presenting during a dismissal is ignored, with UIKit's warning`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.present("B", style: "automatic")))
        app.expectWarning("while a dismissal is in progress") { $0.take(.send(.dismissAndPresent("C"))) }
        app.expectStack("n[A]")
    }

    @Test func `presenting on a modal that is being dismissed is ignored, and the completion does not run`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.present("B", style: "automatic")))
        app.expectWarning("while a dismissal is in progress") { $0.take(.send(.dismissAndPresentHere("C"))) }
        app.expectStack("n[A]")
        #expect(!app.calls.contains("presented C"))
    }

    @Test func `a sheet can be pulled down even if its top controller hides the back button`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.presentNavigation("B", style: "automatic")))
        let sheet = try #require(app.visible?.id)
        app.take(.send(.push("C")))
        app.take(.send(.hideBack))
        app.expectRefusal(.invalid, naming: "no back button") { $0.back() }
        app.dismissed(sheet)
        app.expectStack("n[A]")
    }

    @Test func `a sheet cannot be pulled down while its top controller has isModalInPresentation`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.presentNavigation("B", style: "automatic")))
        let sheet = try #require(app.visible?.id)
        app.take(.send(.push("C")))
        app.take(.send(.beModal))
        app.expectRefusal(.invalid, naming: "pulling it down") { $0.dismissed(sheet) }
        app.back()
        app.expectStack("n[A] ⊕ sheet[B]")
    }

    @Test func `a sheet whose own controller has isModalInPresentation cannot be closed by the user`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.presentModal("B")))
        app.expectRefusal(.invalid) { $0.back() }
        app.expectStack("n[A] ⊕ sheet[B]")
    }

    @Test func `a sheet whose delegate refuses the dismissal stays open`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.presentWatched("B")))
        app.take(.send(.refuse))
        app.take(.back)
        app.expectStack("n[A] ⊕ sheet[B]")
        app.take(.send(.dismiss))
        app.expectStack("n[A]")
    }

    @Test func `pulling down a sheet closes nothing while the sheet above it cannot be pulled down`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.presentWatched("B")))
        let lower = try #require(app.visible?.id)
        app.take(.send(.presentWatched("C")))
        app.take(.send(.beModal))
        let before = app.calls.count
        app.dismissed(lower)
        app.expectStack("n[A] ⊕ sheet[B] ⊕ sheet[C]")
        #expect(Array(app.calls.dropFirst(before)) == ["didAttemptToDismiss"])
    }

    @Test func `an alert's state lists its actions, and each action closes the alert`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.alert))
        app.expectStack("n[A] ⊕ alert[alert]")
        app.expectState(#"{"title":"Sure?","actions":["Yes","No"],"fields":[]}"#)
        app.take(.tap("No"))
        app.expectStack("n[A]")
    }

    @Test func `an unknown action of an alert is refused`() throws {
        let app = try AppUnderTest(RowApp.self)
        app.take(.send(.alert))
        app.expectRefusal(.refused, naming: "Maybe") { $0.take(.tap("Maybe")) }
        app.expectStack("n[A] ⊕ alert[alert]")
    }
}

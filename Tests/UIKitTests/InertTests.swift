import Testing
import UIKit
import Usher
import UsherTesting

/// Tests of declarations that apps override and call, but that have no visible effect.
@Suite
struct InertTests {
    @Test func `an app may override methods that matter only on a phone`() throws {
        let app = try AppUnderTest(InertApp.self)
        app.expectStack("n[inert]")
        app.send("tap", ["action": "Copy"])
        app.expectState(#"{"title":"copied","actions":["Copy","Paste"]}"#)
        app.finishTest()
    }

    @Test func `the text that one user copies cannot be pasted by another user`() throws {
        let (first, second) = (try AppUnderTest(InertApp.self), try AppUnderTest(InertApp.self))
        first.send("tap", ["action": "Copy"])
        for (app, text) in [(first, "copied"), (second, "nothing")] {
            app.send("tap", ["action": "Paste"])
            app.expectState(#"{"title":"\#(text)","actions":["Copy","Paste"]}"#)
        }
    }
}

private enum InertApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            window.rootViewController = InertViewController()
            return nil
        }
    }
}

private final class InertViewController: UIViewController {
    override var preferredStatusBarStyle: UIStatusBarStyle { .lightContent }
    override var prefersStatusBarHidden: Bool { true }
    override var supportedInterfaceOrientations: UIInterfaceOrientationMask { [.portrait, .landscape] }
    override var preferredInterfaceOrientationForPresentation: UIInterfaceOrientation { .landscapeLeft }
    override var shouldAutorotate: Bool { false }

    override func viewWillLayoutSubviews() { title = "laid out" }
    override func viewDidLayoutSubviews() { title = "laid out" }
    override func viewSafeAreaInsetsDidChange() { title = "inset" }

    override var actionsOfScreen: [UIAction] {
        [
            UIAction(title: "Copy") { [weak self] _ in self?.copyText() },
            UIAction(title: "Paste") { [weak self] _ in self?.title = UIPasteboard.general.string ?? "nothing" },
        ]
    }

    private func copyText() {
        UIPasteboard.general.string = "copied"
        title = UIPasteboard.general.hasStrings ? "copied" : "nothing"
        setNeedsStatusBarAppearanceUpdate()
        UIImpactFeedbackGenerator(style: .light).impactOccurred()
        UINotificationFeedbackGenerator().notificationOccurred(.success)
        UISelectionFeedbackGenerator().selectionChanged()
        UIAccessibility.post(notification: .announcement, argument: "copied")
        if UIAccessibility.isVoiceOverRunning { title = "read" }
    }
}

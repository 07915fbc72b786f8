import Foundation
import MessageUI
import SafariServices
import Testing
import UIKit
import Usher
import UsherTesting

/// An app with a button for each kind of controller.
private enum KindsApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIStoryboard.register("Main", "Stored") { StoredViewController() }
        return UIKitCoordinator { window in
            window.rootViewController = UINavigationController(rootViewController: MenuViewController())
            return nil
        }
    }
}

private final class StoredViewController: UIViewController {}

private final class PageContentViewController: UIViewController {}

/// A controller whose view has a button for each kind.
private final class MenuViewController: UIViewController {
    private let pages = [PageContentViewController(), PageContentViewController()]

    override func viewDidLoad() {
        title = "Menu"
        pages[0].title = "first"
        pages[1].title = "second"
        add("pages") { $0.showPages() }
        add("split") { $0.showSplit() }
        add("share") { $0.share() }
        add("web") { $0.showPage() }
        add("mail") { $0.writeMail() }
        add("stored") { $0.showStored("Stored") }
        add("missing") { $0.showStored("Missing") }
    }

    private func add(_ title: String, _ perform: @escaping (MenuViewController) -> Void) {
        let action = UIAction(title: title) { [weak self] _ in
            if let self { perform(self) }
        }
        view.addSubview(UIButton(primaryAction: action))
    }

    private func showPages() {
        let controller = UIPageViewController(transitionStyle: .scroll, navigationOrientation: .horizontal)
        controller.dataSource = self
        controller.setViewControllers([pages[0]], direction: .forward, animated: false)
        present(controller, animated: true)
    }

    private func showSplit() {
        let controller = UISplitViewController(style: .doubleColumn)
        controller.setViewController(StoredViewController(), for: .primary)
        controller.modalPresentationStyle = .fullScreen
        present(controller, animated: true) {
            controller.showDetailViewController(PageContentViewController(), sender: nil)
        }
    }

    private func share() {
        let controller = UIActivityViewController(activityItems: ["a text"], applicationActivities: nil)
        controller.completionWithItemsHandler = { [weak self] _, isDone, _, _ in self?.title = "shared \(isDone)" }
        present(controller, animated: true)
    }

    private func showPage() {
        guard let url = URL(string: "https://example.org") else { return }
        present(SFSafariViewController(url: url), animated: true)
    }

    private func writeMail() {
        let mail = MFMailComposeViewController()
        mail.setToRecipients(["help@example.org"])
        mail.setSubject("a subject")
        mail.mailComposeDelegate = self
        present(mail, animated: true)
    }

    private func showStored(_ identifier: String) {
        let storyboard = UIStoryboard(name: "Main", bundle: nil)
        show(storyboard.instantiateViewController(withIdentifier: identifier), sender: nil)
    }
}

extension MenuViewController: MFMailComposeViewControllerDelegate {
    func mailComposeController(
        _ controller: MFMailComposeViewController, didFinishWith result: MFMailComposeResult, error: (any Error)?
    ) {
        title = "mail \(result)"
        controller.dismiss(animated: true)
    }
}

extension MenuViewController: UIPageViewControllerDataSource {
    func pageViewController(
        _ pageViewController: UIPageViewController, viewControllerBefore controller: UIViewController
    ) -> UIViewController? { controller == pages[1] ? pages[0] : nil }

    func pageViewController(
        _ pageViewController: UIPageViewController, viewControllerAfter controller: UIViewController
    ) -> UIViewController? { controller == pages[0] ? pages[1] : nil }
}

@Suite
struct OtherControllerTests {
    @Test func `a controller's buttons can be tapped`() throws {
        let app = try AppUnderTest(KindsApp.self)
        let actions = #"["pages","split","share","web","mail","stored","missing"]"#
        app.expectState(#"{"title":"Menu","actions":\#(actions)}"#)
    }

    @Test func `the user can turn a page controller's pages as long as there is a next page`() throws {
        let app = try AppUnderTest(KindsApp.self)
        app.take(.tap("pages"))
        app.expectState(#"{"title":"first","actions":[]}"#)
        app.open(UIKitCoordinator.Flow.pageTurned(forward: true))
        app.expectState(#"{"title":"second","actions":[]}"#)
        app.expectRefusal(.refused, naming: "no page") { $0.open(UIKitCoordinator.Flow.pageTurned(forward: true)) }
    }

    @Test func `a split view is shown as one stack`() throws {
        let app = try AppUnderTest(KindsApp.self)
        app.take(.tap("split"))
        app.expectStack("n[menu] ⊕ fullScreen[stored, pageContent]")
        app.back()
        app.expectStack("n[menu] ⊕ fullScreen[stored]")
    }

    @Test func `the user's choice in a system sheet is an event that closes the sheet`() throws {
        let app = try AppUnderTest(KindsApp.self)
        app.take(.tap("share"))
        app.expectStack("n[menu] ⊕ sheet[activity]")
        app.send("share")
        #expect(app.visible?.state.hasPrefix(#"{"title":"shared true""#) == true)
        app.take(.tap("web"))
        app.expectState(#"{"items":["https://example.org"]}"#)
        app.send("done")
        app.expectStack("n[menu]")
        app.take(.tap("mail"))
        app.expectState(#"{"items":["help@example.org","a subject"]}"#)
        app.send("sent")
        app.expectStack("n[menu]")
        #expect(app.visible?.state.hasPrefix(#"{"title":"mail sent""#) == true)
    }

    @Test func `a storyboard creates the controllers that the app has registered, and warns about other controllers`()
        throws
    {
        let app = try AppUnderTest(KindsApp.self)
        app.take(.tap("stored"))
        app.expectStack("n[menu, stored]")
        app.back()
        app.expectWarning("doesn't contain a view controller with identifier 'Missing'") { $0.take(.tap("missing")) }
    }
}

import MessageUI
import SafariServices
import Testing
import UIKit
import Usher
import UsherTesting

/// An app that presents the system's sheets, and shows the calls of their delegates.
private enum SheetApp: App {
    struct Options: Codable {
        var isPad = false
        /// Whether the mail's delegate does not dismiss the sheet.
        var keepsMail = false
    }

    static var options: Options { Options() }

    static func root(_ options: Options) -> sending AnyCoordinator {
        var settings = UIKitSettings()
        if options.isPad { settings.idiom = .pad }
        return UIKitCoordinator(settings: settings) { window in
            window.rootViewController = SheetMenuViewController(options)
            return nil
        }
    }
}

private final class SheetMenuViewController: UIViewController {
    private let options: SheetApp.Options

    init(_ options: SheetApp.Options) {
        self.options = options
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override var actionsOfScreen: [UIAction] {
        [
            UIAction(title: "share") { [weak self] _ in self?.share() },
            UIAction(title: "mail") { [weak self] _ in self?.writeMail() },
            UIAction(title: "web") { [weak self] _ in self?.showPage() },
            UIAction(title: "choose") { [weak self] _ in self?.choose() },
        ]
    }

    private func share() {
        let sheet = UIActivityViewController(activityItems: ["a text"], applicationActivities: nil)
        sheet.completionWithItemsHandler = { [weak self] activity, isDone, items, error in
            let isNothing = activity == nil && items == nil && error == nil
            self?.title = "shared \(isDone) \(isNothing) \(self?.presentedViewController == nil)"
        }
        present(sheet, animated: true)
    }

    private func writeMail() {
        let mail = MFMailComposeViewController()
        mail.mailComposeDelegate = self
        present(mail, animated: true)
    }

    private func showPage() {
        guard let url = URL(string: "https://example.org") else { return }
        let page = SFSafariViewController(url: url)
        page.dismissButtonStyle = .close
        page.delegate = self
        present(page, animated: true)
    }

    private func choose() {
        let sheet = UIAlertController(title: "Sort", message: nil, preferredStyle: .actionSheet)
        sheet.popoverPresentationController?.sourceView = view
        sheet.addAction(UIAlertAction(title: "By name", style: .default) { [weak self] _ in self?.title = "by name" })
        present(sheet, animated: true)
    }
}

extension SheetMenuViewController: MFMailComposeViewControllerDelegate {
    func mailComposeController(
        _ controller: MFMailComposeViewController, didFinishWith result: MFMailComposeResult, error: (any Error)?
    ) {
        title = "mail \(result)"
        if !options.keepsMail { controller.dismiss(animated: true) }
    }
}

extension SheetMenuViewController: SFSafariViewControllerDelegate {
    func safariViewControllerDidFinish(_ controller: SFSafariViewController) { title = "page finished" }
}

@Suite("The system's sheets of a UIKit app")
struct SystemSheetTests {
    @Test func `dismissing a sharing sheet removes the sheet and then calls the sheet's handler`() throws {
        let app = try AppUnderTest(SheetApp.self)
        app.take(.tap("share"))
        app.back()
        app.expectStack("n[sheetMenu]")
        expectTitle("shared false true true", of: app)
    }

    @Test func `dismissing a mail sheet cancels the mail and notifies the sheet's delegate`() throws {
        let app = try AppUnderTest(SheetApp.self)
        app.take(.tap("mail"))
        app.back()
        app.expectStack("n[sheetMenu]")
        expectTitle("mail cancelled", of: app)
    }

    @Test func `a mail sheet stays open if its delegate does not dismiss the sheet`() throws {
        let app = try AppUnderTest(SheetApp.self, options: .init(keepsMail: true))
        app.take(.tap("mail"))
        app.back()
        app.expectStack("n[sheetMenu] ⊕ sheet[mailCompose]")
    }

    @Test func `dismissing a web page calls the method of its delegate for the end of the page`() throws {
        let app = try AppUnderTest(SheetApp.self)
        app.take(.tap("web"))
        app.back()
        app.expectStack("n[sheetMenu]")
        expectTitle("page finished", of: app)
    }

    @Test func `an action sheet without a cancel action can be closed only by its actions`() throws {
        let app = try AppUnderTest(SheetApp.self)
        app.take(.tap("choose"))
        #expect(app.backState == #"{"refused":"the alert has no cancel action"}"#)
        app.expectRefusal(.invalid, naming: "no cancel action") { $0.back() }
        app.expectStack("n[sheetMenu] ⊕ actionSheet[alert]")
        app.take(.tap("By name"))
        expectTitle("by name", of: app)
    }

    @Test func `on an iPad, a tap outside an action sheet closes the sheet`() throws {
        let app = try AppUnderTest(SheetApp.self, options: .init(isPad: true))
        app.take(.tap("choose"))
        app.back()
        app.expectStack("n[sheetMenu]")
    }

    private func expectTitle(_ title: String, of app: AppUnderTest, sourceLocation: SourceLocation = #_sourceLocation) {
        let state = #"{"title":"\#(title)","actions":["share","mail","web","choose"]}"#
        app.expectState(state, sourceLocation: sourceLocation)
    }
}

import Testing
import UIKit
import Usher
import UsherTesting

/// An app that asks for a name and a password, and uses animations.
private enum AlertApp: App {
    static let screens: [any Screen.Type] = [AlertingScreen.self]

    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        var settings = UIKitSettings()
        settings.idiom = .pad
        return UIKitCoordinator(settings: settings) { window in
            window.rootViewController = UINavigationController(rootViewController: AlertingViewController("first"))
            return nil
        }
    }
}

private struct AlertingScreen: Screen, Equatable {
    enum Event: String, Codable, CaseIterable {
        case ask, sheet, choose, popover, pointed, push, nest, spin
    }

    let log: [String]
}

private final class AlertingViewController: UIViewController, ScreenController {
    private var log: [String] = []
    private var timer: Timer?

    init(_ name: String) {
        log = [name]
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    var content: AlertingScreen { AlertingScreen(log: log) }

    func handle(_ event: AlertingScreen.Event) {
        switch event {
        case .ask: present(makeAlert(), animated: true)
        case .sheet: UIAlertController(title: nil, message: nil, preferredStyle: .actionSheet).addTextField()
        case .choose:
            present(UIAlertController(title: "Sort", message: nil, preferredStyle: .actionSheet), animated: true)
        case .popover: popOver(from: nil)
        case .pointed: popOver(from: UIView())
        case .push: push()
        case .nest: nest()
        case .spin: timer = Timer.scheduledTimer(withTimeInterval: 0, repeats: true) { $0.invalidate() }
        }
    }

    private func makeAlert() -> UIAlertController {
        let alert = UIAlertController(title: "Who?", message: nil, preferredStyle: .alert)
        alert.addTextField { field in
            field.placeholder = "Name"
            field.text = "kim"
        }
        alert.addTextField { field in
            field.isSecureTextEntry = true
            field.text = "hidden"
        }
        alert.addAction(
            UIAlertAction(title: "Again", style: .default) { [weak self, weak alert] _ in
                guard let self, let alert else { return }
                log.append("\(alert.textFields?.first?.text?.count ?? 0) letters")
                present(alert, animated: true)
            })
        return alert
    }

    private func popOver(from view: UIView?) {
        let next = AlertingViewController("popover")
        next.modalPresentationStyle = .popover
        present(next, animated: true)
        // UIKit reads the source view only when the presentation begins.
        next.popoverPresentationController?.sourceView = view
    }

    private func push() {
        let next = AlertingViewController("next")
        CATransaction.begin()
        CATransaction.setCompletionBlock { [weak next] in
            next?.log.append("shown \(next?.isViewLoaded == true)")
        }
        navigationController?.pushViewController(next, animated: true)
        CATransaction.commit()
        next.log.append("pushed")
    }

    private func nest() {
        CATransaction.begin()
        CATransaction.setCompletionBlock { [weak self] in self?.log.append("outer") }
        CATransaction.begin()
        CATransaction.setCompletionBlock { [weak self] in self?.log.append("inner") }
        CATransaction.commit()
        CATransaction.commit()
    }
}

@Suite
struct AlertTests {
    @Test func `the state of an alert has the text that the app put into each field, except secure fields`() throws {
        let app = try AppUnderTest(AlertApp.self)
        app.send("ask")
        app.expectState(#"{"title":"Who?","actions":["Again"],"fields":["Name",""],"texts":["kim",""]}"#)
    }

    @Test func `an alert that is presented again does not show the text that the user had typed`() throws {
        let app = try AppUnderTest(AlertApp.self)
        app.send("ask")
        app.input(#"{"event":{"tap":{"action":"Again","texts":["kimberly"]}}}"#)
        app.expectStack("n[alerting] ⊕ alert[alert]")
        app.expectState(#"{"title":"Who?","actions":["Again"],"fields":["Name",""]}"#)
    }

    @Test func `an action of an alert is refused if it sends more texts than the alert has fields`() throws {
        let app = try AppUnderTest(AlertApp.self)
        app.send("ask")
        app.expectRefusal(.refused, naming: "2 text fields") { app in
            app.input(#"{"event":{"tap":{"action":"Again","texts":["a","b","c"]}}}"#)
        }
    }

    @Test func `adding a text field to an action sheet has no effect and causes UIKit's warning`() throws {
        let app = try AppUnderTest(AlertApp.self)
        app.expectWarning("Text fields can only be added") { $0.send("sheet") }
    }

    /// Apple, UIPopoverPresentationController: without a source, a presentation raises an exception.
    @Test func `on an iPad, a popover or action sheet without an anchor is not shown, and UIKit's warning appears`()
        throws
    {
        let app = try AppUnderTest(AlertApp.self)
        app.send("pointed")
        app.expectStack("n[alerting] ⊕ popover[alerting]")
        app.back()
        for event in ["popover", "choose", "popover"] {
            app.expectWarning("should have a non-nil sourceView or barButtonItem") { $0.send(event) }
            app.expectStack("n[alerting]")
        }
        app.send("ask")
        app.expectStack("n[alerting] ⊕ alert[alert]")
    }

    @Test func `the completion of a transaction runs when the pushed controller is shown`() throws {
        let app = try AppUnderTest(AlertApp.self)
        app.send("push")
        app.expectState(#"{"log":["next","pushed","shown true"]}"#)
    }

    @Test func `a nested transaction completes before the outer transaction`() throws {
        let app = try AppUnderTest(AlertApp.self)
        app.send("nest")
        app.expectState(#"{"log":["first","inner","outer"]}"#)
    }

    @Test func `a repeating timer with the interval 0 causes a warning that names the timer's line of code`() throws {
        let app = try AppUnderTest(AlertApp.self)
        app.expectWarning("UIKitTests/AlertTests.swift") { $0.send("spin") }
        app.advance(by: .milliseconds(5))
    }
}

import Testing
import UIKit
import Usher
import UsherTesting

/// An app with one controller, whose bars and view have buttons of one kind.
private enum ButtonsApp: App {
    enum Kind: String, Codable { case titles, toolbar, customView, menu, pictures, deafButton, deafView }

    struct Options: Codable {
        var kind = Kind.titles
    }

    static var options: Options { Options() }

    static func root(_ options: Options) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let navigation = UINavigationController(rootViewController: ButtonsViewController(options.kind))
            navigation.isToolbarHidden = false
            window.rootViewController = navigation
            return nil
        }
    }
}

private final class ButtonsViewController: UIViewController {
    private let kind: ButtonsApp.Kind

    init(_ kind: ButtonsApp.Kind) {
        self.kind = kind
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        switch kind {
        case .titles: makeTitles()
        case .toolbar: toolbarItems = [UIBarButtonItem(systemItem: .flexibleSpace), item("Share"), item("Hide")]
        case .customView: makeCustomView()
        case .menu: makeMenu()
        case .pictures: makePictures()
        case .deafButton: makeDeaf(inDeafView: false)
        case .deafView: makeDeaf(inDeafView: true)
        }
    }

    private func makeTitles() {
        navigationItem.title = "bar"
        navigationItem.rightBarButtonItems = ["bar", "own"].map { text in
            UIBarButtonItem(
                title: text,
                primaryAction: UIAction { [weak self] _ in
                    if text == "bar" { self?.navigationItem.title = "bar again" } else { self?.title = "own" }
                })
        }
    }

    private func makeCustomView() {
        let button = UIButton(primaryAction: action("Filter"))
        let stack = UIView()
        stack.addSubview(UIButton(primaryAction: action("Sort")))
        navigationItem.rightBarButtonItems = [
            UIBarButtonItem(customView: button), UIBarButtonItem(customView: stack),
        ]
    }

    private func makePictures() {
        navigationItem.titleView = UIButton(primaryAction: action("Folder"))
        navigationItem.rightBarButtonItems = ["gear", "bell"].map { name in
            let item = UIBarButtonItem(
                image: UIImage(),
                primaryAction: UIAction { [weak self] _ in
                    self?.title = name
                    self?.navigationController?.isNavigationBarHidden = name == "bell"
                })
            item.accessibilityIdentifier = name
            return item
        }
    }

    private func makeMenu() {
        let hidden = action("Hidden")
        hidden.attributes = .hidden
        let disabled = action("Disabled")
        disabled.attributes = .disabled
        let inner = UIMenu(title: "More", children: [action("Archive"), hidden, disabled])
        navigationItem.rightBarButtonItem = UIBarButtonItem(
            title: "Menu", menu: UIMenu(children: [action("Delete"), inner]))
    }

    private func makeDeaf(inDeafView: Bool) {
        let button = UIButton(primaryAction: action("Send"))
        let box = UIView()
        box.addSubview(button)
        view.addSubview(box)
        box.isUserInteractionEnabled = !inDeafView
        button.isUserInteractionEnabled = inDeafView
        navigationItem.rightBarButtonItem = item("Wake")
        navigationItem.rightBarButtonItem?.primaryAction = UIAction { _ in
            box.isUserInteractionEnabled = true
            button.isUserInteractionEnabled = true
        }
    }

    private func item(_ title: String) -> UIBarButtonItem {
        UIBarButtonItem(title: title, primaryAction: action(title))
    }

    private func action(_ title: String) -> UIAction {
        UIAction(title: title) { [weak self] _ in
            self?.title = title
            if title == "Hide" { self?.navigationController?.setToolbarHidden(true, animated: true) }
        }
    }
}

@Suite("Tappable elements of a controller without its own screen")
struct TappableTests {
    @Test func `a controller's state has the title that was set last, on the controller or on its navigation bar`()
        throws
    {
        let app = try AppUnderTest(ButtonsApp.self)
        app.expectState(#"{"title":"bar","actions":["own","bar"]}"#)
        app.take(.tap("own"))
        app.expectState(#"{"title":"own","actions":["own","bar"]}"#)
        app.take(.tap("bar"))
        app.expectState(#"{"title":"bar again","actions":["own","bar"]}"#)
    }

    @Test func `items of a visible toolbar can be tapped`() throws {
        let app = try AppUnderTest(ButtonsApp.self, options: .init(kind: .toolbar))
        app.expectState(#"{"actions":["Share","Hide"]}"#)
        app.take(.tap("Share"))
        app.expectState(#"{"title":"Share","actions":["Share","Hide"]}"#)
        app.take(.tap("Hide"))
        app.expectState(#"{"title":"Hide","actions":[]}"#)
    }

    @Test func `controls in a bar button's custom view can be tapped`() throws {
        let app = try AppUnderTest(ButtonsApp.self, options: .init(kind: .customView))
        app.take(.tap("Filter"))
        app.expectState(#"{"title":"Filter","actions":["Sort","Filter"]}"#)
    }

    @Test
    func `buttons with a picture have names, and a title view's controls are listed unless the bar is hidden`()
        throws
    {
        let app = try AppUnderTest(ButtonsApp.self, options: .init(kind: .pictures))
        app.expectState(#"{"actions":["bell","gear","Folder"]}"#)
        app.take(.tap("gear"))
        app.expectState(#"{"title":"gear","actions":["bell","gear","Folder"]}"#)
        app.take(.tap("bell"))
        app.expectState(#"{"title":"bell","actions":[]}"#)
    }

    @Test func `actions of a bar button's menu can be tapped`() throws {
        let app = try AppUnderTest(ButtonsApp.self, options: .init(kind: .menu))
        app.take(.tap("Archive"))
        app.expectState(#"{"title":"Archive","actions":["Delete","Archive","Disabled"]}"#)
        app.expectRefusal(.refused, naming: "disabled") { $0.take(.tap("Disabled")) }
        app.expectRefusal(.refused, naming: "Hidden") { $0.take(.tap("Hidden")) }
    }

    @Test func `a control cannot be tapped if user interaction is disabled for the control or a view around it`() throws
    {
        for kind in [ButtonsApp.Kind.deafButton, .deafView] {
            let app = try AppUnderTest(ButtonsApp.self, options: .init(kind: kind))
            app.expectRefusal(.refused, naming: "disabled") { $0.take(.tap("Send")) }
            app.take(.tap("Wake"))
            app.take(.tap("Send"))
            #expect(app.visible?.state.contains(#""title":"Send""#) == true)
        }
    }
}

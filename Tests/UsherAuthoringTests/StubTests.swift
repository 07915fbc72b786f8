import Testing
import UsherAuthoring

@Suite("A replacement of a view controller or a SwiftUI view")
struct StubTests {
    private static let controller = """
        import UIKit

        protocol LoginViewControllerDelegate: AnyObject {
            func loginDidAskForHelp(_ controller: LoginViewController)
        }

        final class LoginViewController: UIViewController {
            weak var delegate: LoginViewControllerDelegate?
            let viewModel: LoginViewModel
            private let nameField = UITextField()
            private var attempts: Int = 0
            static var count: Int = 0

            override func viewDidLoad() {
                super.viewDidLoad()
                viewModel.load(force: true)
                help.addAction(UIAction { [weak self] _ in self?.askForHelp() }, for: .touchUpInside)
            }

            init(viewModel: LoginViewModel) {
                self.viewModel = viewModel
                super.init(nibName: nil, bundle: nil)
            }

            @objc private func loginTapped(_ sender: UIButton) {
                viewModel.login(name: nameField.text ?? "", remember: true)
            }

            @objc func cancelTapped() { dismiss(animated: true, completion: nil) }

            private func askForHelp() { delegate?.loginDidAskForHelp(self) }

            private func pick(_ image: UIImage) { viewModel.take(image) }
        }
        """

    private static let viewModel = """
        final class LoginViewModel {
            private(set) var failure: String?
            private var secret: String = ""
            func load(force: Bool) {}
            func login(name: String, remember flag: Bool) {}
            func take(_ image: UIImage) {}
        }
        """

    @Test func `a template has events for the calls that a user causes, and content for simple properties`() throws {
        let text = try stub("LoginViewController", ["a.swift": Self.controller, "b.swift": Self.viewModel])
        #expect(
            text == """
                // Replaces LoginViewController on Linux: exclude the original's file there.
                import UIKit
                import Usher

                /// What clients see of LoginViewController.
                struct LoginScreen: Screen, Equatable {
                    enum Event: Codable {
                        case login(name: String, flag: Bool)
                        case cancelTapped
                        case loginDidAskForHelp
                    }

                    static let examples: [Event] = [
                        .login(name: "text", flag: true),
                        .cancelTapped,
                        .loginDidAskForHelp,
                    ]

                    let title: String?
                    let failure: String?
                }

                protocol LoginViewControllerDelegate: AnyObject {
                    func loginDidAskForHelp(_ controller: LoginViewController)
                }

                final class LoginViewController: UIViewController, ScreenController {
                    weak var delegate: LoginViewControllerDelegate?
                    let viewModel: LoginViewModel

                    init(viewModel: LoginViewModel) {
                        self.viewModel = viewModel
                        super.init(nibName: nil, bundle: nil)
                    }

                    required init?(coder: NSCoder) { nil }

                    var content: LoginScreen { LoginScreen(title: title, failure: viewModel.failure) }

                    func handle(_ event: LoginScreen.Event) throws {
                        switch event {
                        case .login(let name, let flag): viewModel.login(name: name, remember: flag)
                        case .cancelTapped: dismiss(animated: true, completion: nil)
                        case .loginDidAskForHelp: delegate?.loginDidAskForHelp(self)
                        }
                    }

                    // Check: no event for `viewModel.take(…)`, because a parameter has a type that is not simple.
                }
                """)
        let stub = try ControllerStub(
            of: "LoginViewController",
            in: ["a.swift": SwiftSource(Array((Self.controller + Self.viewModel).utf8))])
        #expect(
            stub.remarks == [
                "move LoginViewModel into another file, because the original's file is excluded on Linux",
                "no event for `viewModel.take(…)`, because a parameter has a type that is not simple",
            ])
    }

    @Test func `calls in an extension of the controller's class become events of the template too`() throws {
        let table = """
            extension LoginViewController: UITableViewDelegate {
                func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
                    viewModel.select(at: indexPath.row)
                }
            }
            extension LoginViewModel {}
            """
        let viewModel = "class LoginViewModel { func select(at index: Int) {} }"
        let text = try stub(
            "LoginViewController", ["a.swift": Self.controller, "b.swift": viewModel, "c.swift": table])
        #expect(text.contains("case select(index: Int)"))
        #expect(text.contains("case .select(let index): viewModel.select(at: index)"))
    }

    @Test func `methods with the same name become separate events that differ by their argument labels`() throws {
        let code = """
            protocol PickerDelegate: AnyObject {
                func picker(_ picker: PickerController)
                func picker(_ picker: PickerController, didPick id: Int)
                func picker(_ picker: PickerController, didRemove id: Int)
                func picker(_ picker: PickerController, willMove id: Int, to place: Int)
            }

            class PickerController: UIViewController {
                weak var delegate: PickerDelegate?
                func pick(_ id: Int) { delegate?.picker(self, didPick: id) }
                func remove(_ id: Int) { delegate?.picker(self, didRemove: id) }
                func move(_ id: Int) { delegate?.picker(self, willMove: id, to: places[id, default: 0]) }
                func close() { delegate?.picker(self) }
            }
            """
        let text = try stub("PickerController", ["a.swift": code])
        for line in [
            "case pickerDidPick(id: Int)", "case pickerDidRemove(id: Int)",
            "case pickerWillMoveTo(id: Int, place: Int)", "case picker",
            "case .pickerDidPick(let id): delegate?.picker(self, didPick: id)",
            "case .pickerDidRemove(let id): delegate?.picker(self, didRemove: id)",
            "case .pickerWillMoveTo(let id, let place): delegate?.picker(self, willMove: id, to: place)",
            "case .picker: delegate?.picker(self)",
        ] {
            #expect(text.split(separator: "\n").contains { $0.hasSuffix(" \(line)") }, "\(line) in \(text)")
        }
    }

    @Test func `a call that omits default arguments or has a trailing closure is matched with its method`() throws {
        let code = """
            class PickerModel {
                func load(page: Int, size: Int = 10) {}
                func load(id: String) {}
                func save(name: String, then: () -> Void) {}
            }

            class PickerController: UIViewController {
                let viewModel: PickerModel
                init(viewModel: PickerModel) { self.viewModel = viewModel; super.init(nibName: nil, bundle: nil) }
                func more() { viewModel.load(page: 2) }
                func one() { viewModel.load(id: "a") }
                func keep() { viewModel.save(name: "a") {} }
            }
            """
        let text = try stub("PickerController", ["a.swift": code])
        #expect(text.contains("case loadPageSize(page: Int, size: Int)"))
        #expect(text.contains("case loadId(id: String)"))
        #expect(text.contains("// Check: no event for `viewModel.save(…)`"))
    }

    @Test func `a template adds try to throwing calls, omits asynchronous calls, and escapes keywords`() throws {
        let code = """
            class CartModel {
                func pay(sum: Int) throws {}
                func send(for: String) {}
                func load() async throws -> [String] { [] }
                func `repeat`() -> (() throws -> Void) { {} }
            }

            class CartController: UIViewController {
                let viewModel: CartModel
                init(viewModel: CartModel) { self.viewModel = viewModel; super.init(nibName: nil, bundle: nil) }
                func one() { try? viewModel.pay(sum: 1) }
                func two() { Task { try await viewModel.load() } }
                func four() { viewModel.send(for: "kim") }
                func three() { _ = viewModel.repeat() }
                @objc func keep() throws {}
            }
            """
        let text = try stub("CartController", ["a.swift": code])
        #expect(text.contains("case .pay(let sum): try viewModel.pay(sum: sum)"))
        #expect(text.contains("// Check: no event for `viewModel.load(…)`, because the method is asynchronous"))
        #expect(text.contains("case `repeat`\n") && text.contains("case .repeat: _ = viewModel.repeat()"))
        #expect(text.contains("// Check: no event for `keep()`; write the statements of this method into `handle(_:)`"))
        #expect(text.contains("case .send(let `for`): viewModel.send(for: `for`)"))
    }

    @Test
    func `overloads that differ only in types become separate events; async and throwing properties are omitted`()
        throws
    {
        let code = """
            class CartModel {
                var count: Int { get async { 0 } }
                var name: String { get throws { "" } }
                var total: Int { get { 0 } }
                func show(_ id: Int) {}
                func show(_ name: String) {}
                func show(sum: Double) {}
            }

            class CartController: UIViewController {
                let viewModel: CartModel
                init(viewModel: CartModel) { self.viewModel = viewModel; super.init(nibName: nil, bundle: nil) }
                func one() { viewModel.show(1) }
                func two() { viewModel.show("a") }
            }
            """
        let text = try stub("CartController", ["a.swift": code])
        #expect(text.contains("case .showInt(let id): viewModel.show(id)"))
        #expect(text.contains("case .showString(let name): viewModel.show(name)"))
        #expect(text.contains("let total: Int") && !text.contains("let count") && !text.contains("let name: "))
    }

    @Test(arguments: [
        ("if viewModel.isBusy {}", false), ("if !viewModel.isBusy, list(1).isEmpty, viewModel.isBusy {}", false),
        ("while viewModel.isBusy {}", false), ("switch viewModel.isBusy { default: break }", false),
        ("for row in viewModel.isBusy {}", false), ("guard viewModel.isBusy else { return }", false),
        ("if a {}; viewModel.isBusy {}", true), ("if a {}\n viewModel.isBusy {}", true),
        ("if list(viewModel.isBusy {}) {}", true), ("#if DEBUG\n viewModel.isBusy {}\n #endif", true),
        ("if viewModel.isBusy() {}", true),
    ])
    func `a property that stands before the brace of an if statement is not taken for a call`(
        statement: String, isCall: Bool
    )
        throws
    {
        let code = """
            class CartModel {}
            class CartController: UIViewController {
                let viewModel: CartModel
                init(viewModel: CartModel) { self.viewModel = viewModel; super.init(nibName: nil, bundle: nil) }
                func show() { \(statement) }
            }
            """
        let text = try stub("CartController", ["a.swift": code])
        #expect(
            text.contains("no event for `viewModel.isBusy(…)`, because these files do not declare the method")
                == isCall, "\(text)")
    }

    @Test(arguments: [
        (#""""#, "String"), (#""a""#, "String"), ("0", "Int"), ("-3", "Int"), ("0xE", "Int"), ("1.5", "Double"),
        ("1e3", "Double"), ("true", "Bool"), ("false { didSet {} }", "Bool"), ("nil", nil), (".none", nil), ("[]", nil),
        ("/a/", nil), ("#/a/#", nil), (#""a".count"#, nil), (#""a"\n.count"#, nil), ("1 + 0.5", nil), ("-x", nil),
    ])
    func `a property without a declared type has the type of its literal`(value: String, type: String?) throws {
        let code = "class M { var a = \(value) }\nstruct V: View { let model: M\nvar body: Int { f(model.a) } }"
        let text = try stub("V", ["a.swift": code.replacing("\\n", with: "\n")])
        #expect(text.contains("let a: \(type ?? "")") == (type != nil), "\(text)")
        #expect(text.contains("no content of `model.a`, because its type is not written") == (type == nil), "\(text)")
    }

    @Test
    func `a delegate call in an overridden table method becomes an event if its parameters are simple`()
        throws
    {
        let code = """
            protocol ListDelegate: AnyObject {
                func list(_ list: ListController, didPick row: Row)
                func listDidClose(_ list: ListController)
            }
            class ListController: UITableViewController {
                weak var delegate: ListDelegate?
                override func tableView(_ table: UITableView, didSelectRowAt path: IndexPath) {
                    delegate?.list(self, didPick: rows[path.row])
                }
                override func collectionView() { delegate?.listDidClose(self) }
            }
            """
        let text = try stub("ListController", ["a.swift": code])
        #expect(
            text.contains(
                "// Check: no event for `delegate?.list(…)`, because a parameter has a type that is not simple."))
        #expect(text.contains("case .listDidClose: delegate?.listDidClose(self)"))
    }

    @Test func `the template for a class without events is a screen that has a title`() throws {
        let text = try stub("HelpController", ["a.swift": "class HelpController: UIViewController {}"])
        #expect(text.hasSuffix("    var content: HelpScreen { HelpScreen(title: title) }\n}"))
        #expect(text.contains("struct HelpScreen: Screen, Equatable {\n    let title: String?\n}"))
        #expect(!text.contains("handle"))
    }

    @Test(arguments: [
        (
            "Nothing", ["a.swift": "class HomeViewController {}\nstruct AView: View {}"],
            "there is no type Nothing in these files; view controllers and views in them: AView, HomeViewController"
        ),
        (
            "Nothing", ["a.swift": "let a = 1"],
            "there is no type Nothing in these files; view controllers and views in them: none"
        ),
        (
            "Home", ["a.swift": "class Home {}", "b.swift": "class Home {}"],
            "there are several types Home (a.swift:1, b.swift:1)"
        ),
        (
            "Home", ["a.swift": "class Home {}\nextension Home: ScreenController {}"],
            "Home already has a screen: a.swift:2"
        ),
        ("Home", ["a.swift": "extension Home {}"], "there is no type Home in these files"),
        ("Home", ["a.swift": "class Home: Model {}"], "Home is neither a view controller nor a SwiftUI view"),
        ("Home", ["a.swift": "class Home: Home {}"], "Home is neither a view controller nor a SwiftUI view"),
        ("Home", ["a.swift": "class Home<Model>: UIViewController {}"], "Home is generic: name one of its subclasses"),
        ("Home", ["a.swift": "struct Home<A>: View where A: B {}"], "Home has a clause `where`"),
        (
            "Home", ["a.swift": "class Home: UITabBarController {}"],
            "Home is a UITabBarController, which exists on Linux too"
        ),
    ])
    func `if a type cannot be replaced, the error states the reason`(
        name: String, files: [String: String], words: String
    )
        throws
    {
        let error = try #require(throws: ControllerStub.Failure.self) { try stub(name, files) }
        #expect(error.description.contains(words), "\(error)")
    }

    @Test func `source that does not compile does not crash the tool`() throws {
        let broken = Self.controller + Self.viewModel
        for count in stride(from: 0, to: broken.utf8.count, by: 7) {
            guard let source = try? SwiftSource(Array(broken.utf8.prefix(count))) else { continue }
            _ = try? ControllerStub(of: "LoginViewController", in: ["a.swift": source]).text
        }
    }

    private func stub(_ name: String, _ files: [String: String]) throws -> String {
        try ControllerStub(of: name, in: files.mapValues { try SwiftSource(Array($0.utf8)) }).text
    }
}

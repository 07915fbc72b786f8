import Foundation
import Programs
import Testing
import UsherAuthoring

/// Compiles replacements with the files of an app that do not contain the original.
@Suite("A replacement compiles with the rest of its app", .timeLimit(.minutes(5)))
struct CompiledStubTests {
    /// A type to replace, its file, and the app's other files.
    struct Sample: CustomTestStringConvertible, Sendable {
        let type: String
        let original: String
        let rest: String
        /// Lines of the replacement.
        let lines: [String]

        var testDescription: String { type }
    }

    @Test(arguments: controllers + views + streams)
    func `the replacement of each kind of screen compiles`(sample: Sample) throws {
        let files = ["Original.swift": sample.original, "Rest.swift": sample.rest]
        let sources = try files.mapValues { try SwiftSource(Array($0.utf8)) }
        let stub = try ControllerStub(of: sample.type, in: sources)
        let text = stub.text
        let written = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for line in sample.lines { #expect(written.contains(line), "\(line) is not in:\n\(text)") }
        let folder = try TemporaryFolder()
        try folder.write(Array(text.utf8), to: "Replacement.swift")
        try folder.write(Array(sample.rest.utf8), to: "Rest.swift")
        let end = try Program.run(
            Self.compiler + [folder("Replacement.swift"), folder("Rest.swift")], errors: .together)
        #expect(end.status == 0, "\(end.output)\n\(text)")
    }

    private static var compiler: [String] {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
        let headers = ["CBytes", "CJemalloc", "CProcess"].flatMap { ["-I", "\(root)/Sources/\($0)"] }
        return [
            "swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors", "-I",
            "\(Program.products)/Modules",
        ] + headers
    }

    private static let controllers = [
        Sample(
            type: "LoginViewController",
            original: """
                import UIKit
                import SnapKit

                @MainActor
                protocol LoginViewControllerDelegate: AnyObject {
                    var kind: Kind { get }
                    func `default`()  // a keyword
                    func loginDidAskForHelp(_ controller: LoginViewController)
                }

                enum Kind { case short, long }

                final class LoginViewController: UIViewController, UITextFieldDelegate {
                    weak var delegate: LoginViewControllerDelegate?
                    var onClose: (() -> Void)?
                    var onPick: ((_ id: Int, String) -> Void)?
                    var onImage: ((UIImage) -> Void)?
                    private let viewModel: LoginViewModel
                    private let nameField = UITextField()
                    let table: UITableView = UITableView()
                    let greeting: String = "hello"
                    var attempts: Int = 0

                    init(viewModel: LoginViewModel, attempts: Int = 3) {
                        self.viewModel = viewModel
                        self.attempts = attempts
                        super.init(nibName: nil, bundle: nil)
                        title = "Login"
                    }

                    init(mode: Mode) { fatalError() }

                    convenience init() { self.init(viewModel: LoginViewModel()) }

                    required init?(coder: NSCoder) { fatalError() }

                    enum Mode { case short }

                    override func viewDidLoad() {
                        super.viewDidLoad()
                        viewModel.load(force: true)
                    }

                    @objc private func loginTapped() { viewModel.login(name: nameField.text ?? "", remember: true) }
                    @objc private func backTapped() { navigationController?.popViewController(animated: true) }
                    @objc private func leaveTapped() { self.dismiss(animated: true) }
                    @objc private func shakeTapped() { nameField.layer.shake() }
                    @objc private func closeTapped() { onClose?() }
                    private func help() { delegate?.loginDidAskForHelp(self) }
                    private func send() { viewModel.send(for: "kim"); viewModel.tag("a") }
                    private func count() { _ = viewModel.count(1) }
                }
                """,
            rest: """
                import UIKit

                @MainActor final class LoginViewModel {
                    private(set) var failure: String?
                    func load(force: Bool) {}
                    func login(name: String, remember flag: Bool) throws {}
                    func send(for: String) {}
                    func tag(_: String) {}
                    func count(_ number: Int) -> Int { number }
                }

                enum LoginScreen {}

                @MainActor func start(_ model: LoginViewModel) -> UIViewController {
                    let controller = LoginViewController(viewModel: model)
                    controller.onClose = {}
                    controller.onPick = { _, _ in }
                    return controller
                }
                """,
            lines: [
                "final class LoginViewController: UIViewController, ScreenController {",
                "enum Kind { case short, long }", "func `default`()", "private let viewModel: LoginViewModel",
                "weak var delegate: LoginViewControllerDelegate?",
                "init(viewModel: LoginViewModel, attempts: Int = 3) {", "self.attempts = attempts",
                "case .onClose: onClose?()", "case .onPick(let id, let value2): onPick?(id, value2)",
                "case .login(let name, let flag): try viewModel.login(name: name, remember: flag)",
                "case .backTapped: _ = navigationController?.popViewController(animated: true)",
                "case .leaveTapped: dismiss(animated: true)", "case .tag(let value): viewModel.tag(value)",
                "case .count(let number): _ = viewModel.count(number)",
                "struct LoginViewControllerContent: Screen, Equatable {",
                "// Check: no `init(mode:)`, because Mode is not declared in these files.",
                "// Check: no `init()`, because it calls another initializer.",
                "// Check: no property `table`, because UITableView is not declared in these files.",
                "// Check: no property `greeting`, because its value is not understood.",
                "// Check: no event for `shakeTapped()`; write the statements of this method into `handle(_:)`.",
                "// Check: no event for `onImage(…)`, because a parameter has a type that is not simple.",
            ]),
        Sample(
            type: "CartViewController",
            original: """
                import UIKit

                final class CartViewController: BaseViewController<CartViewModel>, Refreshable {
                    private let number: Int

                    init(_ model: CartViewModel, number: Int) {
                        self.number = number
                        super.init(viewModel: model)
                    }

                    required init?(coder: NSCoder) { fatalError() }

                    func refresh() { viewModel.pay(sum: number) }
                    func done() { viewModel.onDone?() }
                }
                """,
            rest: """
                import UIKit

                protocol Refreshable { func refresh() }

                class BaseViewController<Model: AnyObject>: UIViewController {
                    let viewModel: Model

                    init(viewModel: Model) {
                        self.viewModel = viewModel
                        super.init(nibName: nil, bundle: nil)
                    }

                    required init?(coder: NSCoder) { fatalError() }
                }

                @MainActor final class CartViewModel {
                    var onDone: (() -> Void)?
                    func pay(sum: Int) {}
                }

                @MainActor func cart() -> UIViewController { CartViewController(CartViewModel(), number: 1) }
                """,
            lines: [
                "init(_ model: CartViewModel, number: Int) {", "self.viewModel = model", "let viewModel: CartViewModel",
                "case .pay(let sum): viewModel.pay(sum: sum)", "case .onDone: viewModel.onDone?()",
                "// Check: this class does not inherit from BaseViewController, but has the properties of that class.",
                "// Check: this type does not conform to Refreshable.",
            ]),
        Sample(
            type: "OfferViewController",
            original: """
                import UIKit

                class OfferViewController: UITableViewController {
                    let content: String
                    var viewModel: OfferViewModel!
                    init(content: String, store: Store<Offer>) { self.content = content; super.init(style: .plain) }
                    required init?(coder: NSCoder) { fatalError() }
                }
                """,
            rest: "final class OfferViewModel { func take() {} }",
            lines: [
                "var viewModel: OfferViewModel!",
                "// Check: no `init(content:store:)`, because Store is not declared in these files.",
                "// Check: this class is a UIViewController instead of a UITableViewController.",
                "// Check: no property `content`, because its value is not understood.",
            ]),
        Sample(
            type: "EditViewController",
            original: """
                import UIKit
                import Combine
                public final class EditViewController: UIViewController {
                    public let onSelect: @MainActor (Int) -> Void
                    var onDone: ((Result<Int, any Error>) -> Void)?
                    let provide: () -> String
                    var onAsync: (() async -> Void)?
                    unowned let coordinator: MainCoordinator
                    var user: User? { didSet { show() } }
                    var items: [Item] = [] { didSet { show() } }
                    var style: Style = .plain
                    var handler: ((_ done: Bool) -> Void)!
                    var pairs: [String: Int] = [:]
                    lazy var label: UILabel = { UILabel() }()
                    let made: User = { User() }()
                    var cancellables: Set<AnyCancellable> = []
                    static var count: Int = 0
                    @Published var query: String = ""
                    @objc var flag: Bool = false
                    private var presenter: EditPresenting!
                    init?(
                        onSelect: @escaping @MainActor (Int) -> Void, provide: @escaping () -> String,
                        coordinator: MainCoordinator, items: [Item] = [], style: Style = .plain
                    ) throws {
                        guard !items.isEmpty else { return nil }
                        self.onSelect = onSelect; self.provide = provide
                        self.coordinator = coordinator
                        (self.user, self.items) = (nil, items)
                        self.style = style
                        super.init(nibName: nil, bundle: nil)
                    }
                    init(
                        other onSelect: @escaping @MainActor (Int) -> Void, provide make: @escaping () -> String,
                        in coordinator: MainCoordinator
                    ) {
                        self.onSelect = onSelect
                        self.provide = make
                        self.coordinator = coordinator
                        super.init(nibName: nil, bundle: nil)
                    }
                    override init(nibName: String?, bundle: Bundle?) { fatalError() }
                    func show() { coordinator.start(); coordinator.open(id: 1, from: self); presenter.done {} }
                    @IBAction func tapped(_ sender: Any) { coordinator.close(animated: true) }
                    @objc func `default`() { self.dismiss(animated: true) }
                }
                """,
            rest: """
                import UIKit
                @MainActor final class MainCoordinator {
                    func start() {}
                    func open(id: Int, from controller: UIViewController) {}
                    func close(animated: Bool = true) -> Bool { true }
                    var title: String = ""
                    let isOpen: Bool = true
                    private var hidden: Int = 0
                    static let shared: Int = 1
                    var onEnd: ((Int) -> Void)?
                }
                struct User {}
                struct Item {}
                enum Style { case plain }
                @MainActor protocol EditPresenting: AnyObject { func done(_ then: () -> Void) }
                """,
            lines: [
                "let onSelect: @MainActor (Int) -> Void", "let provide: () -> String", "var user: User?",
                "var onAsync: (() async -> Void)?", "var items: [Item] = []", "var pairs: [String: Int] = [:]",
                "unowned let coordinator: MainCoordinator", "case .handler(let done): handler?(done)",
                "case .close(let animated): _ = coordinator.close(animated: animated)",
                "// Check: no `init(nibName:bundle:)`, because it overrides an initializer of UIKit.",
                "// Check: no property `made`, because its value is not understood.",
                "// Check: no property `query`, because its attribute is not understood.",
                "// Check: no event for `presenter.done(…)`, because a parameter has a type that is not simple.",
            ]),
    ]

    private static let views = [
        Sample(
            type: "ProfileView",
            original: """
                import SwiftUI

                struct ProfileView: View {
                    @ObservedObject var viewModel: ProfileViewModel
                    @State private var isEditing: Bool = false
                    @Environment(\\.dismiss) private var dismiss
                    let user: User
                    var limit: Int = 3
                    let onClose: () -> Void

                    var body: some View {
                        VStack {
                            TextField("Name", text: $viewModel.name)
                            Button("Save") { viewModel.save(user.id) }
                            Button("Reset", action: viewModel.reset)
                            Button("Close", action: onClose)
                        }
                    }
                }
                """,
            rest: """
                import SwiftUI

                struct User { let id: Int }

                final class ProfileViewModel: ObservableObject {
                    @Published var name: String = ""
                    func save(_ id: Int) {}
                    func reset() {}
                }

                @MainActor func profile() -> UIViewController {
                    UIHostingController(rootView: ProfileView(viewModel: ProfileViewModel(), user: User(id: 1)) {})
                }
                """,
            lines: [
                "struct ProfileView: ScreenView {", "@ObservedObject var viewModel: ProfileViewModel",
                "let user: User", "var limit: Int = 3", "let onClose: () -> Void", "case .onClose: onClose()",
                "case .setName(let name): viewModel.name = name", "case .save(let id): viewModel.save(id)",
                "case .reset: viewModel.reset()",
                "var content: ProfileScreen { ProfileScreen(limit: limit, name: viewModel.name) }",
            ]),
        Sample(
            type: "ListScreen",
            original: """
                import SwiftUI

                struct ListScreen<Model: ListModeling>: View {
                    @StateObject private var viewModel: Model
                    private let close: (() -> Void)?

                    init(model: Model, close: (() -> Void)? = nil) {
                        _viewModel = StateObject(wrappedValue: model)
                        self.close = close
                    }

                    var body: some View { List { Button("More") { viewModel.more() } } }
                }
                """,
            rest: """
                import SwiftUI

                @MainActor protocol ListModeling: ObservableObject {
                    var isLoading: Bool { get }
                    func more()
                }

                final class ListModel: ListModeling {
                    let isLoading = false
                    func more() {}
                }

                @MainActor func list() -> some View { ListScreen(model: ListModel()) }
                """,
            lines: [
                "struct ListScreen<Model: ListModeling>: ScreenView {", "@StateObject private var viewModel: Model",
                "init(model: Model, close: (() -> Void)? = nil) {", "_viewModel = StateObject(wrappedValue: model)",
                "case .more: viewModel.more()", "struct ListScreenContent: Screen, Equatable {",
            ]),
        Sample(
            type: "SignInView",
            original: """
                import SwiftUI

                struct SignInView: View {
                    @StateObject private var viewModel: SignInViewModel
                    @StateObject private var store = Store()
                    @State private var isShown = false

                    init(viewModel: @autoclosure @escaping () -> SignInViewModel) {
                        _viewModel = StateObject(wrappedValue: viewModel())
                    }

                    var body: some View {
                        Form {
                            TextField("Email", text: $viewModel.email)
                            Stepper("Age", value: $viewModel.age)
                            Slider(value: $viewModel.size)
                            Toggle("Keep", isOn: $viewModel.keep)
                            Picker("Kind", selection: $viewModel.kind)
                            Toggle("Sent", isOn: $viewModel.isSent)
                            DatePicker("Day", selection: $viewModel.day)
                            TextField("More", text: $viewModel.more)
                            if viewModel.isSent { Text(viewModel.kind.title) }
                            ForEach(viewModel.rows) { row in Button("Pick") { viewModel.events.send(.picked(row)) } }
                            Button("Help") { viewModel.events.send(.help) }
                            Button("Open") { viewModel.events.send(.opened(id: row.id, "a")) }
                            Button("Any") { viewModel.events.send(event) }
                            Button("Done") { viewModel.done.send() }
                            Button("Tab") { viewModel.tabs.send(.tab(2, animated: true)) }
                            Button("Other") { viewModel.tabs.send(.named("a")) }
                            Button("Own") { viewModel.own.send(.help) }
                            Button("Again") { viewModel.help() }
                        }
                    }
                }
                """,
            rest: """
                import SwiftUI
                import Combine

                enum Event { case other }
                typealias Tab = TabBar.Item
                struct TabBar { enum Item { case tab(Int, animated: Bool), named(String) } }
                struct Own { func send(_ event: Event) {} }
                final class Store: ObservableObject {}

                @MainActor final class SignInViewModel: ObservableObject {
                    enum Kind { case a }
                    struct Row { let id: Int }
                    enum Event {
                        case help, picked(Row)
                        case opened(id: Int, String)
                        var name: String { switch self { case .help: "help"; default: "" } }
                    }

                    @Published var email = ""
                    @Published var age = -1 { didSet {} }
                    @Published var size = 1.5
                    @Published var keep = true
                    @Published var kind = Kind.a
                    @Published private(set) var isSent = false
                    @Published var day: Date = .distantPast
                    private(set) var rows: [Row] = []
                    let events = PassthroughSubject<Event, Never>()
                    let done: PassthroughSubject<Void, Never> = .init()
                    let tabs = CurrentValueSubject<Tab, Never>(.named("a"))
                    let own = Own()
                    func help() {}
                }

                @MainActor func signIn() -> some View { SignInView(viewModel: SignInViewModel()) }
                """,
            lines: [
                "init(viewModel: @autoclosure @escaping () -> SignInViewModel) {",
                "_viewModel = StateObject(wrappedValue: viewModel())",
                "case .setEmail(let email): viewModel.email = email", "case .setAge(let age): viewModel.age = age",
                "case .setSize(let size): viewModel.size = size", "case .setKeep(let keep): viewModel.keep = keep",
                "let isSent: Bool", "case opened(id: Int, value2: String)",
                "case .help: viewModel.events.send(.help)",
                "case .opened(let id, let value2): viewModel.events.send(.opened(id: id, value2))",
                "case .done: viewModel.done.send()",
                "case .tab: viewModel.tabs.send(.tab(2, animated: true))",
                "// Check: no property `store`, because its type is not written.",
                "// Check: no event for `$viewModel.kind`, because its type is not written.",
                "// Check: no event for `$viewModel.day`, because Date is not a simple type.",
                "// Check: no event for `$viewModel.more`, because these files do not declare the property.",
                "// Check: no event for `viewModel.events.send(.picked(…))`, because Row is not a simple type.",
                "// Check: no event for `viewModel.events.send(event)`; write an event for each value that this call sends.",
                "// Check: no event for `viewModel.tabs.send(.named(…))`, because these files do not declare Tab.",
                "// Check: no event for `viewModel.own.send(…)`, because `own` is not declared as a subject of Combine.",
                "// Check: no event for `viewModel.help()`, because another event is called `help`.",
                "// Check: no content of `viewModel.kind`, because its type is not written.",
                "// Check: no content of `viewModel.rows`, because [Row] is not a simple type.",
            ]),
        Sample(
            type: "AboutView",
            original:
                "import SwiftUI\nstruct AboutView: View {\n let build: Build\n var body: some View { EmptyView() }\n}",
            rest: "struct Build {}\n@MainActor func about() -> AboutView { AboutView(build: Build()) }",
            lines: ["struct AboutView: View {", "let build: Build"]),
    ]

    private static let streams = [
        Sample(
            type: "SearchViewController",
            original: """
                import UIKit
                import Combine

                final class SearchViewController: UIViewController {
                    private let viewModel: SearchViewModel

                    init(viewModel: SearchViewModel) {
                        self.viewModel = viewModel
                        super.init(nibName: nil, bundle: nil)
                    }

                    required init?(coder: NSCoder) { fatalError() }

                    override func viewDidLoad() {
                        super.viewDidLoad()
                        let output = viewModel.transform(input: SearchViewModel.Input(query: text(), cancel: tap()))
                        output.rows.sink { _ in }.store(in: &bag)
                    }
                }
                """,
            rest: """
                import Combine

                final class SearchViewModel {
                    struct Input {
                        let query: AnyPublisher<String, Never>
                        let cancel: AnyPublisher<Void, Never>
                    }

                    struct Output {
                        let rows: AnyPublisher<[String], Never>
                    }

                    func transform(input: Input) -> Output { Output(rows: input.query.map { [$0] }.eraseToAnyPublisher()) }
                }
                """,
            lines: [
                "private let querySubject = PassthroughSubject<String, Never>()",
                "private var outputs: SearchViewModel.Output?", "case .query(let value): querySubject.send(value)",
                "case .cancel: cancelSubject.send()",
                "// Check: the content has no values of `outputs`; subscribe to the streams of `outputs` in `viewDidLoad`.",
            ]),
        Sample(
            type: "FeedViewController",
            original: """
                import UIKit

                final class FeedViewController: UIViewController {
                    var viewModel: FeedViewModel!
                    func bind() { _ = viewModel.transform(.init(refresh: button.rx.tap.asObservable())) }
                }
                """,
            rest: rx + """
                final class FeedViewModel {
                    struct Input { let refresh: Observable<Void> }

                    func transform(_ input: Input) -> Observable<Int> { Observable() }
                }
                """,
            lines: ["// Check: no call of `viewModel.transform`, because `viewModel` may be nil in `viewDidLoad`."]),
        Sample(
            type: "StoryViewController",
            original: """
                import UIKit

                final class StoryViewController: UIViewController {
                    let viewModel: StoryViewModel
                    init(viewModel: StoryViewModel) { self.viewModel = viewModel; super.init(nibName: nil, bundle: nil) }
                    required init?(coder: NSCoder) { fatalError() }
                    func bind() { _ = viewModel.transform(.init(refresh: button.rx.tap.asObservable())) }
                }
                """,
            rest: rx + """
                final class StoryViewModel {
                    struct Input { let refresh: Observable<Void>; let pick: Observable<Int> }

                    func transform(_ input: Input) -> Observable<Int> { input.pick }
                }
                """,
            lines: [
                "private let refreshSubject = PublishSubject<Void>()", "case .refresh: refreshSubject.onNext(())",
                "case .pick(let value): pickSubject.onNext(value)",
            ]),
        Sample(
            type: "DriverViewController",
            original: """
                import UIKit

                final class DriverViewController: UIViewController {
                    let viewModel: DriverViewModel
                    init(viewModel: DriverViewModel) { self.viewModel = viewModel; super.init(nibName: nil, bundle: nil) }
                    required init?(coder: NSCoder) { fatalError() }
                    func bind() { _ = viewModel.transform(input: .init(tap: button.rx.tap.asDriver())) }
                }
                """,
            rest:
                "final class DriverViewModel { func transform(input: Input) {}\n struct Input { let tap: (() -> Void) } }",
            lines: [
                "// Check: no call of `viewModel.transform`, because the type of its input `tap` is not understood."
            ]),
    ]

    /// The part of RxSwift that a replacement uses.
    private static let rx = """
        class Observable<Element> {}

        final class PublishSubject<Element>: Observable<Element> {
            func asObservable() -> Observable<Element> { self }
            func onNext(_ element: Element) {}
        }

        """
}

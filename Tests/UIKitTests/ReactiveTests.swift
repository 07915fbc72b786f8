import Programs
import Testing
import UIKit
import Usher
import UsherTesting

/// Tests of an app whose coordinators are connected by a reactive library, with closures of generic functions.
@Suite(.timeLimit(.minutes(20)))
struct ReactiveTests {
    /// The number of sessions in a run.
    ///
    /// Each session is checked for zombies after every input, and replayed at its end.
    private static let count = LongRun.choose(10, long: 200)

    @Test func `consecutive sessions of an app with a reactive library have the same tree`() throws {
        for _ in 0..<Self.count { #expect(try walk() == Self.trees) }
    }

    @Test func `concurrent sessions of an app with a reactive library have the same tree`()
        async throws
    {
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<Self.count { group.addTask { try self.walk() } }
            for try await trees in group { #expect(trees == Self.trees) }
        }
    }

    private static let trees = [
        "App→[List[list]]", "App→[List[list]→[Detail[detail]]]", "App→[List[list]→[Detail[detail]→[Editor[editor]]]]",
        "App→[List[list]→[Detail[detail]]]", "App→[List[list]]", "App→[List[list]→[Detail[detail]]]",
        "App→[List[list]]",
    ]

    /// Visits all screens.
    ///
    /// - Returns: The app's own tree after each input.
    private func walk() throws -> [String] {
        let app = try AppUnderTest(ReactiveApp.self)
        var trees = [app.ownTree]
        for action in ["Open", "Edit", "Save"] {
            app.send("tap", ["action": action])
            trees.append(app.ownTree)
        }
        app.back()
        trees.append(app.ownTree)
        for action in ["Open", "Done"] {
            app.send("tap", ["action": action])
            trees.append(app.ownTree)
        }
        app.finishTest()
        return trees
    }
}

private enum ReactiveApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let coordinator = AppCoordinator(window)
            coordinator.start().subscribe { _ in }.disposed(by: coordinator.bag)
            return coordinator
        }
    }
}

/// A stream of values like those of reactive libraries.
private struct Observable<Element> {
    let subscribe: (@escaping (Element) -> Void) -> Subscription

    func map<Other>(_ transform: @escaping (Element) -> Other) -> Observable<Other> {
        Observable<Other> { next in subscribe { next(transform($0)) } }
    }

    func flatMap<Other>(_ transform: @escaping (Element) -> Observable<Other>) -> Observable<Other> {
        Observable<Other> { next in
            let inner = Bag()
            let outer = subscribe { transform($0).subscribe(next).disposed(by: inner) }
            return Subscription {
                outer.dispose()
                inner.empty()
            }
        }
    }

    func perform(_ deed: @escaping (Element) -> Void) -> Observable {
        map { element in
            deed(element)
            return element
        }
    }

    func take() -> Observable {
        Observable { next in
            var isDone = false
            return subscribe { element in
                guard !isDone else { return }
                isDone = true
                next(element)
            }
        }
    }

    static func merge(_ streams: [Observable]) -> Observable {
        Observable { next in
            let all = streams.map { $0.subscribe(next) }
            return Subscription { for one in all { one.dispose() } }
        }
    }
}

private final class Subject<Element> {
    private var observers: [Int: (Element) -> Void] = [:]
    private var count = 0

    var stream: Observable<Element> {
        Observable { [self] next in
            let key = count
            count += 1
            observers[key] = next
            return Subscription { [weak self] in self?.observers[key] = nil }
        }
    }

    func send(_ element: Element) {
        for key in observers.keys.sorted() { observers[key]?(element) }
    }
}

private final class Subscription {
    private var end: (() -> Void)?

    init(_ end: @escaping () -> Void) {
        self.end = end
    }

    func dispose() {
        end?()
        end = nil
    }

    func disposed(by bag: Bag) { bag.add(self) }
}

private final class Bag {
    private var all: [Subscription] = []

    func add(_ subscription: Subscription) { all.append(subscription) }

    func empty() {
        for subscription in all { subscription.dispose() }
        all = []
    }

    deinit { empty() }
}

/// The base class of coordinators in apps with such a library.
///
/// A parent retains a child until the child's stream has a result.
@MainActor
private class BaseCoordinator<Result> {
    let bag = Bag()
    private var childCoordinators: [ObjectIdentifier: AnyObject] = [:]

    func start() -> Observable<Result> { Observable { _ in Subscription {} } }

    func coordinate<Other>(to child: BaseCoordinator<Other>) -> Observable<Other> {
        childCoordinators[ObjectIdentifier(child)] = child
        return child.start().take().perform { [weak self, weak child] _ in
            MainActor.assumeIsolated {
                if let child { self?.childCoordinators[ObjectIdentifier(child)] = nil }
            }
        }
    }
}

private final class AppCoordinator: BaseCoordinator<Void> {
    private let window: UIWindow

    init(_ window: UIWindow) {
        self.window = window
    }

    override func start() -> Observable<Void> {
        let navigation = UINavigationController()
        window.rootViewController = navigation
        return coordinate(to: ListCoordinator(navigation))
    }
}

private final class ListCoordinator: BaseCoordinator<Void> {
    private let navigationController: UINavigationController

    init(_ navigation: UINavigationController) {
        navigationController = navigation
    }

    override func start() -> Observable<Void> {
        let controller = ListViewController(["Open"])
        navigationController.pushViewController(controller, animated: false)
        controller.tapped.stream
            .flatMap { [unowned self] _ in coordinate(to: DetailCoordinator(navigationController)) }
            .subscribe { _ in }.disposed(by: controller.bag)
        return Observable { _ in Subscription {} }
    }
}

private final class DetailCoordinator: BaseCoordinator<String> {
    private let navigationController: UINavigationController

    init(_ navigation: UINavigationController) {
        navigationController = navigation
    }

    override func start() -> Observable<String> {
        let controller = DetailViewController(["Edit", "Done"])
        navigationController.pushViewController(controller, animated: true)
        controller.edits
            .flatMap { [unowned self, unowned controller] _ in coordinate(to: EditorCoordinator(controller)) }
            .subscribe { [weak controller] text in controller?.title = text }.disposed(by: controller.bag)
        let navigation = navigationController
        let done = controller.done.perform { [weak navigation] _ in
            MainActor.assumeIsolated { _ = navigation?.popViewController(animated: true) }
        }
        return .merge([controller.left.stream, done])
    }
}

private final class EditorCoordinator: BaseCoordinator<String> {
    private weak var presenter: UIViewController?

    init(_ presenter: UIViewController) {
        self.presenter = presenter
    }

    override func start() -> Observable<String> {
        let controller = EditorViewController(["Save"])
        presenter?.present(controller, animated: true)
        return controller.tapped.stream.perform { [weak controller] _ in controller?.dismiss(animated: true) }
    }
}

private class ReactiveViewController: UIViewController {
    let tapped = Subject<String>()
    let left = Subject<String>()
    let bag = Bag()
    private let titles: [String]

    init(_ titles: [String]) {
        self.titles = titles
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override var actionsOfScreen: [UIAction] {
        titles.map { title in UIAction(title: title) { [weak self] _ in self?.tapped.send(title) } }
    }

    override func didMove(toParent parent: UIViewController?) {
        if parent == nil { left.send("left") }
    }
}

private final class ListViewController: ReactiveViewController {}

private final class DetailViewController: ReactiveViewController {
    var edits: Observable<String> { taps("Edit") }
    var done: Observable<String> { taps("Done") }

    private func taps(_ title: String) -> Observable<String> {
        Observable { [tapped] next in tapped.stream.subscribe { action in if action == title { next(action) } } }
    }
}

private final class EditorViewController: ReactiveViewController {}

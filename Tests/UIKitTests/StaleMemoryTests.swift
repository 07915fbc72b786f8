import Programs
import Testing
import UIKit
import Usher
import UsherTesting

/// Tests of an app whose screens are in memory that contained references to another coordinator before.
@Suite(.timeLimit(.minutes(20)))
struct StaleMemoryTests {
    /// The number of sessions in a run, each of which is checked for zombies.
    private static let count = LongRun.choose(10, long: 1_000)

    @Test func `stale references in a screen's memory do not make its coordinator a zombie`() throws {
        var trees: [String: Int] = [:]
        for _ in 0..<Self.count {
            let app = try AppUnderTest(StaleMemoryApp.self)
            app.send("tap", ["action": "Go"])
            trees[app.ownTree, default: 0] += 1
            app.finishTest()
        }
        #expect(trees == ["Parent[place]→[Child[place]]": Self.count])
    }
}

private enum StaleMemoryApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let navigation = UINavigationController()
            window.rootViewController = navigation
            let parent = ParentCoordinator(navigation)
            parent.start()
            return parent
        }
    }
}

/// The state of a subject, whose optional observer and result leave some words of memory unchanged.
private final class Subject<Element> {
    struct Observers<Observer> {
        var key: Int?
        var first: Observer?
        var others: [Observer] = []
    }

    var observers = Observers<(Element) -> Void>()
    var last: Result<Element, any Error>?
}

/// Memory that is full of references to an object.
private final class Earlier: ManagedBuffer<Int, AnyObject> {
    static func fill(_ count: Int, _ object: AnyObject) -> ManagedBuffer<Int, AnyObject> {
        let buffer = create(minimumCapacity: count) { _ in count }
        unsafe buffer.withUnsafeMutablePointerToElements {
            unsafe $0.initialize(repeating: object, count: count)
        }
        return buffer
    }

    deinit {
        _ = unsafe withUnsafeMutablePointers { count, elements in
            unsafe elements.deinitialize(count: count.pointee)
        }
    }
}

@MainActor
private final class PlaceViewModel {
    weak var owner: AnyObject?

    init(_ owner: AnyObject) {
        self.owner = owner
    }
}

private final class PlaceViewController: UIViewController {
    private let taps = Subject<Void>()
    private let swipes = Subject<Void>()
    private let viewModel: PlaceViewModel

    init(_ owner: AnyObject) {
        viewModel = PlaceViewModel(owner)
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override var actionsOfScreen: [UIAction] {
        [UIAction(title: "Go") { [weak self] _ in (self?.viewModel.owner as? ParentCoordinator)?.showChild() }]
    }
}

@MainActor
private final class ParentCoordinator {
    private var childCoordinators: [AnyObject] = []
    private let navigationController: UINavigationController

    init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() { navigationController.viewControllers = [PlaceViewController(self)] }

    func showChild() {
        let child = ChildCoordinator(navigationController)
        childCoordinators.append(child)
        var earlier: [AnyObject] = []
        for count in stride(from: 2, through: 28, by: 2) {
            for _ in 0..<6 { earlier.append(Earlier.fill(count, self)) }
        }
        earlier.removeAll()
        navigationController.pushViewController(PlaceViewController(child), animated: true)
    }
}

@MainActor
private final class ChildCoordinator {
    private let navigationController: UINavigationController

    init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }
}

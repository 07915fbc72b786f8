import Foundation
import Testing
import UIKit
import Usher
import UsherTesting

/// An app with its own coordinators, to which its screens refer in every possible way.
private enum OwnApp: App {
    struct Options: Codable, Sendable {
        var warns = false
        /// Whether there is a zombie after the opening.
        var leavesZombie = false
    }

    static var options: Options { Options() }

    static func root(_ options: Options) -> sending AnyCoordinator {
        var settings = UIKitSettings()
        settings.warnsOfZombies = options.warns
        return UIKitCoordinator(settings: settings) { window in
            let coordinator = AppCoordinator(window)
            coordinator.start()
            if options.leavesZombie { coordinator.childCoordinators.append(ForgottenCoordinator()) }
            return coordinator
        }
    }
}

/// The ways in which a controller refers to its coordinator.
private enum Link: String, Codable, CaseIterable {
    case weakly, unowned, delegate, closure, viewModel, strongly, heldByIt, barAction, barTarget, presentation
    case action, actionByName, choice, observer, knownByIt, inTableOfIt, inClosureOfIt, navigationDelegate, nothing
}

private struct OwnScreen: Screen, Equatable {
    enum Event: Codable {
        case push(Link)
        case done
        case forget
        case leak
        case present
        case onboard
    }

    static let examples: [Event] = [.push(.weakly), .done, .forget, .leak, .present, .onboard]

    let name: String
}

@MainActor
private protocol OwnDelegate: AnyObject {
    func take(_ event: OwnScreen.Event)
}

@MainActor
private final class OwnViewModel {
    weak var coordinatorDelegate: (any OwnDelegate)?
    var retained: AnyObject?
    var actions: [OwnAction] = []
    var actionsByName: [String: OwnAction] = [:]
    var choice = OwnChoice.none
    var observers: [AnyObject] = []
    /// The shape of a library's subject, most of whose memory belongs to another enum case.
    let subject = Subject<OwnScreen.Event>()
}

private struct OwnAction {
    let title: String
    let run: (OwnScreen.Event) -> Void
}

private enum OwnChoice {
    case none, one(OwnAction)
}

private final class Subject<Element> {
    struct Bag<Value> {
        var key: Int?
        var first: Value?
        var others: [Value] = []
    }

    var bag = Bag<(Element) -> Void>()
    var last: Result<Element, any Error>?

    /// Retains a new closure that captures its caller's, as a library does.
    func observe(_ next: ((Element) -> Void)?, end: (() -> Void)?) -> Observer<Element> {
        Observer { [self] element in
            last = .success(element)
            next?(element)
            end?()
        }
    }
}

private final class Observer<Element> {
    let receive: (Element) -> Void

    init(_ receive: @escaping (Element) -> Void) {
        self.receive = receive
    }
}

private final class OwnController: UIViewController, ScreenController {
    weak var coordinator: ChildCoordinator?
    unowned let unownedCoordinator: ChildCoordinator?
    var strongCoordinator: ChildCoordinator?
    weak var delegate: (any OwnDelegate)?
    var onEvent: ((OwnScreen.Event) -> Void)?
    let viewModel = OwnViewModel()
    private let name: String

    init(_ name: String, unowned coordinator: ChildCoordinator? = nil) {
        self.name = name
        unownedCoordinator = coordinator
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    var content: OwnScreen { OwnScreen(name: name) }

    func handle(_ event: OwnScreen.Event) {
        coordinator?.take(event)
        unownedCoordinator?.take(event)
        strongCoordinator?.take(event)
        delegate?.take(event)
        viewModel.coordinatorDelegate?.take(event)
        for action in viewModel.actions + viewModel.actionsByName.values { action.run(event) }
        if case .one(let action) = viewModel.choice { action.run(event) }
        for case let observer as Observer<OwnScreen.Event> in viewModel.observers { observer.receive(event) }
        onEvent?(event)
    }
}

@MainActor
private final class AppCoordinator: NSObject, OwnDelegate {
    var childCoordinators: [AnyObject] = []
    private let window: UIWindow
    private let navigation = UINavigationController()

    init(_ window: UIWindow) {
        self.window = window
    }

    func start() {
        let home = OwnController("home")
        home.delegate = self
        navigation.viewControllers = [home]
        window.rootViewController = navigation
    }

    func take(_ event: OwnScreen.Event) {
        switch event {
        case .push(let link): start(ChildCoordinator(self, navigation), link)
        case .onboard: childCoordinators.append(Onboarding())
        case .forget: childCoordinators.removeAll()
        case .done, .leak, .present: break
        }
    }

    private func start(_ child: ChildCoordinator, _ link: Link) {
        childCoordinators.append(child)
        child.start(link)
    }

    func finish(_ child: ChildCoordinator) {
        childCoordinators.removeAll { $0 === child }
        navigation.popViewController(animated: true)
    }
}

@MainActor
private final class ChildCoordinator: OwnDelegate {
    private weak var parentCoordinator: AppCoordinator?
    /// Weak, so that only the planted leak leaks.
    private weak var navigation: UINavigationController?
    private var keptNavigation: UINavigationController?
    private var controller: OwnController?
    private weak var knownController: OwnController?
    private let table = WeakTable<OwnController>()
    private var present: (() -> Void)?
    private var viewModel: OwnViewModel?

    init(_ parent: AppCoordinator, _ navigation: UINavigationController) {
        parentCoordinator = parent
        self.navigation = navigation
    }

    func start(_ link: Link) {
        parentCoordinator.map(Self.leaveInMemory)
        let controller = OwnController("child", unowned: link == .unowned ? self : nil)
        switch link {
        case .weakly: controller.coordinator = self
        case .unowned: break
        case .delegate: controller.delegate = self
        case .closure: controller.onEvent = { [weak self] event in self?.take(event) }
        case .viewModel: controller.viewModel.coordinatorDelegate = self
        case .action: controller.viewModel.actions = [OwnAction(title: "Go") { [weak self] event in self?.take(event) }]
        case .actionByName:
            controller.viewModel.actionsByName["Go"] = OwnAction(title: "Go") { [weak self] event in self?.take(event) }
        case .choice:
            controller.viewModel.choice = .one(OwnAction(title: "Go") { [weak self] event in self?.take(event) })
        case .observer:
            let subject = controller.viewModel.subject
            controller.viewModel.observers = [
                subject.observe({ [weak self] event in self?.take(event) }, end: nil), subject.observe(nil, end: {}),
            ]
        case .nothing: keptNavigation = navigation
        case .knownByIt: knownController = controller
        case .inTableOfIt: table.add(controller)
        case .inClosureOfIt: present = { [weak controller] in controller?.dismiss(animated: true) }
        case .navigationDelegate: navigation?.delegate = self
        case .strongly: controller.strongCoordinator = self
        case .heldByIt: self.controller = controller
        case .barAction:
            let action = UIAction { [weak self] _ in self?.take(.done) }
            controller.navigationItem.rightBarButtonItem = UIBarButtonItem(title: "Done", primaryAction: action)
        case .barTarget:
            controller.navigationItem.rightBarButtonItem = UIBarButtonItem(
                title: "Done", style: .done, target: self, action: ChildCoordinator.finish)
        case .presentation:
            controller.presentationController?.delegate = self
            navigation?.present(controller, animated: true)
            return
        }
        navigation?.pushViewController(controller, animated: true)
    }

    private func finish() { take(.done) }

    /// Leaves references in freed memory of many sizes, where new objects are then allocated.
    private static func leaveInMemory(_ coordinator: AppCoordinator) {
        let references = (2..<32).flatMap { size in (0..<4).map { _ in Array(repeating: coordinator, count: size) } }
        withExtendedLifetime(references) {}
    }

    func take(_ event: OwnScreen.Event) {
        switch event {
        case .done: parentCoordinator?.finish(self)
        case .leak:
            viewModel = OwnViewModel()
            viewModel?.retained = self
            parentCoordinator?.finish(self)
        case .present:
            let modal = OwnController("modal")
            modal.delegate = self
            navigation?.present(modal, animated: true)
        case .push, .forget, .onboard: break
        }
    }
}

extension ChildCoordinator: UIAdaptivePresentationControllerDelegate, UINavigationControllerDelegate {}

/// The shape of `NSHashTable.weakObjects()`.
private final class WeakTable<Object: AnyObject> {
    private struct Entry {
        weak var object: Object?
    }

    private var entries: [Entry] = []

    func add(_ object: Object) {
        entries.append(Entry(object: object))
    }
}

/// A coordinator that is retained although it shows nothing.
private final class ForgottenCoordinator {
    var childCoordinators: [AnyObject] = []
}

/// A coordinator that is retained on purpose, and found only by its conformance.
@MainActor
private final class Onboarding {}

extension Onboarding: ReportedCoordinator {
    var mayShowNothing: Bool { true }
}

@Suite
struct OwnTreeTests {
    @Test(arguments: Link.allCases.filter { $0 != .nothing })
    fileprivate func `a screen belongs to the coordinator that it refers to, whatever the kind of the reference`(
        link: Link
    ) throws {
        let app = try AppUnderTest(OwnApp.self)
        app.expectOwnTree("App[own]")
        app.send("push", ["_0": link])
        app.expectOwnTree("App[own]→[Child[own]]")
        if ![
            .heldByIt, .barAction, .barTarget, .presentation, .knownByIt, .inTableOfIt, .inClosureOfIt,
            .navigationDelegate,
        ].contains(link) {
            app.send("done")
            app.expectOwnTree("App[own]")
        }
    }

    @Test func `a coordinator is not a zombie while some screen may belong to it`() throws {
        let app = try AppUnderTest(OwnApp.self)
        app.send("push", ["_0": Link.nothing])
        app.expectOwnTree("App[own, own]→[Child?]")
        app.expectZombie("AppCoordinator.childCoordinators[0]") { $0.back() }
        app.expectOwnTree("App[own]→[Child!]")
    }

    @Test func `stale references in reused memory are not taken for a link between screen and coordinator`() throws {
        for _ in 0..<20 {
            let app = try AppUnderTest(OwnApp.self)
            app.send("push", ["_0": Link.viewModel])
            app.expectOwnTree("App[own]→[Child[own]]")
        }
    }

    @Test(arguments: [Link.weakly, .delegate, .closure, .viewModel, .action, .observer, .knownByIt])
    fileprivate func `a coordinator that is retained after its screen was swiped away is reported once as a zombie`(
        link: Link
    ) throws {
        let app = try AppUnderTest(OwnApp.self)
        app.send("push", ["_0": link])
        app.expectZombie("AppCoordinator.childCoordinators[0]") { $0.back() }
        app.expectOwnTree("App[own]→[Child!]")
        app.send("push", ["_0": link])
        app.expectOwnTree("App[own]→[Child!, Child[own]]")
        app.expectZombie("ChildCoordinator") { $0.back() }
        app.send("forget")
        app.expectOwnTree("App[own]")
    }

    @Test func `a test fails if a zombie appears that the test does not list as known`() throws {
        let app = try AppUnderTest(OwnApp.self)
        app.send("push", ["_0": Link.weakly])
        withKnownIssue {
            app.back()
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("ChildCoordinator is a zombie") }
        }
    }

    @Test func `zombies that a test lists as known do not make the test fail`() throws {
        let app = try AppUnderTest(
            OwnApp.self, options: .init(leavesZombie: true), knownZombies: ["ForgottenCoordinator", "ChildCoordinator"])
        app.expectOwnTree("App[own]→[Forgotten!]")
        app.send("push", ["_0": Link.weakly])
        app.back()
        app.expectOwnTree("App[own]→[Forgotten!, Child!]")
    }

    @Test func `a test fails if a zombie that it lists as known never appears`() throws {
        try withKnownIssue {
            try AppUnderTest(OwnApp.self, knownZombies: ["ForgottenCoordinator"]).finishTest()
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("ForgottenCoordinator is among the `knownZombies`") }
        }
    }

    @Test func `only the first of several zombies of one type makes a test fail`() throws {
        let app = try AppUnderTest(OwnApp.self)
        app.send("push", ["_0": Link.weakly])
        withKnownIssue { app.back() }
        for _ in 0..<2 {
            app.send("push", ["_0": Link.weakly])
            app.back()
        }
        app.expectOwnTree("App[own]→[Child!, Child!, Child!]")
    }

    @Test
    func `if a coordinator stays in memory after its parent releases it, the report names the holder`()
        throws
    {
        let app = try AppUnderTest(OwnApp.self)
        app.send("push", ["_0": Link.weakly])
        app.expectLeak("ChildCoordinator.viewModel.retained") { $0.send("leak") }
        app.expectOwnTree("App[own]")
    }

    @Test func `a coordinator whose only screen is a modal is not a zombie`() throws {
        let app = try AppUnderTest(OwnApp.self)
        app.send("push", ["_0": Link.weakly])
        app.send("present")
        app.expectOwnTree("App[own]→[Child[own, own]]")
    }

    @Test func `a coordinator class with a one-line declaration is found, and may declare that it has no screens`()
        throws
    {
        let app = try AppUnderTest(OwnApp.self)
        app.send("onboard")
        app.expectOwnTree("App[own]→[Onboarding]")
    }

    @Test func `an app can report zombies as warnings`() throws {
        let app = try AppUnderTest(OwnApp.self, options: .init(warns: true))
        app.send("push", ["_0": Link.weakly])
        let warning =
            "ChildCoordinator is a zombie: AppCoordinator.childCoordinators[0] keeps it, although the zombie shows nothing"
        app.expectZombie("ChildCoordinator") { $0.expectWarning(warning) { $0.back() } }
    }
}

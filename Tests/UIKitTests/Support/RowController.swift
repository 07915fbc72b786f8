import UIKit
import Usher

/// A screen that shows the calls of its session, and accepts orders.
struct RowScreen: Screen, Equatable {
    enum Event: Codable {
        case push(String)
        case pushTwo(String, String)
        case pushSelf
        case pushContainer
        case pushNavigation
        case pop
        case popToRoot
        case popTo(String)
        case set([String])
        case present(String, style: String)
        case presentWatched(String)
        case presentForm(String)
        case presentModal(String)
        case presentNavigation(String, style: String)
        case presentTwice(String, String)
        case presentContainer
        case addContainer
        case dismiss
        case dismissWithCompletion
        case dismissAndPresent(String)
        case dismissAndPresentHere(String)
        case dismissRoot
        case alert
        case sheet
        case select(Int)
        case refuse
        case beModal
        case beContext
        case replaceRoot(String)
        case hideBack
        case swipe(Swipe)
        case pushAsking(String, animated: Bool)
        case popAsking(animated: Bool)
        case pushAndPop(String, at: NavigationCall, toRoot: Bool)
        case leftItem(supplements: Bool)
        case noRoot
        case split(primaryOnTop: Bool)
        case clearDetail
    }

    static let examples: [Event] = [.pop]

    let title: String
    let calls: [String]
    static var name: String { "row" }
    var instanceName: String? { title }
}

/// A controller that records its calls.
final class RowController: UIViewController, ScreenController {
    unowned let stage: Stage

    init(_ name: String, _ stage: Stage) {
        self.stage = stage
        super.init(nibName: nil, bundle: nil)
        title = name
    }

    required init?(coder: NSCoder) { nil }

    func note(_ call: String) { stage.log.note("\(title ?? "") \(call)") }

    override func viewDidLoad() { note("viewDidLoad") }

    override func viewWillAppear(_ animated: Bool) {
        note("viewWillAppear" + (isMovingToParent ? " moving" : "") + (isBeingPresented ? " presented" : ""))
    }

    override func viewIsAppearing(_ animated: Bool) { note("viewIsAppearing") }

    override func viewDidAppear(_ animated: Bool) { note("viewDidAppear") }

    override func viewWillDisappear(_ animated: Bool) {
        note("viewWillDisappear" + leaving)
    }

    override func viewDidDisappear(_ animated: Bool) { note("viewDidDisappear" + leaving) }

    /// How the controller leaves, whether it still has a parent, and whether it is still in its navigation stack.
    private var leaving: String {
        if isBeingDismissed { return " dismissed" }
        guard isMovingFromParent else { return "" }
        guard let navigationController else { return parent == nil ? " moving, alone" : " moving" }
        return navigationController.viewControllers.contains(self) ? " moving, in its stack" : " moving"
    }

    override func willMove(toParent parent: UIViewController?) {
        note("willMove \(parent == nil ? "nil" : "parent")")
    }

    override func didMove(toParent parent: UIViewController?) { note("didMove \(parent == nil ? "nil" : "parent")") }

    var content: RowScreen { RowScreen(title: title ?? "", calls: stage.log.calls) }

    func handle(_ event: RowScreen.Event) throws {
        switch event {
        case .push, .pushTwo, .pushSelf, .pushContainer, .pushNavigation, .pop, .popToRoot, .popTo, .set, .hideBack:
            navigate(event)
        case .present, .presentWatched, .presentForm, .presentModal, .presentNavigation, .presentTwice,
            .presentContainer:
            present(event)
        case .addContainer: stage.window.rootViewController.map { addChild($0) }
        case .dismiss, .dismissWithCompletion, .dismissAndPresent, .dismissAndPresentHere, .dismissRoot:
            dismiss(event)
        case .alert: presentAlert(.alert)
        case .sheet: presentAlert(.actionSheet)
        case .select(let index): tabBarController?.selectedIndex = index
        case .refuse: stage.refuses = true
        case .beModal: isModalInPresentation = true
        case .beContext: definesPresentationContext = true
        case .replaceRoot(let name): stage.window.rootViewController = stage.navigation(with: name)
        case .noRoot: stage.window.rootViewController = nil
        case .swipe, .pushAsking, .popAsking, .pushAndPop, .leftItem, .split, .clearDetail: contain(event)
        }
    }

    private func navigate(_ event: RowScreen.Event) {
        guard let navigationController else { return }
        switch event {
        case .push(let name): navigationController.pushViewController(stage.make(name), animated: true)
        case .pushTwo(let first, let second):
            navigationController.pushViewController(stage.make(first), animated: false)
            navigationController.pushViewController(stage.make(second), animated: false)
        case .pushSelf: navigationController.pushViewController(self, animated: true)
        case .pushContainer:
            tabBarController.map { navigationController.pushViewController($0, animated: true) }
        case .pushNavigation:
            navigationController.pushViewController(stage.navigation(with: "X"), animated: true)
        case .pop: navigationController.popViewController(animated: true)
        case .popToRoot: navigationController.popToRootViewController(animated: true)
        case .popTo(let name):
            guard let controller = navigationController.viewControllers.first(where: { $0.title == name }) else {
                return
            }
            navigationController.popToViewController(controller, animated: true)
        case .set(let names):
            let known = navigationController.viewControllers
            let wanted = names.map { name in known.first { $0.title == name } ?? stage.make(name) }
            navigationController.setViewControllers(wanted, animated: true)
        case .hideBack: navigationItem.hidesBackButton = true
        default: break
        }
    }

    private func present(_ event: RowScreen.Event) {
        switch event {
        case .present(let name, let style):
            let controller = stage.make(name)
            controller.modalPresentationStyle = Self.style(style)
            present(controller, animated: true) { [stage] in stage.log.note("presented \(name)") }
        case .presentWatched(let name):
            let controller = stage.make(name)
            controller.presentationController?.delegate = stage
            present(controller, animated: true)
        case .presentForm(let name):
            let navigation = stage.navigation(with: name)
            navigation.viewControllers.first?.isModalInPresentation = true
            navigation.presentationController?.delegate = stage
            present(navigation, animated: true)
        case .presentModal(let name):
            let controller = stage.make(name)
            controller.isModalInPresentation = true
            present(controller, animated: true)
        case .presentNavigation(let name, let style):
            let navigation = stage.navigation(with: name)
            navigation.modalPresentationStyle = Self.style(style)
            present(navigation, animated: true)
        case .presentTwice(let first, let second):
            present(stage.make(first), animated: true)
            present(stage.make(second), animated: true)
        case .presentContainer: stage.window.rootViewController.map { present($0, animated: true) }
        default: break
        }
    }

    private func dismiss(_ event: RowScreen.Event) {
        switch event {
        case .dismiss: dismiss(animated: true)
        case .dismissWithCompletion: dismiss(animated: true) { [stage] in stage.log.note("dismissed") }
        case .dismissAndPresent(let name):
            let presenting = presentingViewController
            dismiss(animated: true)
            presenting?.present(stage.make(name), animated: true)
        case .dismissAndPresentHere(let name):
            dismiss(animated: true)
            present(stage.make(name), animated: true) { [stage] in stage.log.note("presented \(name)") }
        case .dismissRoot: stage.window.rootViewController?.dismiss(animated: true)
        default: break
        }
    }

    private func presentAlert(_ style: UIAlertController.Style) {
        let alert = UIAlertController(title: "Sure?", message: nil, preferredStyle: style)
        alert.addAction(UIAlertAction(title: "Yes", style: .default) { [stage] _ in stage.log.note("yes") })
        alert.addAction(UIAlertAction(title: "No", style: .cancel) { [stage] _ in stage.log.note("no") })
        present(alert, animated: true)
    }

    private static func style(_ name: String) -> UIModalPresentationStyle {
        switch name {
        case "fullScreen": .fullScreen
        case "overFullScreen": .overFullScreen
        case "formSheet": .formSheet
        case "popover": .popover
        default: .automatic
        }
    }
}

import UIKit

@MainActor
protocol ByeCoordinatorDelegate: AnyObject {
    func tapBye(_ coordinator: ByeCoordinator)
}

final class ByeCoordinator: Coordinator, ByeViewControllerDelegate {
    var childCoordinators: [any Coordinator] = []
    // Corrected: strong in the article, where parent and child keep each other when the app ends.
    weak var delegate: (any ByeCoordinatorDelegate)?

    private let navigationController: UINavigationController

    init(navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let viewController = ByeViewController()
        viewController.view.backgroundColor = .blue
        viewController.delegate = self
        navigationController.viewControllers = [viewController]
    }

    func bye() {
        delegate?.tapBye(self)
    }
}

@MainActor
protocol ByeViewControllerDelegate: AnyObject {
    func bye()
}

final class ByeViewController: UIViewController {
    // Corrected: strong in the article, where the controller then keeps everything that leads back to it.
    weak var delegate: (any ByeViewControllerDelegate)?

    private lazy var byeButton: UIButton = {
        let button = UIButton()
        button.setTitle("bye", for: .normal)
        button.addTarget(self, action: ByeViewController.byeButtonDidTap, for: .touchUpInside)
        button.backgroundColor = .red
        return button
    }()

    override func viewDidLoad() {
        super.viewDidLoad()
        let item = UIBarButtonItem(
            title: "잘가", style: .plain, target: self, action: ByeViewController.byeButtonDidTap)
        navigationItem.rightBarButtonItem = item
        view.addSubview(byeButton)
    }

    private func byeButtonDidTap() {
        delegate?.bye()
    }
}

import UIKit

@MainActor
protocol HelloCoordinatorDelegate: AnyObject {
    func tapHello(_ coordinator: HelloCoordinator)
}

final class HelloCoordinator: Coordinator, HelloViewControllerDelegate {
    var childCoordinators: [any Coordinator] = []
    // Corrected: strong in the article, where parent and child keep each other when the app ends.
    weak var delegate: (any HelloCoordinatorDelegate)?

    private let navigationController: UINavigationController

    init(navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let viewController = HelloViewController()
        viewController.view.backgroundColor = .red
        viewController.delegate = self
        navigationController.viewControllers = [viewController]
    }

    func hello() {
        delegate?.tapHello(self)
    }
}

@MainActor
protocol HelloViewControllerDelegate: AnyObject {
    func hello()
}

final class HelloViewController: UIViewController {
    // Corrected: strong in the article, where the controller then keeps everything that leads back to it.
    weak var delegate: (any HelloViewControllerDelegate)?

    private lazy var helloButton: UIButton = {
        let button = UIButton()
        button.setTitle("hello", for: .normal)
        button.addTarget(self, action: HelloViewController.helloButtonDidTap, for: .touchUpInside)
        button.backgroundColor = .blue
        return button
    }()

    override func viewDidLoad() {
        super.viewDidLoad()
        let item = UIBarButtonItem(
            title: "안녕", style: .plain, target: self, action: HelloViewController.helloButtonDidTap)
        navigationItem.rightBarButtonItem = item
        view.addSubview(helloButton)
    }

    private func helloButtonDidTap() {
        delegate?.hello()
    }
}

/// The files of a package whose coordinators are written for UIKit.
extension PackageTemplate {
    var uiKitServer: String {
        """
        import UIKit
        import Usher
        import UsherServer

        /// The server: `swift run \(name) serve`.
        @main
        enum \(name)Server: ServerProgram {
            static var apps: [any App.Type] { [\(name)App.self] }
        }

        /// The app as sessions run it: a window, and the coordinator that is kept as long as the session.
        enum \(name)App: App {
            static var screens: [any Screen.Type] { [HomeScreen.self, DetailScreen.self] }

            static func root(_ options: NoOptions) -> sending AnyCoordinator {
                UIKitCoordinator { window in
                    let coordinator = AppCoordinator(window: window)
                    coordinator.start()
                    return coordinator
                }
            }
        }

        """
    }

    var uiKitNames: String {
        """
        import UIKit

        // In all files of this module, these names are the session's, whatever a file imports. Foundation, Dispatch and Swift
        // have the same names for the whole process.

        typealias DispatchGroup = UIKit.DispatchGroup
        typealias DispatchQueue = UIKit.DispatchQueue
        typealias DispatchTime = UIKit.DispatchTime
        typealias DispatchWorkItem = UIKit.DispatchWorkItem
        typealias MainActor = UIKit.MainActor
        typealias NotificationCenter = UIKit.NotificationCenter
        typealias RunLoop = UIKit.RunLoop
        typealias Task = UIKit.Task
        typealias Timer = UIKit.Timer
        typealias UserDefaults = UIKit.UserDefaults

        """
    }

    var uiKitCoordinators: String {
        """
        import UIKit

        @MainActor
        protocol Coordinator: AnyObject {
            var childCoordinators: [any Coordinator] { get set }
            func start()
        }

        @MainActor
        protocol CoordinatorFinishDelegate: AnyObject {
            func coordinatorDidFinish(_ child: any Coordinator)
        }

        final class AppCoordinator: Coordinator {
            var childCoordinators: [any Coordinator] = []
            private let window: UIWindow
            private let navigationController = UINavigationController()
            private let viewModel = HomeViewModel()

            init(window: UIWindow) {
                self.window = window
            }

            func start() {
                viewModel.delegate = self
                navigationController.viewControllers = [HomeViewController(viewModel: viewModel)]
                navigationController.delegate = self
                window.rootViewController = navigationController
                window.makeKeyAndVisible()
            }
        }

        extension AppCoordinator: HomeViewModelDelegate {
            func homeWantsDetail(_ number: Int) {
                let detail = DetailCoordinator(number: number, navigationController)
                detail.finishDelegate = self
                childCoordinators.append(detail)
                detail.start()
            }
        }

        extension AppCoordinator: CoordinatorFinishDelegate {
            func coordinatorDidFinish(_ child: any Coordinator) {
                childCoordinators.removeAll { $0 === child }
                viewModel.visits += 1
            }
        }

        extension AppCoordinator: UINavigationControllerDelegate {
            /// Called also if the user goes back without an event to the coordinator.
            func navigationController(
                _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
            ) {
                if viewController is HomeViewController { childCoordinators.removeAll() }
            }
        }

        final class DetailCoordinator: Coordinator {
            var childCoordinators: [any Coordinator] = []
            weak var finishDelegate: (any CoordinatorFinishDelegate)?
            private let number: Int
            private let navigationController: UINavigationController

            init(number: Int, _ navigationController: UINavigationController) {
                self.number = number
                self.navigationController = navigationController
            }

            func start() {
                let controller = DetailViewController(number: number)
                controller.coordinator = self
                navigationController.pushViewController(controller, animated: true)
            }

            func done() {
                finishDelegate?.coordinatorDidFinish(self)
                navigationController.popViewController(animated: true)
            }
        }

        """
    }

    var uiKitControllers: String {
        """
        import UIKit

        @MainActor
        protocol HomeViewModelDelegate: AnyObject {
            func homeWantsDetail(_ number: Int)
        }

        @MainActor
        final class HomeViewModel {
            weak var delegate: (any HomeViewModelDelegate)?
            var visits = 0

            func open() {
                delegate?.homeWantsDetail(visits + 1)
            }
        }

        final class HomeViewController: UIViewController {
            let viewModel: HomeViewModel

            init(viewModel: HomeViewModel) {
                self.viewModel = viewModel
                super.init(nibName: nil, bundle: nil)
            }

            required init?(coder: NSCoder) { nil }

            override func viewDidLoad() {
                super.viewDidLoad()
                title = "Home"
            }
        }

        final class DetailViewController: UIViewController {
            let number: Int
            weak var coordinator: DetailCoordinator?

            init(number: Int) {
                self.number = number
                super.init(nibName: nil, bundle: nil)
            }

            required init?(coder: NSCoder) { nil }
        }

        """
    }

    var uiKitScreens: String {
        """
        import UIKit
        import Usher

        /// What clients see of the view controllers, and what they send. Only the server needs this file.
        struct HomeScreen: Screen, Equatable {
            enum Event: Codable, CaseIterable { case open }

            let title: String?
            let visits: Int
        }

        extension HomeViewController: ScreenController {
            var content: HomeScreen { HomeScreen(title: title, visits: viewModel.visits) }

            func handle(_ event: HomeScreen.Event) throws {
                switch event {
                case .open: viewModel.open()
                }
            }
        }

        struct DetailScreen: Screen, Equatable {
            enum Event: Codable, CaseIterable { case done }

            let number: Int
        }

        extension DetailViewController: ScreenController {
            var content: DetailScreen { DetailScreen(number: number) }

            func handle(_ event: DetailScreen.Event) throws {
                switch event {
                case .done: coordinator?.done()
                }
            }
        }

        """
    }

    var uiKitTests: String {
        """
        import Testing
        import Usher
        import UsherTesting

        @testable import \(name)

        @Test func countsWhatWasLookedAt() throws {
            let app = try AppUnderTest(\(name)App.self)
            app.send("open")
            app.expectStack("n[home, detail]")
            app.expectOwnTree("App[home]→[Detail[detail]]")
            app.send("done")
            app.expectVisible(HomeScreen(title: "Home", visits: 1))
            app.expectOwnTree("App[home]")
        }

        @Test func keepsNothingAfterASwipeBack() throws {
            let app = try AppUnderTest(\(name)App.self)
            app.send("open")
            app.back()
            app.expectVisible(HomeScreen(title: "Home", visits: 0))
            app.expectOwnTree("App[home]")
        }

        """
    }
}

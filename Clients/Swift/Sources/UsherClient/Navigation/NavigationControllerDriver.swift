#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    /// A session in a `UINavigationController`, and in one above it for each modal.
    @MainActor
    public final class NavigationControllerDriver: NSObject {
        /// The base's; it is the window's root, or stands where the app puts it.
        public let navigation: UINavigationController
        private let session: Session
        private var stack: ControllerStack<UIViewController>
        private var modals: [UINavigationController] = []

        /// - Parameters:
        ///   - make: Makes the controller of a screen, such as `ScreenRegistry` does.
        ///   - update: Gives a controller its screen's new state.
        public init(
            _ session: Session, navigation: UINavigationController = UINavigationController(),
            make: @escaping (Screen) -> UIViewController, update: @escaping (UIViewController, Screen) -> Void
        ) {
            self.session = session
            self.navigation = navigation
            stack = ControllerStack(make: make, update: update)
            super.init()
            navigation.delegate = self
        }

        /// Follows the session until it is over, or the task is cancelled.
        public func follow() async {
            for await update in session.updates {
                if case .state(_, let operations) = update { show(operations) }
            }
        }

        private func show(_ operations: [ViewOperation]) {
            stack.apply(operations)
            let layers = stack.layers
            while modals.count + 1 > max(layers.count, 1) { modals.removeLast().dismiss(animated: true) }
            for (depth, layer) in layers.enumerated() {
                let controllers = layer.map(\.controller)
                let container = depth == 0 ? navigation : modal(at: depth, shown: layer[0].screen.shown)
                if container.viewControllers != controllers {
                    container.setViewControllers(controllers, animated: true)
                }
            }
        }

        private func modal(at depth: Int, shown: Shown) -> UINavigationController {
            if depth <= modals.count { return modals[depth - 1] }
            let modal = UINavigationController()
            modal.delegate = self
            modal.modalPresentationStyle = shown.presentationStyle
            let isClosable = [.sheet, .formSheet, .popover].contains(shown)
            modal.isModalInPresentation = !isClosable
            modal.presentationController?.delegate = self
            (modals.last ?? navigation).present(modal, animated: true)
            modals.append(modal)
            return modal
        }

        private func layer(of container: UINavigationController) -> [ControllerStack<UIViewController>.Entry]? {
            let depth = container === navigation ? 0 : modals.firstIndex { $0 === container }.map { $0 + 1 }
            guard let depth, depth < stack.layers.count else { return nil }
            return stack.layers[depth]
        }

        /// Reports a fact; where the server refuses it, the view is as the server is again.
        private func report(_ fact: Input) {
            let delivery = session.enqueue(fact)
            Task {
                _ = try? await delivery.state
                show([])
            }
        }
    }

    extension NavigationControllerDriver: UINavigationControllerDelegate {
        /// The user has gone back, where fewer controllers are there than were given.
        public func navigationController(
            _ container: UINavigationController, didShow controller: UIViewController, animated: Bool
        ) {
            guard let layer = layer(of: container) else { return }
            if let fact = stack.fact(showing: container.viewControllers, of: layer) { report(fact) }
        }
    }

    extension NavigationControllerDriver: UIAdaptivePresentationControllerDelegate {
        /// The user has pulled a sheet down.
        public func presentationControllerDidDismiss(_ presentation: UIPresentationController) {
            guard let place = modals.firstIndex(where: { $0 === presentation.presentedViewController }),
                let root = layer(of: modals[place])?.first
            else { return }
            modals.removeSubrange(place...)
            report(.dismissed(root.screen.id))
        }
    }

    extension Shown {
        fileprivate var presentationStyle: UIModalPresentationStyle {
            switch self {
            case .fullScreen: .fullScreen
            case .overFullScreen, .alert: .overFullScreen
            case .formSheet: .formSheet
            case .popover: .popover
            default: .pageSheet
            }
        }
    }
#endif

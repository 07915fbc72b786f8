#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    /// A driver that shows a session in a `UINavigationController`, with another navigation controller for each modal.
    @MainActor
    public final class NavigationControllerDriver: NSObject {
        private struct Modal {
            /// The id of the modal's lowest screen, which identifies the modal.
            let root: Int
            let navigation: UINavigationController
        }

        /// The navigation controller of the base, which the app places in its window.
        public let navigation: UINavigationController
        private let session: Session
        private var window: ControllerWindow<UIViewController>
        private var modals: [Modal] = []
        /// A Boolean value indicating whether UIKit is presenting or closing a modal; UIKit moves only one modal at a
        /// time.
        private var isMoving = false

        /// - Parameters:
        ///   - make: Creates the controller of a screen, for example with a `ScreenRegistry`.
        ///   - update: Gives a controller its screen's new state.
        public init(
            _ session: Session, navigation: UINavigationController = UINavigationController(),
            make: @escaping (Screen) -> UIViewController, update: @escaping (UIViewController, Screen) -> Void
        ) {
            self.session = session
            self.navigation = navigation
            window = ControllerWindow(make: make, update: update)
            super.init()
            navigation.delegate = self
        }

        /// Follows the session until it has ended or the task is cancelled.
        public func follow() async {
            for await update in session.updates {
                guard case .state = update else { continue }
                // Shows the newest state instead of the update's own, because the update may have waited and be older
                // than an input's answer.
                window.show(session.state)
                settle()
            }
        }

        /// Brings the display to the layers, one step of the modals at a time.
        private func settle() {
            let containers = [navigation] + modals.map(\.navigation)
            let step = window.step(from: modals.map(\.root))
            let kept = if case .close(let place) = step { place } else { modals.count }
            for (container, layer) in zip(containers.prefix(kept + 1), window.layers) { fill(container, with: layer) }
            if isMoving { return }
            switch step {
            case .close(let place): close(from: place)
            case .present(let layer): present(layer)
            case nil: break
            }
        }

        private func fill(_ container: UINavigationController, with layer: NavigationModel.Layer) {
            let controllers = window.controllers(of: layer)
            if container.viewControllers != controllers { container.setViewControllers(controllers, animated: true) }
        }

        private func close(from place: Int) {
            let lowest = modals[place].navigation
            modals.removeSubrange(place...)
            guard let presenter = lowest.presentingViewController else { return settle() }
            isMoving = true
            presenter.dismiss(animated: true) { [weak self] in self?.settleNext() }
        }

        private func present(_ layer: NavigationModel.Layer) {
            let presenter = modals.last?.navigation ?? navigation
            // UIKit presents nothing outside a window; the next state tries again.
            if presenter.viewIfLoaded?.window == nil { return }
            let modal = UINavigationController()
            modal.delegate = self
            modal.modalPresentationStyle = layer.shown.presentationStyle
            modal.isModalInPresentation = !layer.isClosable
            modal.setViewControllers(window.controllers(of: layer), animated: false)
            modal.presentationController?.delegate = self
            modals.append(Modal(root: layer.id, navigation: modal))
            isMoving = true
            presenter.present(modal, animated: true) { [weak self] in self?.settleNext() }
        }

        private func settleNext() {
            isMoving = false
            settle()
        }

        /// Sends what the user did.
        ///
        /// If the server refuses the input, the display returns to the server's state.
        private func report(_ fact: Input) {
            let delivery = session.enqueue(fact)
            Task {
                _ = try? await delivery.state
                window.decide(fact, at: session.state)
                settle()
            }
        }
    }

    extension NavigationControllerDriver: UINavigationControllerDelegate {
        /// Called when a controller is shown; fewer controllers than given mean that the user went back.
        public func navigationController(
            _ container: UINavigationController, didShow controller: UIViewController, animated: Bool
        ) {
            let modal = modals.first { $0.navigation === container }?.root
            guard let layer = container === navigation ? window.layers.first?.id : modal else { return }
            if let fact = window.setControllers(container.viewControllers, of: layer) { report(fact) }
        }
    }

    extension NavigationControllerDriver: UIAdaptivePresentationControllerDelegate {
        /// Called when the user has dismissed a sheet.
        public func presentationControllerDidDismiss(_ presentation: UIPresentationController) {
            let closed = modals.firstIndex { $0.navigation === presentation.presentedViewController }
            guard let closed else { return }
            let root = modals[closed].root
            modals.removeSubrange(closed...)
            if let fact = window.dismiss(root) { report(fact) }
            settle()
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

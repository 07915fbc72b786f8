import UIKit

/// A call of a navigation's delegate.
enum NavigationCall: String, Codable {
    case willShow, didShow
}

/// A change that an app makes to the swipe back.
enum Swipe: String, Codable, CaseIterable {
    case delegate, noDelegate, systemDelegate, disabled, enabled, hiddenBar
}

extension Stage: UIGestureRecognizerDelegate {
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        let navigation = window.rootViewController as? UINavigationController
        log.note("shouldBegin on \(navigation?.topViewController?.title ?? "")")
        return !refuses
    }

    func change(_ swipe: Swipe, of navigation: UINavigationController) {
        let recognizer = navigation.interactivePopGestureRecognizer
        switch swipe {
        case .delegate: recognizer?.delegate = self
        case .noDelegate: recognizer?.delegate = nil
        case .systemDelegate:
            let delegate = recognizer?.delegate
            recognizer?.delegate = self
            recognizer?.delegate = delegate
        case .disabled: recognizer?.isEnabled = false
        case .enabled: recognizer?.isEnabled = true
        case .hiddenBar: navigation.setNavigationBarHidden(true, animated: false)
        }
    }
}

extension RowController {
    func contain(_ event: RowScreen.Event) {
        switch event {
        case .pushAsking(let name, let animated):
            navigationController?.pushViewController(stage.make(name), animated: animated)
            followTransition()
        case .popAsking(let animated):
            navigationController?.popViewController(animated: animated)
            followTransition()
        case .pushAndPop(let name, let moment, let toRoot):
            stage.deeds[moment] = { [weak navigationController] in
                guard let navigationController else { return }
                if toRoot {
                    navigationController.popToRootViewController(animated: true)
                } else {
                    navigationController.popViewController(animated: true)
                }
            }
            navigationController?.pushViewController(stage.make(name), animated: true)
        case .swipe(let swipe): navigationController.map { stage.change(swipe, of: $0) }
        case .leftItem(let supplements):
            navigationItem.leftBarButtonItem = UIBarButtonItem(title: "Cancel", primaryAction: UIAction { _ in })
            navigationItem.leftItemsSupplementBackButton = supplements
        case .split(let primaryOnTop): stage.showSplit(primaryOnTop)
        case .clearDetail: splitViewController?.setViewController(nil, for: .secondary)
        default: break
        }
    }

    private func followTransition() {
        let navigation = stage.window.rootViewController as? UINavigationController
        note("coordinator \(navigation?.transitionCoordinator != nil)")
        navigation?.transitionCoordinator?.animate(alongsideTransition: nil) { [stage] _ in
            stage.log.note("completed \(navigation?.viewControllers.count ?? 0)")
        }
    }
}

extension Stage: UISplitViewControllerDelegate {
    func showSplit(_ primaryOnTop: Bool) {
        wantsPrimary = primaryOnTop
        let split = UISplitViewController(style: .doubleColumn)
        split.delegate = self
        split.setViewController(make("P"), for: .primary)
        split.setViewController(make("S"), for: .secondary)
        window.rootViewController = split
    }

    func splitViewController(
        _ splitViewController: UISplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
    ) -> UISplitViewController.Column {
        wantsPrimary ? .primary : proposedTopColumn
    }
}

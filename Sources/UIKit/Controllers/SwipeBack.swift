import Usher

/// The swipe from the edge that leads back in a navigation.
///
/// Its recogniser has a delegate of the system's, which allows the swipe beside a back button; an app may set another, or none.
@MainActor
final class SwipeBack {
    let recognizer = UIGestureRecognizer()
    private let followsButton: FollowsBackButton

    init(in navigation: UINavigationController) {
        followsButton = FollowsBackButton(navigation)
        recognizer.delegate = followsButton
    }

    /// True if the app decides, and has not disabled it: its delegate is asked when the user swipes.
    var isOffered: Bool { recognizer.isEnabled && recognizer.delegate !== followsButton }

    /// Why the user cannot swipe back now.
    var refusal: String? {
        guard recognizer.isEnabled else { return "the recogniser of the swipe back is disabled" }
        guard let delegate = recognizer.delegate, !delegate.gestureRecognizerShouldBegin(recognizer) else { return nil }
        return delegate === followsButton
            ? UIViewController.noBackButton : "\(type(of: delegate)) does not let the swipe back begin"
    }
}

/// The delegate that the system has for a navigation's swipe back.
@MainActor
private final class FollowsBackButton: UIGestureRecognizerDelegate {
    private weak var navigation: UINavigationController?

    init(_ navigation: UINavigationController) {
        self.navigation = navigation
    }

    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        navigation?.topViewController?.hasBackButton != false
    }
}

extension UIViewController {
    fileprivate static let noBackButton = "it has no back button"

    /// False if a bar is hidden, or shows no back button for what it stands for.
    fileprivate final var hasBackButton: Bool {
        (parent as? UINavigationController)?.isNavigationBarHidden != true && storedNavigationItem?.offersBack != false
    }

    /// The swipe that leads back from it.
    private var swipeOfNavigation: SwipeBack? { (shownInBar?.parent as? UINavigationController)?.swipeBack }

    /// Why the user cannot go back from it, neither by a button nor by a swipe; nobody is asked for it.
    final var backRefusal: String? {
        guard let shownInBar else { return nil }
        guard shownInBar.hasBackButton || swipeOfNavigation?.isOffered == true else { return Self.noBackButton }
        return shownInBar.touchRefusal
    }

    /// Why the user cannot swipe back from it now: the recogniser's delegate is asked.
    final var swipeRefusal: String? {
        guard let shownInBar else { return nil }
        if let refusal = shownInBar.touchRefusal { return refusal }
        guard let swipe = swipeOfNavigation else { return shownInBar.hasBackButton ? nil : Self.noBackButton }
        return swipe.refusal
    }

    /// Asks whether the user, who has gone back from it, could do so: without a button it was by a swipe.
    final func checkLeaving() throws {
        guard shownInBar?.hasBackButton == false, let refusal = swipeRefusal else { return }
        throw Refusal("the user cannot go back from \(type(of: self)): \(refusal)")
    }

    private var touchRefusal: String? { parent?.takesTaps == false ? "its navigation takes no taps" : nil }
}

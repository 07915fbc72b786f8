import Usher

/// The edge swipe that goes back in a navigation controller.
///
/// The recogniser's first delegate is the system's, which allows the swipe if there is a back button. An app may set
/// another delegate, or none.
@MainActor
final class SwipeBack {
    let recognizer = UIGestureRecognizer()
    private let followsButton: FollowsBackButton

    init(in navigation: UINavigationController) {
        followsButton = FollowsBackButton(navigation)
        recognizer.delegate = followsButton
    }

    /// A Boolean value that indicates whether the app decides about the swipe, instead of the back button.
    ///
    /// The value is `false` if the app has disabled the recogniser. The app's delegate is called only when the user
    /// swipes.
    var isOffered: Bool { recognizer.isEnabled && recognizer.delegate !== followsButton }

    /// The reason why the user cannot swipe back now.
    var refusal: String? {
        guard recognizer.isEnabled else { return "the recogniser for swiping back is disabled" }
        guard let delegate = recognizer.delegate, !delegate.gestureRecognizerShouldBegin(recognizer) else { return nil }
        return delegate === followsButton
            ? UIViewController.noBackButton : "\(type(of: delegate)) does not allow a swipe back"
    }
}

@MainActor
private final class FollowsBackButton: UIGestureRecognizerDelegate {
    private weak var navigation: UINavigationController?

    init(_ navigation: UINavigationController) {
        self.navigation = navigation
    }

    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        guard let navigation, let top = navigation.topViewController else { return true }
        return top.hasBackButton(in: navigation)
    }
}

extension UIViewController {
    fileprivate static let noBackButton = "the screen has no back button"

    fileprivate final func hasBackButton(in container: UIViewController) -> Bool {
        (container as? UINavigationController)?.isNavigationBarHidden != true
            && storedNavigationItem?.offersBack != false
    }

    /// The reason why neither a button nor a swipe may lead back; does not call the recogniser's delegate.
    final var backRefusal: String? {
        guard let place = placeInBar else { return nil }
        guard place.hasBackButton || place.swipe?.isOffered == true else { return Self.noBackButton }
        return place.touchRefusal
    }

    /// The reason why the user cannot swipe back now; calls the recogniser's delegate.
    final var swipeRefusal: String? {
        guard let place = placeInBar else { return nil }
        if let refusal = place.touchRefusal { return refusal }
        guard let swipe = place.swipe else { return place.hasBackButton ? nil : Self.noBackButton }
        return swipe.refusal
    }

    /// Checks that the user was allowed to go back; without a back button, the user must have swiped.
    ///
    /// - Throws: `Refusal` if the swipe was not allowed.
    final func checkLeaving() throws {
        guard placeInBar?.hasBackButton == false, let refusal = swipeRefusal else { return }
        throw Refusal("the user cannot go back from \(type(of: self)): \(refusal)")
    }
}

extension PlaceInBar {
    fileprivate var hasBackButton: Bool { controller.hasBackButton(in: container) }

    fileprivate var swipe: SwipeBack? { (container as? UINavigationController)?.swipeBack }

    fileprivate var touchRefusal: String? { container.takesTaps ? nil : "the container of the screen receives no taps" }
}

/// A controller's place in the bar of a navigation controller.
@MainActor
struct PlaceInBar {
    /// The controller whose items the bar shows: a container in the navigation's stack, or the controller itself.
    let controller: UIViewController
    /// The navigation controller, or the split view controller of a column.
    let container: UIViewController
}

extension UIViewController {
    /// The controller's place in a bar, also the bar of a split view controller's column; nil if there is no bar.
    final var placeInBar: PlaceInBar? {
        guard let parent else { return nil }
        guard parent is UINavigationController || parent is UISplitViewController else { return parent.placeInBar }
        return PlaceInBar(controller: self, container: parent)
    }
}

extension UIViewController {
    /// A Boolean value that indicates whether this is an app's container: unlike UIKit's, it shows all of its children.
    final var showsAllChildren: Bool {
        !(self is UINavigationController || self is UITabBarController || self is UISplitViewController
            || self is UIPageViewController)
    }

    /// The topmost visible child, which represents the container in a stack; nil if there is none.
    final var topVisibleChild: UIViewController? {
        guard !children.isEmpty else { return nil }
        for child in children.reversed() where !child.isHiddenInContainer { return child }
        return nil
    }

    /// A Boolean value indicating whether the view or a superview is hidden, or only another child's view was added.
    final var isHiddenInContainer: Bool {
        guard let parent else { return false }
        let container = parent.viewIfMade
        var view = viewIfMade
        while let current = view, current !== container {
            if current.isHidden || current.alpha == 0 { return true }
            view = current.superview
        }
        // Views are not drawn, so an app may add none of the children's views; then all children are visible.
        return viewIfMade?.superview == nil
            && parent.children.contains { $0 !== self && $0.viewIfMade?.superview != nil }
    }
}

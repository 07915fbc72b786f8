/// The control that refreshes a list when the user pulls; if it has a name, clients see it as an action of the screen.
@MainActor @preconcurrency
open class UIRefreshControl: UIControl {
    /// A Boolean value that indicates whether the content is being refreshed.
    public private(set) var isRefreshing = false
    /// The text below the control, which has no effect.
    open var attributedTitle: NSAttributedString?

    /// Begins refreshing, without calling a target.
    open func beginRefreshing() { isRefreshing = true }

    /// Ends refreshing.
    open func endRefreshing() { isRefreshing = false }

    override func beginTap() { isRefreshing = true }
}

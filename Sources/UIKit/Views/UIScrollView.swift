/// A view that could scroll on a phone; its properties are stored, but have no effect.
@MainActor @preconcurrency
open class UIScrollView: UIView {
    /// The point of the content that is at the view's origin.
    open var contentOffset = CGPoint.zero
    /// The size of the content.
    open var contentSize = CGSize.zero
    /// The distances of the content from the view's edges.
    open var contentInset = UIEdgeInsets.zero
    /// A Boolean value that indicates whether the user can scroll.
    open var isScrollEnabled = true
    /// A Boolean value that indicates whether scrolling stops at multiples of the view's size.
    open var isPagingEnabled = false
    /// A Boolean value that indicates whether scrolling passes the content's edge and returns.
    open var bounces = true

    /// The control that refreshes the content.
    open var refreshControl: UIRefreshControl? {
        didSet {
            oldValue?.removeFromSuperview()
            if let refreshControl { addSubview(refreshControl) }
        }
    }

    /// Sets the point of the content that is at the view's origin.
    open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {
        self.contentOffset = contentOffset
    }
}

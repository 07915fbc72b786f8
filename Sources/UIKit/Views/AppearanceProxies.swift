// The proxies on which an app sets the look of all bars. Each session has its own proxies, because apps can read them.
extension UINavigationBar {
    /// Returns the session's proxy for all navigation bars, which has no effect; outside of a session, a new proxy.
    public static func appearance() -> UINavigationBar { sessionProxy { UINavigationBar() } }
}

extension UITabBar {
    /// Returns the session's proxy for all tab bars, which has no effect; outside of a session, returns a new proxy.
    public static func appearance() -> UITabBar { sessionProxy { UITabBar() } }
}

extension UIToolbar {
    /// Returns the session's proxy for all toolbars, which has no effect; outside of a session, returns a new proxy.
    public static func appearance() -> UIToolbar { sessionProxy { UIToolbar() } }
}

extension UIPageControl {
    /// Returns the session's proxy for all page controls, which has no effect; outside of a session, a new proxy.
    public static func appearance() -> UIPageControl { sessionProxy { UIPageControl() } }
}

/// A row of dots, one for each page.
@MainActor @preconcurrency
open class UIPageControl: UIControl {
    /// The number of pages.
    open var numberOfPages = 0
    /// The index of the page that is shown.
    open var currentPage = 0
    /// A Boolean value that indicates whether the control is hidden if there is only one page.
    open var hidesForSinglePage = false
    /// The colour of the dots.
    open var pageIndicatorTintColor: UIColor?
    /// The colour of the current page's dot.
    open var currentPageIndicatorTintColor: UIColor?
}

extension UIView {
    fileprivate static func sessionProxy<View>(_ make: () -> View) -> View {
        UIKitSession.ofGlobals?.value(View.self, make) ?? make()
    }
}

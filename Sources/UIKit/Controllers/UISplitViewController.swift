/// A container with columns, which on a phone are one stack from the primary to the secondary column.
@MainActor @preconcurrency
open class UISplitViewController: UIViewController {
    /// The columns.
    public enum Column: Int, Sendable {
        case primary, supplementary, secondary, compact
    }

    /// The number of columns.
    public enum Style: Int, Sendable {
        case unspecified, doubleColumn, tripleColumn
    }

    /// The arrangements of columns, which a phone does not use.
    public enum DisplayMode: Int, Sendable {
        case automatic, secondaryOnly, oneBesideSecondary, oneOverSecondary
    }

    /// The number of columns.
    public let style: Style
    /// The preferred arrangement of the columns.
    open var preferredDisplayMode = DisplayMode.automatic
    /// A Boolean value that indicates whether the columns are one stack, as on a phone.
    public final var isCollapsed: Bool { true }
    private var columns: [Column: UIViewController] = [:]
    /// The column on top; nil until the columns collapse, which is when the view is loaded.
    private var shown: Column?
    /// The object that determines the column on top.
    open weak var delegate: (any UISplitViewControllerDelegate)?

    /// Creates a container with columns.
    public init(style: Style) {
        self.style = style
        super.init(nibName: nil, bundle: nil)
    }

    /// Creates a container with two columns.
    public override init(nibName: String?, bundle: Bundle?) {
        style = .unspecified
        super.init(nibName: nibName, bundle: bundle)
    }

    /// Returns nil, because there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// The controllers of the columns.
    open var viewControllers: [UIViewController] {
        get { children }
        set {
            columns = [:]
            for (column, controller) in zip([Column.primary, .secondary], newValue) { columns[column] = controller }
            adopt()
        }
    }

    /// Sets the controller of a column.
    open func setViewController(_ controller: UIViewController?, for column: Column) {
        columns[column] = controller
        adopt()
    }

    /// Returns the controller of a column.
    open func viewController(for column: Column) -> UIViewController? { columns[column] }

    /// Shows a column; does nothing if the compact column is shown.
    open func show(_ column: Column) {
        guard top != .compact else { return }
        shown = column
        UIKitSession.current?.setNeedsReconciling()
    }

    /// Shows the column below a column.
    open func hide(_ column: Column) {
        if top == column { show(columnBelow(top)) }
    }

    /// Shows a controller as the secondary column, or in the compact column if the compact column is shown.
    open override func showDetailViewController(_ controller: UIViewController, sender: Any?) {
        if top == .compact, let compact = columns[.compact] { return compact.show(controller, sender: sender) }
        columns[.secondary] = controller
        adopt()
        show(.secondary)
    }

    override var tabsOfBase: UITabBarController? { visibleColumns.last?.tabsOfBase }

    override func appendShown(to stack: ShownControllers) {
        let columns = visibleColumns
        guard !columns.isEmpty else { return stack.append(self) }
        for column in columns { column.appendShown(to: stack) }
    }

    override var visiblePlaces: Range<Int> {
        let top = visibleColumns.last
        let place = children.firstIndex { $0 === top }
        return place.map { $0..<$0 + 1 } ?? 0..<0
    }

    override func lose(_ child: UIViewController) {
        columns = columns.filter { $0.value !== child }
        super.lose(child)
    }

    /// Hides a column, which keeps its controller to be shown again, unless the app has set the columns as a list.
    override func removeByUser(_ child: UIViewController) -> Bool {
        let top = top
        // If a column's controller was removed, the column below is on top.
        let filled = Self.stacked.last { $0.rawValue <= top.rawValue && columns[$0] != nil }
        guard top != .compact, let left = filled, left != .primary, columns[left] === child else { return false }
        shown = columnBelow(left)
        if !keepsColumns { columns[left] = nil }
        adopt(animated: true)
        return true
    }

    private var visibleColumns: [UIViewController] {
        let top = top
        // Each column is above the previous columns, but the compact column is shown alone.
        let visible = top == .compact ? [top] : Self.stacked.filter { $0.rawValue <= top.rawValue }
        return visible.compactMap { columns[$0] }
    }

    /// A Boolean value that indicates whether a column keeps its controller when the user goes back.
    final var keepsColumns: Bool { style != .unspecified }

    private static let stacked: [Column] = [.primary, .supplementary, .secondary]

    private func columnBelow(_ column: Column) -> Column {
        column == .secondary && columns[.supplementary] != nil ? .supplementary : .primary
    }

    /// The column on top, which is determined once.
    private var top: Column {
        if let shown { return shown }
        let proposed = [Column.compact, .secondary, .supplementary].first { columns[$0] != nil } ?? .primary
        guard isViewLoaded else { return proposed }
        let top = delegate?.top(of: self, proposed) ?? proposed
        shown = top
        return top
    }

    private func adopt(animated: Bool = false) {
        let wanted = [Column.primary, .supplementary, .secondary, .compact].compactMap { columns[$0] }
        for child in children where !wanted.contains(where: { $0 === child }) {
            child.willMove(toParent: nil)
            child.begin(.fromParent(animated: animated))
        }
        for child in wanted where child.parent !== self {
            addChild(child)
            child.didMove(toParent: self)
        }
        children = wanted
        UIKitSession.current?.setNeedsReconciling()
    }
}

/// The delegate of a container with columns, which determines the column on top when the columns are one stack.
@MainActor @preconcurrency
public protocol UISplitViewControllerDelegate: AnyObject {
    /// Returns the column on top of a container that was created with a style.
    func splitViewController(
        _ splitViewController: UISplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
    ) -> UISplitViewController.Column

    /// Returns a Boolean value that indicates whether a container without a style leaves the secondary column out.
    func splitViewController(
        _ splitViewController: UISplitViewController, collapseSecondary secondaryViewController: UIViewController,
        onto primaryViewController: UIViewController
    ) -> Bool
}

extension UISplitViewControllerDelegate {
    /// Returns the proposed column: the compact column, or else the secondary column.
    public func splitViewController(
        _ splitViewController: UISplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
    ) -> UISplitViewController.Column { proposedTopColumn }

    /// Returns `false`.
    public func splitViewController(
        _ splitViewController: UISplitViewController, collapseSecondary secondaryViewController: UIViewController,
        onto primaryViewController: UIViewController
    ) -> Bool { false }

    fileprivate func top(
        of container: UISplitViewController, _ proposed: UISplitViewController.Column
    ) -> UISplitViewController.Column {
        guard container.style == .unspecified else {
            return splitViewController(container, topColumnForCollapsingToProposedTopColumn: proposed)
        }
        guard let primary = container.viewController(for: .primary),
            let secondary = container.viewController(for: .secondary)
        else { return proposed }
        return splitViewController(container, collapseSecondary: secondary, onto: primary) ? .primary : proposed
    }
}

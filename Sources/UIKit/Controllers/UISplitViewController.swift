/// A container with columns; on a phone it is one stack, from the primary column to the secondary.
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

    /// The ways in which columns stand beside each other; on a phone they do not.
    public enum DisplayMode: Int, Sendable {
        case automatic, secondaryOnly, oneBesideSecondary, oneOverSecondary
    }

    /// The number of columns.
    public let style: Style
    /// The way in which columns should stand beside each other.
    open var preferredDisplayMode = DisplayMode.automatic
    /// True where the columns are one stack, as on a phone.
    public final var isCollapsed: Bool { true }
    private var columns: [Column: UIViewController] = [:]
    /// The column on top; nil until the columns collapse, which is when its view is loaded.
    private var shown: Column?
    /// The object that says which column is on top.
    open weak var delegate: (any UISplitViewControllerDelegate)?

    /// Makes a container with columns.
    public init(style: Style) {
        self.style = style
        super.init(nibName: nil, bundle: nil)
    }

    /// Makes a container with two columns.
    public override init(nibName: String?, bundle: Bundle?) {
        style = .unspecified
        super.init(nibName: nibName, bundle: bundle)
    }

    /// Fails: there are no archives of controllers.
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

    /// Puts a controller into a column.
    open func setViewController(_ controller: UIViewController?, for column: Column) {
        columns[column] = controller
        adopt()
    }

    /// The controller of a column.
    open func viewController(for column: Column) -> UIViewController? { columns[column] }

    /// Shows a column.
    open func show(_ column: Column) {
        shown = column
        UIKitSession.current?.setNeedsReconciling()
    }

    /// Shows what lies under a column.
    open func hide(_ column: Column) {
        if top == column { show(.primary) }
    }

    /// Shows a controller as the secondary column.
    open override func showDetailViewController(_ controller: UIViewController, sender: Any?) {
        columns[.secondary] = controller
        adopt()
        show(.secondary)
    }

    override func appendShown(to stack: inout [UIViewController]) {
        let columns = visibleColumns
        guard !columns.isEmpty else { return stack.append(self) }
        for column in columns { column.appendShown(to: &stack) }
    }

    override var visibleChildren: ArraySlice<UIViewController> { visibleColumns.suffix(1) }

    /// The user has gone back from a column.
    override func removeByUser(_ child: UIViewController) -> Bool {
        guard top != .primary, columns[top] === child else { return false }
        columns[top] = nil
        shown = .primary
        adopt(animated: true)
        return true
    }

    private var visibleColumns: [UIViewController] {
        let top = top
        return [Column.primary, .supplementary, .secondary].filter { $0.rawValue <= top.rawValue }
            .compactMap { columns[$0] }
    }

    /// The column on top, which is decided once.
    private var top: Column {
        if let shown { return shown }
        let proposed = [Column.secondary, .supplementary].first { columns[$0] != nil } ?? .primary
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

/// The delegate of a container with columns, asked what is on top where they are one stack.
@MainActor @preconcurrency
public protocol UISplitViewControllerDelegate: AnyObject {
    /// Is asked for the column on top, by a container that was made with a style.
    func splitViewController(
        _ splitViewController: UISplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
    ) -> UISplitViewController.Column

    /// Is asked, by a container that was made without a style, whether the secondary column is left out.
    func splitViewController(
        _ splitViewController: UISplitViewController, collapseSecondary secondaryViewController: UIViewController,
        onto primaryViewController: UIViewController
    ) -> Bool
}

extension UISplitViewControllerDelegate {
    /// Takes what is proposed: the secondary column.
    public func splitViewController(
        _ splitViewController: UISplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
    ) -> UISplitViewController.Column { proposedTopColumn }

    /// Leaves it in.
    public func splitViewController(
        _ splitViewController: UISplitViewController, collapseSecondary secondaryViewController: UIViewController,
        onto primaryViewController: UIViewController
    ) -> Bool { false }

    /// The column that it wants on top.
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

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
    /// The column on top.
    private var shown = Column.primary

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
        if shown == column { show(.primary) }
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
        guard columns[shown] === child, shown != .primary else { return false }
        columns[shown] = nil
        shown = .primary
        adopt()
        return true
    }

    private var visibleColumns: [UIViewController] {
        [Column.primary, .supplementary, .secondary].filter { $0.rawValue <= shown.rawValue }.compactMap { columns[$0] }
    }

    private func adopt() {
        let wanted = [Column.primary, .supplementary, .secondary, .compact].compactMap { columns[$0] }
        for child in children where !wanted.contains(where: { $0 === child }) { child.removeFromParent() }
        for child in wanted where child.parent !== self {
            addChild(child)
            child.didMove(toParent: self)
        }
        children = wanted
        UIKitSession.current?.setNeedsReconciling()
    }
}

import Testing
import UIKit
import Usher
import UsherTesting

/// An app whose window contains columns.
private enum ColumnsApp: App {
    struct Options: Codable {
        enum Kind: String, Codable { case double, triple, compact, compactTabs, classic }

        var kind = Kind.double
        /// Whether the delegate puts the primary column on top.
        var wantsPrimary = false
    }

    static var options: Options { Options() }

    static func root(_ options: Options) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let columns = Columns(options, window)
            window.rootViewController = columns.split
            return columns
        }
    }
}

/// The delegate of the columns, which also creates them.
@MainActor
private final class Columns: UISplitViewControllerDelegate {
    let split: UISplitViewController
    private let wantsPrimary: Bool
    private weak var window: UIWindow?

    init(_ options: ColumnsApp.Options, _ window: UIWindow) {
        self.window = window
        wantsPrimary = options.wantsPrimary
        switch options.kind {
        case .classic: split = UISplitViewController()
        case .triple: split = UISplitViewController(style: .tripleColumn)
        default: split = UISplitViewController(style: .doubleColumn)
        }
        split.delegate = self
        fill(options.kind)
    }

    private func fill(_ kind: ColumnsApp.Options.Kind) {
        let detail = UINavigationController(rootViewController: DetailViewController())
        guard kind != .classic else {
            split.viewControllers = [ListViewController(), detail]
            return
        }
        split.setViewController(ListViewController(), for: .primary)
        split.setViewController(detail, for: .secondary)
        if kind == .triple { split.setViewController(FolderViewController(), for: .supplementary) }
        if kind == .compact {
            let compact = UINavigationController(rootViewController: CompactViewController())
            split.setViewController(compact, for: .compact)
        }
        if kind == .compactTabs {
            let tabs = UITabBarController()
            tabs.viewControllers = [FolderViewController(), CompactViewController()]
            split.setViewController(tabs, for: .compact)
        }
    }

    func leave() { window?.rootViewController = ListViewController() }

    func splitViewController(
        _ splitViewController: UISplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
    ) -> UISplitViewController.Column {
        wantsPrimary ? .primary : proposedTopColumn
    }
}

private class ColumnViewController: UIViewController {
    override var actionsOfScreen: [UIAction] {
        [
            UIAction(title: "detail") { [weak self] _ in self?.splitViewController?.show(.secondary) },
            UIAction(title: "hide") { [weak self] _ in self?.splitViewController?.hide(.secondary) },
            UIAction(title: "mark") { [weak self] _ in self?.title = "marked" },
            UIAction(title: "open") { [weak self] _ in
                self?.showDetailViewController(FolderViewController(), sender: nil)
            },
            UIAction(title: "leave") { [weak self] _ in (self?.splitViewController?.delegate as? Columns)?.leave() },
        ]
    }
}

private final class ListViewController: ColumnViewController {}

private final class FolderViewController: ColumnViewController {}

private final class DetailViewController: ColumnViewController {}

private final class CompactViewController: ColumnViewController {}

@Suite("Split views on a phone")
struct SplitViewTests {
    @Test func `when the user goes back, a split view keeps its secondary column, and can show the column again`()
        throws
    {
        let app = try AppUnderTest(ColumnsApp.self)
        app.take(.tap("mark"))
        app.back()
        app.expectStack("n[list]")
        app.take(.tap("detail"))
        app.expectStack("n[list, detail]")
        app.expectState(#"{"title":"marked","actions":["detail","hide","mark","open","leave"]}"#)
    }

    @Test func `in a split view, going back leads from each column to the column below`() throws {
        let app = try AppUnderTest(ColumnsApp.self, options: .init(kind: .triple))
        app.expectStack("n[list, folder, detail]")
        app.back()
        app.expectStack("n[list, folder]")
        app.back()
        app.expectStack("n[list]")
        app.take(.tap("detail"))
        app.expectStack("n[list, folder, detail]")
    }

    @Test func `hiding a column of a split view shows the column below it`() throws {
        let app = try AppUnderTest(ColumnsApp.self, options: .init(kind: .triple))
        app.take(.tap("hide"))
        app.expectStack("n[list, folder]")
    }

    @Test func `on a phone, a split view shows its compact column instead of the other columns`() throws {
        let app = try AppUnderTest(ColumnsApp.self, options: .init(kind: .compact))
        app.expectStack("n[compact]")
        app.expectRefusal(.invalid) { $0.back() }
        app.take(.tap("detail"))
        app.expectStack("n[compact]")
        app.take(.tap("open"))
        app.expectStack("n[compact, folder]")
        let tabs = try AppUnderTest(ColumnsApp.self, options: .init(kind: .compactTabs))
        tabs.expectStack("tab(folder){folder[folder], compact[compact]}")
    }

    @Test func `a split view's delegate can choose a column other than the compact column`() throws {
        for kind in [ColumnsApp.Options.Kind.compact, .compactTabs] {
            let app = try AppUnderTest(ColumnsApp.self, options: .init(kind: kind, wantsPrimary: true))
            app.expectStack("n[list]")
        }
    }

    @Test func `when a split view replaces its detail controller, the old controller leaves the stack`() throws {
        let app = try AppUnderTest(ColumnsApp.self)
        app.take(.tap("open"))
        app.expectStack("n[list, folder]")
    }

    @Test func `if a split view stays in memory after it was replaced, its columns are leaks`() throws {
        let app = try AppUnderTest(ColumnsApp.self)
        app.expectLeak("ViewController") { $0.take(.tap("leave")) }
        app.expectStack("n[list]")
    }

    @Test func `a split view without a style releases its secondary controller when the user goes back`() throws {
        let app = try AppUnderTest(ColumnsApp.self, options: .init(kind: .classic))
        app.expectStack("n[list, detail]")
        app.back()
        app.take(.tap("detail"))
        app.expectStack("n[list]")
    }
}

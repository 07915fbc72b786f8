import UIKit

/// A screen as iOS teams write it, with targets and actions.
///
/// Its title shows which method was called last.
@objcMembers
final class EditorViewController: UIViewController {
    @IBOutlet private weak var hint: UIView?
    private lazy var saveItem = UIBarButtonItem(title: "Save", style: .done, target: self, action: #selector(save))
    private let addButton = UIButton(type: .system)
    private let refresher = UIRefreshControl()
    private let banner = UIView()
    private var helper: EditorHelper? = EditorHelper()
    @objc dynamic private(set) var count = 0

    override func viewDidLoad() {
        super.viewDidLoad()
        navigationItem.leftBarButtonItem = UIBarButtonItem(title: "Plain", style: .plain, target: nil, action: nil)
        navigationItem.rightBarButtonItems = [saveItem, item("Wrong", #selector(EditorViewController.wrong(_:)))]
        addButton.setTitle("Add", for: .normal)
        addButton.addTarget(self, action: #selector(add(_:)), for: .touchUpInside)
        addButton.addTarget(helper, action: #selector(EditorHelper.note(sender:)), for: .touchUpInside)
        view.addSubview(addButton)
        for (title, action) in actions { view.addSubview(button(title, action)) }
        refresher.accessibilityIdentifier = "Refresh"
        refresher.addTarget(self, action: #selector(self.refresh), for: .valueChanged)
        let list = UIScrollView()
        list.refreshControl = refresher
        view.addSubview(list)
        banner.accessibilityIdentifier = "Banner"
        banner.addGestureRecognizer(UITapGestureRecognizer(target: self, action: .bannerTapped))
        view.addSubview(banner)
        NotificationCenter.default.addObserver(
            self, selector: #selector(didSave(_:)), name: .editorDidSave, object: nil)
    }

    private var actions: [(String, Selector)] {
        [
            ("Both", #selector(both(_:event:))), ("Post", #selector(post)), ("Wait", #selector(wait)),
            ("Search", #selector(search)), ("Cancel", #selector(Self.cancelSearch)),
            ("Remove", #selector(remove)), ("Forget", #selector(forget)),
            ("Overload", #selector(close as () -> Void)), ("Stranger", #selector(EditorHelper.note(sender:))),
            ("Cover", #selector(cover)),
        ]
    }

    private func button(_ title: String, _ action: Selector) -> UIButton {
        let button = UIButton(type: .custom)
        button.setTitle(title, for: .normal)
        button.addTarget(self, action: action, for: .touchUpInside)
        return button
    }

    private func item(_ title: String, _ action: Selector) -> UIBarButtonItem {
        UIBarButtonItem(title: title, style: .plain, target: self, action: action)
    }

    @IBAction private func save() {
        title = "saved"
        if saveItem.action == #selector(save) { count += 1 }
    }

    @objc private func add(_ sender: UIButton) {
        count += 1
        title = "\(sender.currentTitle ?? "") \(count) \(helper?.notes ?? 0)"
    }

    @objc private func wrong(_ sender: UIRefreshControl) { title = "wrong" }

    @objc func both(_ sender: UIControl, event: AnyObject?) { title = "both \(sender is UIButton)" }

    @objc(postWithoutSender)
    private func post() {
        NotificationCenter.default.post(name: .editorDidSave, object: nil, userInfo: ["by": "kim"])
    }

    @objc private func didSave(_ notification: NSNotification) {
        title = "saved by \(notification.userInfo?["by"] as? String ?? "")"
    }

    @objc private func wait() {
        Timer.scheduledTimer(
            timeInterval: 1, target: self, selector: #selector(tick(_:)), userInfo: "tick", repeats: false)
    }

    @objc private func tick(_ timer: Timer) { title = timer.userInfo as? String }

    @objc private func search() {
        NSObject.cancelPreviousPerformRequests(withTarget: self)
        perform(#selector(find(_:)), with: "text", afterDelay: 0.5)
    }

    @objc private func cancelSearch() {
        NSObject.cancelPreviousPerformRequests(withTarget: self, selector: #selector(find(_:)), object: "text")
    }

    @objc private func find(_ text: String) { title = "found \(text)" }

    @objc private func remove() {
        addButton.removeTarget(helper, action: #selector(EditorHelper.note(sender:)), for: .touchUpInside)
    }

    @objc private func forget() { helper = nil }

    @objc private func cover() { banner.gestureRecognizers?.first?.isEnabled = false }

    @objc private func close() { title = "closed" }

    private func close(_ animated: Bool) {}

    @objc fileprivate func bannerTapped(_ recognizer: UITapGestureRecognizer) {
        title = recognizer.state == .ended && recognizer.view != nil ? "banner" : ""
    }
}

extension EditorViewController {
    @objc func refresh() {
        title = refresher.isRefreshing ? "refreshing" : ""
        refresher.endRefreshing()
    }
}

/// The notes of taps.
private final class EditorHelper: NSObject {
    private(set) var notes = 0

    @objc func note(sender: Any?) { notes += 1 }
}

extension Selector {
    fileprivate static let bannerTapped = #selector(EditorViewController.bannerTapped)
}

extension Notification.Name {
    static let editorDidSave = Notification.Name("editorDidSave")
}

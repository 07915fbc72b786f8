import Usher

/// A message with actions, shown as an alert or an action sheet, which each action closes.
@MainActor @preconcurrency
open class UIAlertController: UIViewController {
    /// The styles of an alert.
    public enum Style: Int, Sendable {
        case actionSheet, alert
    }

    /// The text below the title.
    open var message: String?
    /// The alert's style.
    public let preferredStyle: Style
    /// The actions, in the order in which they were added.
    public private(set) var actions: [UIAlertAction] = []
    /// The text fields, in the order in which they were added.
    public private(set) var textFields: [UITextField]?
    /// The action of the return key.
    open var preferredAction: UIAlertAction?
    /// The fields that the user has filled, whose texts are secret.
    private var filled: Set<ObjectIdentifier> = []

    /// Creates an alert or an action sheet.
    public init(title: String?, message: String?, preferredStyle: Style) {
        self.preferredStyle = preferredStyle
        super.init(nibName: nil, bundle: nil)
        self.title = title
        self.message = message
    }

    /// Returns nil, because there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// Adds an action.
    open func addAction(_ action: UIAlertAction) {
        guard action.style != .cancel || !actions.contains(where: { $0.style == .cancel }) else {
            UIKitSession.current?.warn("UIAlertController can only have one action with a style of cancel")
            return
        }
        actions.append(action)
    }

    /// Adds a text field.
    open func addTextField(configurationHandler: ((UITextField) -> Void)? = nil) {
        guard preferredStyle == .alert else {
            UIKitSession.current?.warn(
                "Text fields can only be added to an alert controller of style UIAlertControllerStyleAlert")
            return
        }
        let field = UITextField()
        configurationHandler?(field)
        textFields = (textFields ?? []) + [field]
    }

    override var engineStyle: PresentationStyle { preferredStyle == .alert ? .alert : .actionSheet }

    /// The fields' texts for clients, with an empty text for each field whose text is secret.
    final var visibleTexts: [String] {
        (textFields ?? []).map { field in
            let isHidden = field.isSecureTextEntry || filled.contains(ObjectIdentifier(field))
            return isHidden ? "" : field.text ?? ""
        }
    }

    func choose(_ title: String, _ texts: [Secret<String>], in session: UIKitSession) throws {
        guard let action = actions.first(where: { $0.title == title }) else {
            throw Refusal("the alert has no action \"\(title)\"")
        }
        guard action.isEnabled else { throw Refusal("the action \"\(title)\" is disabled") }
        let fields = textFields ?? []
        guard texts.count <= fields.count else {
            throw Refusal("the alert has \(fields.count) text fields, not \(texts.count)")
        }
        for (field, text) in zip(fields, texts) {
            field.text = try text.reveal()
            filled.insert(ObjectIdentifier(field))
        }
        try session.handleTouch { close(by: action, in: session) }
    }

    /// Returns `true` if a tap beside an action sheet does not close it: on a phone, if there is no cancel action.
    final func ignoresTapBeside(on device: UIDevice) -> Bool {
        preferredStyle == .actionSheet && cancelAction == nil && device.userInterfaceIdiom == .phone
    }

    /// Handles the user's tap beside the sheet, which runs the cancel action.
    override func closeByUser(in session: UIKitSession) {
        close(by: cancelAction, in: session)
    }

    private var cancelAction: UIAlertAction? { actions.first { $0.style == .cancel } }

    private func close(by action: UIAlertAction?, in session: UIKitSession) {
        session.setNeedsReconciling()
        leavePresentation(animated: true)
        if let action { session.enqueue { action.handler?(action) } }
    }
}

/// An action of an alert.
@MainActor @preconcurrency
open class UIAlertAction {
    /// The meanings of an action, which determine its appearance and place.
    public enum Style: Int, Sendable {
        case `default`, cancel, destructive
    }

    /// The action's text.
    public let title: String?
    /// The action's meaning.
    public let style: Style
    /// A Boolean value that indicates whether the action can be tapped.
    open var isEnabled = true
    fileprivate let handler: ((UIAlertAction) -> Void)?

    /// Creates an action.
    public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        self.title = title
        self.style = style
        self.handler = handler
    }
}

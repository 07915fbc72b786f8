/// An element of a menu.
@MainActor @preconcurrency
open class UIMenuElement: UIResponder {
    /// The element's text.
    public let title: String
    /// The element's image.
    public let image: UIImage?

    init(title: String, image: UIImage?) {
        self.title = title
        self.image = image
    }
}

/// A closure with a title, which a control or a menu runs.
@MainActor @preconcurrency
open class UIAction: UIMenuElement {
    /// The identifiers of actions.
    public struct Identifier: Hashable, RawRepresentable, Sendable {
        /// The identifier's text.
        public let rawValue: String

        /// Creates an identifier.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// Creates an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The attributes of an action in a menu.
    public struct Attributes: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates attributes.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The action cannot be tapped.
        public static let disabled = Attributes(rawValue: 1)
        /// The action deletes something.
        public static let destructive = Attributes(rawValue: 2)
        /// The action is not shown.
        public static let hidden = Attributes(rawValue: 4)
    }

    /// The identifier.
    public let identifier: Identifier?
    /// The attributes.
    open var attributes: Attributes
    /// The object that runs the action.
    public private(set) weak var sender: AnyObject?
    private let handler: @MainActor (UIAction) -> Void

    /// Creates an action.
    public init(
        title: String = "", image: UIImage? = nil, identifier: Identifier? = nil, attributes: Attributes = [],
        handler: @escaping @MainActor (UIAction) -> Void
    ) {
        self.identifier = identifier
        self.attributes = attributes
        self.handler = handler
        super.init(title: title, image: image)
    }

    /// Runs the action.
    public final func performWithSender(_ sender: AnyObject?, target: AnyObject?) {
        self.sender = sender
        handler(self)
    }

    final func tappable(by sender: UIBarButtonItem? = nil) -> TappableAction {
        let isEnabled = !attributes.contains(.disabled) && sender?.isEnabled != false
        return TappableAction(title: title, isEnabled: isEnabled) { [self] in
            performWithSender(sender, target: nil)
        }
    }
}

/// A menu of actions and other menus.
@MainActor @preconcurrency
open class UIMenu: UIMenuElement {
    /// The elements.
    public let children: [UIMenuElement]

    /// Creates a menu.
    public init(title: String = "", image: UIImage? = nil, children: [UIMenuElement] = []) {
        self.children = children
        super.init(title: title, image: image)
    }

    final var actions: [UIAction] {
        children.flatMap { ($0 as? UIMenu)?.actions ?? [$0 as? UIAction].compactMap(\.self) }
    }
}

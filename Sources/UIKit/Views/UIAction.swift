/// A part of a menu.
@MainActor @preconcurrency
open class UIMenuElement: UIResponder {
    /// The text on it.
    public let title: String
    /// The picture on it.
    public let image: UIImage?

    init(title: String, image: UIImage?) {
        self.title = title
        self.image = image
    }
}

/// A closure with a title, which a control or a menu runs.
@MainActor @preconcurrency
open class UIAction: UIMenuElement {
    /// The names by which actions are told apart.
    public struct Identifier: Hashable, RawRepresentable, Sendable {
        /// The name.
        public let rawValue: String

        /// Makes a name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// Makes a name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The properties of an action, which a menu shows.
    public struct Attributes: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Makes properties.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// It cannot be tapped.
        public static let disabled = Attributes(rawValue: 1)
        /// It takes something away.
        public static let destructive = Attributes(rawValue: 2)
        /// It is not shown.
        public static let hidden = Attributes(rawValue: 4)
    }

    /// The name.
    public let identifier: Identifier?
    /// The properties.
    open var attributes: Attributes
    /// The object that runs it.
    public private(set) weak var sender: AnyObject?
    private let handler: @MainActor (UIAction) -> Void

    /// Makes an action.
    public init(
        title: String = "", image: UIImage? = nil, identifier: Identifier? = nil, attributes: Attributes = [],
        handler: @escaping @MainActor (UIAction) -> Void
    ) {
        self.identifier = identifier
        self.attributes = attributes
        self.handler = handler
        super.init(title: title, image: image)
    }

    /// Runs it.
    public final func performWithSender(_ sender: AnyObject?, target: AnyObject?) {
        self.sender = sender
        handler(self)
    }

    /// The action as something to tap, by what shows it.
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
    /// The parts of it.
    public let children: [UIMenuElement]

    /// Makes a menu.
    public init(title: String = "", image: UIImage? = nil, children: [UIMenuElement] = []) {
        self.children = children
        super.init(title: title, image: image)
    }

    /// All actions in it and in the menus in it.
    final var actions: [UIAction] {
        children.flatMap { ($0 as? UIMenu)?.actions ?? [$0 as? UIAction].compactMap(\.self) }
    }
}

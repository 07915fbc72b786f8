/// A view that the user can tap.
@MainActor @preconcurrency
open class UIControl: UIView {
    /// The things that happen to a control.
    public struct Event: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Makes events.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// A finger is lifted from it.
        public static let touchUpInside = Event(rawValue: 1 << 6)
        /// Its value has changed.
        public static let valueChanged = Event(rawValue: 1 << 12)
        /// Its main use.
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
        /// Its text has changed.
        public static let editingChanged = Event(rawValue: 1 << 17)
    }

    /// The states of a control, by which it is drawn.
    public struct State: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Makes states.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// None of the others.
        public static let normal: State = []
        /// A finger is on it.
        public static let highlighted = State(rawValue: 1)
        /// It cannot be tapped.
        public static let disabled = State(rawValue: 2)
        /// It is chosen.
        public static let selected = State(rawValue: 4)
    }

    /// False where it cannot be tapped.
    open var isEnabled = true
    /// True where it is chosen.
    open var isSelected = false
    private var handlers: [(events: Event, perform: () -> Void)] = []

    /// Runs an action at events.
    open func addAction(_ action: UIAction, for events: Event) {
        handlers.append((events, { [unowned self] in action.performWithSender(self, target: nil) }))
    }

    /// Calls a method at events, given as `Type.method` in place of a selector; no longer than the target lives.
    public final func addTarget<Target: AnyObject>(
        _ target: Target, action: @escaping @MainActor (Target) -> @MainActor () -> Void, for events: Event
    ) {
        handlers.append(
            (
                events,
                { [weak target] in
                    if let target { action(target)() }
                }
            ))
    }

    /// Does what is to be done at events.
    open func sendActions(for events: Event) {
        for handler in handlers where !handler.events.isDisjoint(with: events) { handler.perform() }
    }

    /// The text on it, by which a client knows it; nil for one without.
    open var screenTitle: String? { accessibilityIdentifier ?? accessibilityLabel }

    /// The control as something to tap.
    ///
    /// - Parameter takesTaps: Whether taps do not go through it, nor through what it is in.
    fileprivate final func tappable(_ takesTaps: Bool) -> TappableAction? {
        guard let title = screenTitle, !handlers.isEmpty else { return nil }
        return TappableAction(title: title, isEnabled: isEnabled && takesTaps) { [self] in
            sendActions(for: [.touchUpInside, .primaryActionTriggered, .valueChanged])
        }
    }
}

/// A button.
@MainActor @preconcurrency
open class UIButton: UIControl {
    /// The kinds of buttons.
    public enum ButtonType: Int, Sendable {
        case custom, system, detailDisclosure, infoLight, infoDark, contactAdd, close = 7
    }

    private var titles: [State: String] = [:]

    /// Makes a button of a kind.
    public convenience init(type: ButtonType) {
        self.init(frame: .zero)
    }

    /// Makes a button that runs an action.
    public convenience init(type: ButtonType = .system, primaryAction: UIAction?) {
        self.init(type: type)
        guard let primaryAction else { return }
        setTitle(primaryAction.title, for: .normal)
        addAction(primaryAction, for: .touchUpInside)
    }

    /// Sets the text on it.
    open func setTitle(_ title: String?, for state: State) { titles[state] = title }

    /// The text on it.
    open func title(for state: State) -> String? { titles[state] ?? titles[.normal] }

    /// The text on it.
    public final var currentTitle: String? { title(for: isEnabled ? .normal : .disabled) }

    /// The text on it, or its name for tests.
    open override var screenTitle: String? { currentTitle ?? super.screenTitle }
}

extension UIView {
    /// Appends all controls in it that can be tapped, in the order of the views.
    ///
    /// - Parameters:
    ///   - takesTaps: False where taps go through what it is in.
    ///   - seen: Views in it that have been looked through.
    final func collectTappable(
        into found: inout [TappableAction], takesTaps: Bool = true, except seen: Set<UIView> = []
    ) {
        guard !isHidden, !seen.contains(self) else { return }
        let takesTaps = takesTaps && isUserInteractionEnabled
        if let own = (self as? UIControl)?.tappable(takesTaps) { found.append(own) }
        for view in subviews { view.collectTappable(into: &found, takesTaps: takesTaps, except: seen) }
    }
}

/// Something of a controller's that a user can tap.
struct TappableAction {
    let title: String
    let isEnabled: Bool
    let perform: @MainActor () -> Void

    var disabled: TappableAction { TappableAction(title: title, isEnabled: false, perform: perform) }
}

/// A view that the user can tap.
@MainActor @preconcurrency
open class UIControl: UIView {
    /// The events of a control.
    public struct Event: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates events.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// A finger is lifted inside of the control.
        public static let touchUpInside = Event(rawValue: 1 << 6)
        /// The value has changed.
        public static let valueChanged = Event(rawValue: 1 << 12)
        /// The primary action was triggered.
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
        /// The text has changed.
        public static let editingChanged = Event(rawValue: 1 << 17)
    }

    /// The states of a control, which determine its appearance.
    public struct State: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates states.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The control has no other state.
        public static let normal: State = []
        /// A finger is on the control.
        public static let highlighted = State(rawValue: 1)
        /// The control cannot be tapped.
        public static let disabled = State(rawValue: 2)
        /// The control is selected.
        public static let selected = State(rawValue: 4)
    }

    /// A Boolean value that indicates whether the control can be tapped.
    open var isEnabled = true
    /// A Boolean value that indicates whether the control is selected.
    open var isSelected = false
    private var handlers: [Handler] = []

    private struct Handler {
        var events: Event
        /// The target's method; nil for an action.
        var method: TargetAction?
        let perform: (UIControl) -> Void
    }

    /// Runs an action on events.
    open func addAction(_ action: UIAction, for events: Event) {
        handlers.append(Handler(events: events) { action.performWithSender($0, target: nil) })
    }

    /// Calls a method on events while the target exists; nil has no effect, because there is no chain of responders.
    open func addTarget(_ target: Any?, action: Selector, for controlEvents: Event) {
        guard let method = TargetAction(target, action) else { return }
        handlers.append(Handler(events: controlEvents, method: method) { method.perform($0) })
    }

    /// Stops calling a target's method on events; nil stands for all targets, or for all methods.
    open func removeTarget(_ target: Any?, action: Selector?, for controlEvents: Event) {
        for index in handlers.indices where handlers[index].method?.matches(target, action) == true {
            handlers[index].events.subtract(controlEvents)
        }
        handlers.removeAll { $0.events.isEmpty }
    }

    /// Calls a method on events, given as `Type.method` instead of a selector, while the target exists.
    public final func addTarget<Target: AnyObject>(
        _ target: Target, action: @escaping @MainActor (Target) -> @MainActor () -> Void, for events: Event
    ) {
        handlers.append(
            Handler(events: events) { [weak target] _ in
                if let target { action(target)() }
            })
    }

    /// Runs the actions of events.
    open func sendActions(for events: Event) {
        for handler in handlers where !handler.events.isDisjoint(with: events) { handler.perform(self) }
    }

    /// Changes the control's own state as a tap does, before the actions run.
    func beginTap() {}

    /// The text that identifies the control for clients; nil if there is none.
    open var screenTitle: String? { accessibilityIdentifier ?? accessibilityLabel }

    fileprivate final func tappable(_ takesTaps: Bool) -> TappableAction? {
        guard let title = screenTitle, !handlers.isEmpty else { return nil }
        return TappableAction(title: title, isEnabled: isEnabled && takesTaps) { [self] in
            beginTap()
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

    /// Creates a button of a kind.
    public convenience init(type: ButtonType) {
        self.init(frame: .zero)
    }

    /// Creates a button that runs an action.
    public convenience init(type: ButtonType = .system, primaryAction: UIAction?) {
        self.init(type: type)
        guard let primaryAction else { return }
        setTitle(primaryAction.title, for: .normal)
        addAction(primaryAction, for: .touchUpInside)
    }

    /// Sets the title of a state.
    open func setTitle(_ title: String?, for state: State) { titles[state] = title }

    /// Returns the title of a state.
    open func title(for state: State) -> String? { titles[state] ?? titles[.normal] }

    /// The title of the current state.
    public final var currentTitle: String? { title(for: isEnabled ? .normal : .disabled) }

    /// The title, or the accessibility identifier or label.
    open override var screenTitle: String? { currentTitle ?? super.screenTitle }
}

extension UIView {
    /// Appends all controls in the view that can be tapped, in the order of the views, without the `seen` subviews.
    final func collectTappable(
        into found: inout [TappableAction], takesTaps: Bool = true, except seen: Set<UIView> = []
    ) {
        guard !isHidden, !seen.contains(self) else { return }
        let takesTaps = takesTaps && isUserInteractionEnabled
        if let own = (self as? UIControl)?.tappable(takesTaps) { found.append(own) }
        if !recognizers.isEmpty, let tap = tappableByGesture(takesTaps) { found.append(tap) }
        for view in subviews { view.collectTappable(into: &found, takesTaps: takesTaps, except: seen) }
    }
}

/// An action, control or bar item that a user can tap.
struct TappableAction {
    let title: String
    let isEnabled: Bool
    let perform: @MainActor () -> Void

    var disabled: TappableAction { TappableAction(title: title, isEnabled: false, perform: perform) }
}

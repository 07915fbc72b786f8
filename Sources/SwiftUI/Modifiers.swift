/// The edges of a rectangle.
public enum Edge: CaseIterable, Sendable {
    case top, leading, bottom, trailing

    /// Several edges.
    public struct Set: OptionSet, Sendable {
        /// The bits.
        public let rawValue: Int

        /// Creates a set.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The top edge.
        public static let top = Set(rawValue: 1)
        /// The leading edge.
        public static let leading = Set(rawValue: 2)
        /// The bottom edge.
        public static let bottom = Set(rawValue: 4)
        /// The trailing edge.
        public static let trailing = Set(rawValue: 8)
        /// The leading and the trailing edge.
        public static let horizontal: Set = [.leading, .trailing]
        /// The top and the bottom edge.
        public static let vertical: Set = [.top, .bottom]
        /// All edges.
        public static let all: Set = [.horizontal, .vertical]
    }
}

/// The ways to fit a view into a place of another shape.
public enum ContentMode: CaseIterable, Sendable {
    case fit, fill
}

/// The places of a view in a larger one.
public enum Alignment: Sendable {
    case center, leading, trailing, top, bottom, topLeading, topTrailing, bottomLeading, bottomTrailing
}

/// The places of lines of text.
public enum TextAlignment: CaseIterable, Sendable {
    case leading, center, trailing
}

/// The looks of a screen by day and by night.
public enum ColorScheme: CaseIterable, Sendable {
    case light, dark
}

// Modifiers that change a view's looks: nobody draws it, so it stays the same to clients. Those that run code of the app or
// give a screen a title are not declared, because an app would miss them.
extension View {
    /// The same view with space around it.
    public func padding(_ edges: Edge.Set = .all, _ length: Double? = nil) -> ModifiedView<Self> { unchanged }
    /// The same view with space around it.
    public func padding(_ length: Double) -> ModifiedView<Self> { unchanged }
    /// The same view in a frame.
    public func frame(
        width: Double? = nil, height: Double? = nil, alignment: Alignment = .center
    ) -> ModifiedView<Self> { unchanged }
    /// The same view in a frame.
    public func frame(
        minWidth: Double? = nil, idealWidth: Double? = nil, maxWidth: Double? = nil, minHeight: Double? = nil,
        idealHeight: Double? = nil, maxHeight: Double? = nil, alignment: Alignment = .center
    ) -> ModifiedView<Self> { unchanged }
    /// The same view of a shape.
    public func aspectRatio(_ ratio: Double? = nil, contentMode: ContentMode) -> ModifiedView<Self> { unchanged }
    /// The same view in a place.
    public func scaledToFit() -> ModifiedView<Self> { unchanged }
    /// The same view in a place.
    public func scaledToFill() -> ModifiedView<Self> { unchanged }
    /// The same view beside the safe area, too.
    public func ignoresSafeArea(edges: Edge.Set = .all) -> ModifiedView<Self> { unchanged }
    /// The same view beside the safe area, too.
    public func edgesIgnoringSafeArea(_ edges: Edge.Set) -> ModifiedView<Self> { unchanged }
    /// The same view in a colour.
    public func foregroundColor(_ color: Color?) -> ModifiedView<Self> { unchanged }
    /// The same view in a colour.
    public func foregroundStyle(_ style: Color) -> ModifiedView<Self> { unchanged }
    /// The same view in a colour.
    public func tint(_ tint: Color?) -> ModifiedView<Self> { unchanged }
    /// The same view in a colour.
    public func accentColor(_ accentColor: Color?) -> ModifiedView<Self> { unchanged }
    /// The same view before another.
    public func background<V: View>(_ background: V) -> ModifiedView<Self> { unchanged }
    /// The same view by day or by night.
    public func preferredColorScheme(_ colorScheme: ColorScheme?) -> ModifiedView<Self> { unchanged }
    /// The same view with something showing through it.
    public func opacity(_ opacity: Double) -> ModifiedView<Self> { unchanged }
    /// The same view with round corners.
    public func cornerRadius(_ radius: Double) -> ModifiedView<Self> { unchanged }
    /// The same view in a font.
    public func font(_ font: Font?) -> ModifiedView<Self> { unchanged }
    /// The same view with other lines of text.
    public func multilineTextAlignment(_ alignment: TextAlignment) -> ModifiedView<Self> { unchanged }
    /// The same view with fewer lines of text.
    public func lineLimit(_ number: Int?) -> ModifiedView<Self> { unchanged }
    /// The same view with a name for tests.
    public func accessibilityIdentifier(_ identifier: String) -> ModifiedView<Self> { unchanged }
    /// The same view with a name that is read out.
    public func accessibilityLabel(_ label: String) -> ModifiedView<Self> { unchanged }
    /// The same view, which is not read out.
    public func accessibilityHidden(_ hidden: Bool) -> ModifiedView<Self> { unchanged }

    private var unchanged: ModifiedView<Self> { ModifiedView(base: self) }
}

/// The views that are shown while an app is written; here they are only compiled.
@MainActor @preconcurrency
public protocol PreviewProvider {
    /// The type of the views.
    associatedtype Previews: View

    /// The views.
    static var previews: Previews { get }
}

/// The edges of a rectangle.
public enum Edge: CaseIterable, Sendable {
    case top, leading, bottom, trailing

    /// A set of edges.
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
        /// The leading and trailing edges.
        public static let horizontal: Set = [.leading, .trailing]
        /// The top and bottom edges.
        public static let vertical: Set = [.top, .bottom]
        /// All edges.
        public static let all: Set = [.horizontal, .vertical]
    }
}

/// The ways in which a view fits into a space of another shape.
public enum ContentMode: CaseIterable, Sendable {
    case fit, fill
}

/// The alignments of a view in a larger view.
public enum Alignment: Sendable {
    case center, leading, trailing, top, bottom, topLeading, topTrailing, bottomLeading, bottomTrailing
}

/// The alignments of lines of text.
public enum TextAlignment: CaseIterable, Sendable {
    case leading, center, trailing
}

/// The light and the dark appearance.
public enum ColorScheme: CaseIterable, Sendable {
    case light, dark
}

// Modifiers of a view's appearance. Views are not drawn, so clients see the same screen. Modifiers that run code of the
// app or set a screen's title are not declared, because the app would rely on their effect.
extension View {
    /// Returns a view that looks the same to clients.
    public func padding(_ edges: Edge.Set = .all, _ length: Double? = nil) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func padding(_ length: Double) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func frame(
        width: Double? = nil, height: Double? = nil, alignment: Alignment = .center
    ) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func frame(
        minWidth: Double? = nil, idealWidth: Double? = nil, maxWidth: Double? = nil, minHeight: Double? = nil,
        idealHeight: Double? = nil, maxHeight: Double? = nil, alignment: Alignment = .center
    ) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func aspectRatio(_ ratio: Double? = nil, contentMode: ContentMode) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func scaledToFit() -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func scaledToFill() -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func ignoresSafeArea(edges: Edge.Set = .all) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func edgesIgnoringSafeArea(_ edges: Edge.Set) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func foregroundColor(_ color: Color?) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func foregroundStyle(_ style: Color) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func tint(_ tint: Color?) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func accentColor(_ accentColor: Color?) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func background<V: View>(_ background: V) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func preferredColorScheme(_ colorScheme: ColorScheme?) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func opacity(_ opacity: Double) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func cornerRadius(_ radius: Double) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func font(_ font: Font?) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func multilineTextAlignment(_ alignment: TextAlignment) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func lineLimit(_ number: Int?) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func accessibilityIdentifier(_ identifier: String) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func accessibilityLabel(_ label: String) -> ModifiedView<Self> { unchanged }
    /// Returns a view that looks the same to clients.
    public func accessibilityHidden(_ hidden: Bool) -> ModifiedView<Self> { unchanged }

    private var unchanged: ModifiedView<Self> { ModifiedView(base: self) }
}

/// Previews for Xcode, which are only compiled here.
@MainActor @preconcurrency
public protocol PreviewProvider {
    /// The type of the previews.
    associatedtype Previews: View

    /// The previews.
    static var previews: Previews { get }
}

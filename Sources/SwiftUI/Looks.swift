/// A text.
public struct Text: View, Equatable, Sendable {
    let string: String

    /// Creates a text.
    public nonisolated init<S: StringProtocol>(_ content: S) {
        string = String(content)
    }

    /// Creates a text that is not translated.
    public nonisolated init(verbatim content: String) {
        string = content
    }

    /// Returns the same text, because fonts are not drawn.
    public func bold() -> Text { self }
    /// Returns the same text, because fonts are not drawn.
    public func italic() -> Text { self }
    /// Returns the same text, because fonts are not drawn.
    public func fontWeight(_ weight: Font.Weight?) -> Text { self }

    /// Joins two texts.
    public nonisolated static func + (left: Text, right: Text) -> Text { Text(left.string + right.string) }
}

/// An image, which is not drawn.
public struct Image: View, Equatable, Sendable {
    let name: String

    /// Creates an image of the app's catalogue.
    public nonisolated init(_ name: String, bundle: Bundle? = nil) {
        self.name = name
    }

    /// Creates an image of the system's catalogue.
    public nonisolated init(systemName: String) {
        name = systemName
    }

    /// Creates an image that screen readers ignore.
    public nonisolated init(decorative name: String, bundle: Bundle? = nil) {
        self.name = name
    }

    /// Creates an image from UIKit's image.
    public nonisolated init(uiImage: UIImage) {
        name = "\(uiImage)"
    }

    /// Returns the same image.
    public func resizable() -> Image { self }
    /// Returns the same image.
    public func renderingMode(_ mode: TemplateRenderingMode?) -> Image { self }

    /// The ways to render an image.
    public enum TemplateRenderingMode: Sendable {
        case template, original
    }
}

/// A colour, which is stored, but not drawn.
public struct Color: View, Hashable, Sendable {
    let color: UIColor

    /// Creates a colour from UIKit's colour.
    public nonisolated init(_ color: UIColor) {
        self.color = color
    }

    /// Creates a colour from UIKit's colour.
    public nonisolated init(uiColor: UIColor) {
        color = uiColor
    }

    /// Creates a colour of the app's catalogue; a colour with any name is assumed to exist.
    public nonisolated init(_ name: String, bundle: Bundle? = nil) {
        color = UIColor(named: name) ?? .clear
    }

    /// Creates a colour from its components.
    public nonisolated init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
        color = UIColor(red: red, green: green, blue: blue, alpha: opacity)
    }

    /// Returns the colour with another opacity.
    public nonisolated func opacity(_ opacity: Double) -> Color { Color(color.withAlphaComponent(opacity)) }

    /// Black.
    public nonisolated static let black = Color(UIColor.black)
    /// White.
    public nonisolated static let white = Color(UIColor.white)
    /// No colour.
    public nonisolated static let clear = Color(UIColor.clear)
    /// Red.
    public nonisolated static let red = Color(UIColor.red)
    /// Green.
    public nonisolated static let green = Color(UIColor.green)
    /// Blue.
    public nonisolated static let blue = Color(UIColor.blue)
    /// Yellow.
    public nonisolated static let yellow = Color(UIColor.yellow)
    /// Orange.
    public nonisolated static let orange = Color(UIColor.orange)
    /// Purple.
    public nonisolated static let purple = Color(UIColor.purple)
    /// Grey.
    public nonisolated static let gray = Color(UIColor.gray)
    /// The app's accent colour.
    public nonisolated static let accentColor = Color("AccentColor")
    /// The colour of primary content.
    public nonisolated static let primary = Color("primary")
    /// The colour of secondary content.
    public nonisolated static let secondary = Color("secondary")
}

/// A font, which is stored, but not drawn.
public struct Font: Hashable, Sendable {
    private let name: String

    private init(_ name: String) {
        self.name = name
    }

    /// The weights of a font.
    public enum Weight: Sendable {
        case ultraLight, thin, light, regular, medium, semibold, bold, heavy, black
    }

    /// The designs of the system's font.
    public enum Design: Sendable {
        case `default`, serif, rounded, monospaced
    }

    /// The font of large titles.
    public static let largeTitle = Font("largeTitle")
    /// The font of titles.
    public static let title = Font("title")
    /// The font of titles of the second level.
    public static let title2 = Font("title2")
    /// The font of titles of the third level.
    public static let title3 = Font("title3")
    /// The font of headlines.
    public static let headline = Font("headline")
    /// The font of subheadlines.
    public static let subheadline = Font("subheadline")
    /// The font of body text.
    public static let body = Font("body")
    /// The font of callouts.
    public static let callout = Font("callout")
    /// The font of footnotes.
    public static let footnote = Font("footnote")
    /// The font of captions.
    public static let caption = Font("caption")
    /// The font of small captions.
    public static let caption2 = Font("caption2")

    /// Returns the system's font of a size.
    public static func system(size: Double, weight: Weight = .regular, design: Design = .default) -> Font {
        Font("system \(size) \(weight) \(design)")
    }

    /// Returns one of the app's own fonts.
    public static func custom(_ name: String, size: Double) -> Font { Font("\(name) \(size)") }

    /// Returns the font in another weight.
    public func weight(_ weight: Weight) -> Font { Font("\(name) \(weight)") }
    /// Returns the font in bold.
    public func bold() -> Font { weight(.bold) }
    /// Returns the font in italics.
    public func italic() -> Font { Font("\(name) italic") }
}

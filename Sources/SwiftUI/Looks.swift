/// A text.
public struct Text: View, Equatable, Sendable {
    /// The text itself.
    let string: String

    /// Creates a text.
    public nonisolated init<S: StringProtocol>(_ content: S) {
        string = String(content)
    }

    /// Creates a text that is not translated.
    public nonisolated init(verbatim content: String) {
        string = content
    }

    /// The same text in bold.
    public func bold() -> Text { self }
    /// The same text in italics.
    public func italic() -> Text { self }
    /// The same text in a weight.
    public func fontWeight(_ weight: Font.Weight?) -> Text { self }

    /// Joins two texts.
    public nonisolated static func + (left: Text, right: Text) -> Text { Text(left.string + right.string) }
}

/// A picture.
public struct Image: View, Equatable, Sendable {
    let name: String

    /// Creates a picture of the app's catalogue.
    public nonisolated init(_ name: String, bundle: Bundle? = nil) {
        self.name = name
    }

    /// Creates a picture of the system's catalogue.
    public nonisolated init(systemName: String) {
        name = systemName
    }

    /// Creates a picture that is not read to anybody.
    public nonisolated init(decorative name: String, bundle: Bundle? = nil) {
        self.name = name
    }

    /// Creates a picture of UIKit's.
    public nonisolated init(uiImage: UIImage) {
        name = "\(uiImage)"
    }

    /// The same picture.
    public func resizable() -> Image { self }
    /// The same picture.
    public func renderingMode(_ mode: TemplateRenderingMode?) -> Image { self }

    /// The ways to draw a picture.
    public enum TemplateRenderingMode: Sendable {
        case template, original
    }
}

/// A colour.
public struct Color: View, Hashable, Sendable {
    let color: UIColor

    /// Creates a colour of UIKit's.
    public nonisolated init(_ color: UIColor) {
        self.color = color
    }

    /// Creates a colour of UIKit's.
    public nonisolated init(uiColor: UIColor) {
        color = uiColor
    }

    /// Creates a colour of the app's catalogue.
    public nonisolated init(_ name: String, bundle: Bundle? = nil) {
        color = UIColor(named: name) ?? .clear
    }

    /// Creates a colour of its parts.
    public nonisolated init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
        color = UIColor(red: red, green: green, blue: blue, alpha: opacity)
    }

    /// The same colour, with something showing through it.
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
    /// The app's own colour.
    public nonisolated static let accentColor = Color("AccentColor")
    /// The colour of what matters most.
    public nonisolated static let primary = Color("primary")
    /// The colour of what matters less.
    public nonisolated static let secondary = Color("secondary")
}

/// A font.
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
    /// The font of headlines below others.
    public static let subheadline = Font("subheadline")
    /// The font of running text.
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

    /// Returns a font of the app's own.
    public static func custom(_ name: String, size: Double) -> Font { Font("\(name) \(size)") }

    /// The same font in a weight.
    public func weight(_ weight: Weight) -> Font { Font("\(name) \(weight)") }
    /// The same font in bold.
    public func bold() -> Font { weight(.bold) }
    /// The same font in italics.
    public func italic() -> Font { Font("\(name) italic") }
}

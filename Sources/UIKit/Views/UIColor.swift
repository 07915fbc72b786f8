/// A colour, which is stored, but not drawn.
public struct UIColor: Hashable, Sendable {
    private let description: String

    private init(_ description: String) { self.description = description }

    /// Creates a colour from its components.
    public init(red: Double, green: Double, blue: Double, alpha: Double) {
        self.init("rgb(\(red), \(green), \(blue), \(alpha))")
    }

    /// Creates a grey.
    public init(white: Double, alpha: Double) {
        self.init("grey(\(white), \(alpha))")
    }

    /// Creates a colour of the app's catalogue; a colour with any name is assumed to exist.
    public init?(named name: String) {
        self.init("named \(name)")
    }

    /// Returns the colour with another opacity.
    public func withAlphaComponent(_ alpha: Double) -> UIColor { UIColor("\(description), \(alpha)") }

    /// Black.
    public static let black = UIColor("black")
    /// White.
    public static let white = UIColor("white")
    /// No colour.
    public static let clear = UIColor("clear")
    /// Red.
    public static let red = UIColor("red")
    /// Green.
    public static let green = UIColor("green")
    /// Blue.
    public static let blue = UIColor("blue")
    /// Yellow.
    public static let yellow = UIColor("yellow")
    /// Orange.
    public static let orange = UIColor("orange")
    /// Purple.
    public static let purple = UIColor("purple")
    /// Brown.
    public static let brown = UIColor("brown")
    /// Cyan.
    public static let cyan = UIColor("cyan")
    /// Magenta.
    public static let magenta = UIColor("magenta")
    /// Grey.
    public static let gray = UIColor("gray")
    /// Light grey.
    public static let lightGray = UIColor("lightGray")
    /// Dark grey.
    public static let darkGray = UIColor("darkGray")
    /// The system's red.
    public static let systemRed = UIColor("systemRed")
    /// The system's green.
    public static let systemGreen = UIColor("systemGreen")
    /// The system's blue.
    public static let systemBlue = UIColor("systemBlue")
    /// The system's orange.
    public static let systemOrange = UIColor("systemOrange")
    /// The system's yellow.
    public static let systemYellow = UIColor("systemYellow")
    /// The system's pink.
    public static let systemPink = UIColor("systemPink")
    /// The system's purple.
    public static let systemPurple = UIColor("systemPurple")
    /// The system's teal.
    public static let systemTeal = UIColor("systemTeal")
    /// The system's indigo.
    public static let systemIndigo = UIColor("systemIndigo")
    /// The system's grey.
    public static let systemGray = UIColor("systemGray")
    /// The background of a screen.
    public static let systemBackground = UIColor("systemBackground")
    /// The background of a part of a screen.
    public static let secondarySystemBackground = UIColor("secondarySystemBackground")
    /// The background of a grouped list.
    public static let systemGroupedBackground = UIColor("systemGroupedBackground")
    /// The colour of a text.
    public static let label = UIColor("label")
    /// The colour of a secondary text.
    public static let secondaryLabel = UIColor("secondaryLabel")
    /// The colour of a line that separates two things.
    public static let separator = UIColor("separator")
    /// The colour of content that can be tapped.
    public static let tintColor = UIColor("tint")
}

/// An image's name; the image is not drawn.
public final class UIImage: Hashable, Sendable {
    private let name: String

    /// Creates an image of the app's catalogue; an image with any name is assumed to exist.
    public init?(named name: String) {
        self.name = name
    }

    /// Creates an image of the system's catalogue.
    public init?(systemName name: String) {
        self.name = name
    }

    /// Creates an empty image.
    public init() {
        name = ""
    }

    /// Returns `true` if both images have the same name.
    public static func == (left: UIImage, right: UIImage) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A font, which is stored, but not drawn.
public struct UIFont: Hashable, Sendable {
    /// The weights of a font.
    public enum Weight: Sendable {
        case ultraLight, thin, light, regular, medium, semibold, bold, heavy, black
    }

    /// The text styles, whose sizes the user chooses.
    public enum TextStyle: Sendable {
        case largeTitle, title1, title2, title3, headline, subheadline, body, callout, footnote, caption1, caption2
    }

    /// The family's name.
    public let familyName: String
    /// The size in points.
    public let pointSize: Double
    private let weight: Weight

    private init(_ familyName: String, _ pointSize: Double, _ weight: Weight) {
        (self.familyName, self.pointSize, self.weight) = (familyName, pointSize, weight)
    }

    /// Creates a font with a name, which is assumed to exist.
    public init?(name: String, size: Double) {
        self.init(name, size, .regular)
    }

    /// Returns the system's font.
    public static func systemFont(ofSize size: Double, weight: Weight = .regular) -> UIFont {
        UIFont("system", size, weight)
    }

    /// Returns the system's bold font.
    public static func boldSystemFont(ofSize size: Double) -> UIFont { UIFont("system", size, .bold) }

    /// Returns the font of a text style.
    public static func preferredFont(forTextStyle style: TextStyle) -> UIFont { UIFont("\(style)", 17, .regular) }
}

/// The kinds of devices.
public enum UIUserInterfaceIdiom: Int, Sendable {
    case unspecified = -1
    case phone, pad, tv, carPlay
    case mac = 5
    case vision
}

/// The device of a session.
@MainActor @preconcurrency
open class UIDevice: UIResponder {
    /// The device of the session whose input is handled.
    public static var current: UIDevice { UIKitSession.current?.device ?? UIDevice(UIKitSettings()) }

    /// The name that its owner has given it.
    public let name: String
    /// The model.
    public let model: String
    /// The name of its system.
    public let systemName: String
    /// The version of its system.
    public let systemVersion: String
    /// The kind of device.
    public let userInterfaceIdiom: UIUserInterfaceIdiom

    init(_ settings: UIKitSettings) {
        name = settings.deviceName
        model = Self.models[settings.idiom] ?? "iPhone"
        systemName = settings.systemName
        systemVersion = settings.systemVersion
        userInterfaceIdiom = settings.idiom
    }

    private static let models: [UIUserInterfaceIdiom: String] = [
        .pad: "iPad", .mac: "Mac", .tv: "Apple TV", .vision: "Apple Vision",
    ]

    /// The identifier that the device has for an app's maker: none, for it would be the same in each session.
    public final var identifierForVendor: UUID? { nil }
}

/// The screen of a device.
@MainActor @preconcurrency
open class UIScreen: UIResponder {
    /// The only screen.
    public static var main: UIScreen { UIScreen() }

    /// Its size in points.
    public final var bounds: CGRect { CGRect(x: 0, y: 0, width: 390, height: 844) }
    /// The number of pixels in a point.
    public final var scale: Double { 3 }
}

extension Locale {
    /// The language and customs of the session whose input is handled; the process's outside of one.
    public static var current: Locale { UIKitSession.current?.region.locale ?? autoupdatingCurrent }
}

extension TimeZone {
    /// The time zone of the session whose input is handled; the process's outside of one.
    public static var current: TimeZone { UIKitSession.current?.region.timeZone ?? autoupdatingCurrent }
}

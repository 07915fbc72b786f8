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
    /// The device of the session whose input is being handled.
    public static var current: UIDevice { UIKitSession.ofGlobals?.device ?? UIDevice(UIKitSettings()) }

    /// The name of the device.
    public let name: String
    /// The model.
    public let model: String
    /// The name of the operating system.
    public let systemName: String
    /// The version of the operating system.
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

    /// nil, because an identifier would be the same in each session.
    public final var identifierForVendor: UUID? { nil }
}

/// The screen of a device.
@MainActor @preconcurrency
open class UIScreen: UIResponder {
    /// The only screen.
    public static var main: UIScreen { UIScreen() }

    /// The size in points.
    public final var bounds: CGRect { CGRect(x: 0, y: 0, width: 390, height: 844) }
    /// The number of pixels per point.
    public final var scale: Double { 3 }
}

extension Locale {
    /// The locale of the session whose input is being handled; outside of a session, the process's locale.
    public static var current: Locale { UIKitSession.ofGlobals?.region.locale ?? autoupdatingCurrent }
}

extension TimeZone {
    /// The time zone of the session whose input is being handled; outside of a session, the process's time zone.
    public static var current: TimeZone { UIKitSession.ofGlobals?.region.timeZone ?? autoupdatingCurrent }
}

/// A writer of the system's log, which writes nothing, because a replay would write everything again.
///
/// The values in its messages are never computed.
public struct Logger: Sendable {
    /// Creates a logger.
    public init() {}

    /// Creates a logger of a part of an app.
    public init(subsystem: String, category: String) {}

    /// Creates a logger.
    public init(_ log: OSLog) {}

    /// Does nothing.
    public func log(_ message: OSLogMessage) {}

    /// Does nothing.
    public func log(level: OSLogType, _ message: OSLogMessage) {}

    /// Does nothing.
    public func trace(_ message: OSLogMessage) {}

    /// Does nothing.
    public func debug(_ message: OSLogMessage) {}

    /// Does nothing.
    public func info(_ message: OSLogMessage) {}

    /// Does nothing.
    public func notice(_ message: OSLogMessage) {}

    /// Does nothing.
    public func warning(_ message: OSLogMessage) {}

    /// Does nothing.
    public func error(_ message: OSLogMessage) {}

    /// Does nothing.
    public func critical(_ message: OSLogMessage) {}

    /// Does nothing.
    public func fault(_ message: OSLogMessage) {}
}

/// Does nothing.
public func os_log(
    _ message: OSLogMessage, log: OSLog = .default, type: OSLogType = .default, _ arguments: Any?...
) {}

/// Does nothing.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage, _ arguments: Any?...) {}

/// A part of the system's log.
public final class OSLog: Sendable {
    /// The log of all parts of an app.
    public static let `default` = OSLog(subsystem: "", category: "")
    /// A log that nothing is written to.
    public static let disabled = OSLog(subsystem: "", category: "")

    /// Creates the log of a part of an app.
    public init(subsystem: String, category: String) {}
}

/// The levels of messages.
public struct OSLogType: Hashable, RawRepresentable, Sendable {
    /// The number of the level.
    public let rawValue: UInt8

    /// Creates a level.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The level of most messages.
    public static let `default` = OSLogType(rawValue: 0)
    /// Information.
    public static let info = OSLogType(rawValue: 1)
    /// Help in the search for faults.
    public static let debug = OSLogType(rawValue: 2)
    /// An error.
    public static let error = OSLogType(rawValue: 16)
    /// A fault of the app.
    public static let fault = OSLogType(rawValue: 17)
}

/// A message, whose values are not computed.
public struct OSLogMessage: ExpressibleByStringInterpolation {
    /// The values in a message.
    public struct StringInterpolation: StringInterpolationProtocol {
        /// Creates an empty message.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Does nothing.
        public mutating func appendLiteral(_ literal: String) {}

        /// Does nothing.
        public mutating func appendInterpolation(
            _ value: @autoclosure () -> Any?, privacy: OSLogPrivacy = .auto
        ) {}
    }

    /// Creates a message without values.
    public init(stringLiteral value: String) {}

    /// Creates a message with values.
    public init(stringInterpolation: StringInterpolation) {}
}

/// A rule for which readers may see a value in a message.
public struct OSLogPrivacy: Hashable, Sendable {
    /// The ways in which private values can be told apart.
    public enum Mask: Sendable {
        case hash, none
    }

    private enum Kind: Hashable, Sendable { case auto, `public`, `private`, sensitive }

    private let kind: Kind

    /// Everybody may see a number; nobody may see another value.
    public static var auto: OSLogPrivacy { OSLogPrivacy(kind: .auto) }
    /// Everybody may see the value.
    public static var `public`: OSLogPrivacy { OSLogPrivacy(kind: .public) }
    /// Nobody may see the value.
    public static var `private`: OSLogPrivacy { OSLogPrivacy(kind: .private) }
    /// Nobody may see the value, not even a developer.
    public static var sensitive: OSLogPrivacy { OSLogPrivacy(kind: .sensitive) }

    /// Nobody may see the value; equal values have the same mask.
    public static func `private`(mask: Mask) -> OSLogPrivacy { .private }

    /// Nobody may see the value, not even a developer; equal values have the same mask.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { .sensitive }
}

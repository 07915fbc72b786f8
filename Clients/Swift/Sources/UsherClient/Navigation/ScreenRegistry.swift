/// The state of a screen as a type of the client.
public protocol ScreenState: Decodable, Sendable {
    /// The screen's events in Swift's encoding of an enum; `Never` if there are none.
    associatedtype Event: Encodable, Sendable = Never
    /// The screen's name in the protocol.
    ///
    /// By default the type's name in lower camel case, without `State` and `Screen`.
    static var screenName: String { get }
}

extension ScreenState {
    /// The type's name in lower camel case, without `State` and `Screen`.
    public static var screenName: String {
        var name = String(describing: Self.self)
        for suffix in ["State", "Screen"] where name.hasSuffix(suffix) && name.count > suffix.count {
            name.removeLast(suffix.count)
        }
        let capitals = name.prefix(while: \.isUppercase)
        let rest = name.dropFirst(capitals.count)
        // In `DMList` the last capital begins the next word; in `DM` there is no next word.
        let kept = capitals.count > 1 && rest.first?.isLetter == true ? 1 : 0
        return capitals.dropLast(kept).lowercased() + capitals.suffix(kept) + rest
    }
}

/// A screen whose state has a type of the client.
public struct TypedScreen<Contents: ScreenState>: Sendable, Identifiable {
    /// The screen as the server sent it.
    public let screen: Screen
    /// The decoded state.
    public let state: Contents

    /// The screen's id.
    public var id: Int { screen.id }
}

/// A registry of the screens that a client knows, which makes a view or controller of each.
///
/// A screen that is not registered, or whose state cannot be decoded, gets the fallback, because the server may be
/// newer than the client.
public struct ScreenRegistry<Content> {
    /// The reason for a fallback.
    public enum Reason: Sendable, Equatable {
        case unregistered
        /// The state cannot be decoded, with the error's description.
        case undecodable(String)
    }

    private let fallback: (Screen, Reason) -> Content
    private var makers: [String: (Screen) throws -> Content] = [:]

    /// Creates an empty registry.
    public init(fallback: @escaping (_ screen: Screen, _ reason: Reason) -> Content) {
        self.fallback = fallback
    }

    /// The names of the registered screens.
    public var names: [String] { makers.keys.sorted() }

    /// Registers the type of a screen's state, and replaces an earlier type with the same screen name.
    public mutating func register<State: ScreenState>(
        _ type: State.Type, make: @escaping (TypedScreen<State>) -> Content
    ) {
        makers[type.screenName] = { screen in
            make(TypedScreen(screen: screen, state: try screen.state.decoded()))
        }
    }

    /// Returns the content that the client shows for a screen.
    public func content(of screen: Screen) -> Content {
        guard let make = makers[screen.screen] else { return fallback(screen, .unregistered) }
        do {
            return try make(screen)
        } catch {
            return fallback(screen, .undecodable("\(error)"))
        }
    }
}

/// The state of a screen that the client does not know.
public struct UnknownScreenState: ScreenState {
    /// The state as received.
    public let json: JSON

    /// Creates a state from its JSON.
    public init(_ json: JSON) { self.json = json }

    /// Decodes any state.
    public init(from decoder: any Decoder) throws { json = try JSON(from: decoder) }
}

extension ScreenRegistry where Content == any ScreenState {
    /// Creates a registry of the states themselves, with `UnknownScreenState` as the fallback.
    public init() {
        self.init { screen, _ in UnknownScreenState(screen.state) }
    }

    /// Registers the type of a screen's state.
    public mutating func register<State: ScreenState>(_ type: State.Type) {
        register(type) { $0.state }
    }
}

extension Session {
    /// Adds an event of a screen to the queue.
    @discardableResult
    public func enqueue<State: ScreenState>(_ event: State.Event, of screen: TypedScreen<State>) -> Delivery {
        do {
            return enqueue(.event(try JSON(encoding: event), screen: screen.id))
        } catch {
            return Delivery(refused: .own("unencodable", "the event cannot be encoded: \(error)"))
        }
    }
}

/// The state of a screen, as a type of the client's.
public protocol ScreenState: Decodable, Sendable {
    /// The events of the screen, coded as Swift codes an enum; `Never` where it has none.
    associatedtype Event: Encodable, Sendable = Never
    /// The screen's name on the wire.
    ///
    /// By default that of the type, without `State` and `Screen`, with a small letter first.
    static var screenName: String { get }
}

extension ScreenState {
    /// The type's name, without `State` and `Screen`, with a small letter first.
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

/// A screen whose state is a type of the client's.
public struct TypedScreen<Contents: ScreenState>: Sendable, Identifiable {
    /// The screen as the server has it.
    public let screen: Screen
    /// Its contents.
    public let state: Contents

    /// The screen's id.
    public var id: Int { screen.id }
}

/// The registry of the screens that a client knows, which makes of each what the client shows: a view, a controller.
///
/// A screen that is not registered, or whose state is another than the registered type, comes to the fallback: the server
/// may be newer than the client.
public struct ScreenRegistry<Content> {
    /// Why a screen comes to the fallback.
    public enum Reason: Sendable, Equatable {
        case unregistered
        /// Its state does not decode, with the error's words.
        case undecodable(String)
    }

    private let fallback: (Screen, Reason) -> Content
    private var makers: [String: (Screen) throws -> Content] = [:]

    /// A registry that knows no screen.
    public init(fallback: @escaping (_ screen: Screen, _ reason: Reason) -> Content) {
        self.fallback = fallback
    }

    /// The names of the screens that are registered.
    public var names: [String] { makers.keys.sorted() }

    /// Registers the type of a screen's state; a later one takes the place of an earlier of that name.
    public mutating func register<State: ScreenState>(
        _ type: State.Type, make: @escaping (TypedScreen<State>) -> Content
    ) {
        makers[type.screenName] = { screen in
            make(TypedScreen(screen: screen, state: try screen.state.decoded()))
        }
    }

    /// The content that the client shows of a screen.
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
    /// The state as it came.
    public let json: JSON

    /// A state as it came.
    public init(_ json: JSON) { self.json = json }

    /// Takes whatever is there.
    public init(from decoder: any Decoder) throws { json = try JSON(from: decoder) }
}

extension ScreenRegistry where Content == any ScreenState {
    /// A registry of the states themselves, in which an `UnknownScreenState` stands for all others.
    public init() {
        self.init { screen, _ in UnknownScreenState(screen.state) }
    }

    /// Registers the type of a screen's state.
    public mutating func register<State: ScreenState>(_ type: State.Type) {
        register(type) { $0.state }
    }
}

extension Session {
    /// Puts an event of a screen into the queue.
    @discardableResult
    public func enqueue<State: ScreenState>(_ event: State.Event, of screen: TypedScreen<State>) -> Delivery {
        do {
            return enqueue(.event(try JSON(encoding: event), screen: screen.id))
        } catch {
            return Delivery(refused: .own("unencodable", "the event cannot be encoded: \(error)"))
        }
    }
}

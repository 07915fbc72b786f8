/// The audience of a tree: its session's client, and the app's last resort for screens that this cannot draw.
package final class SessionAudience: Sendable {
    /// A client that says nothing, and so can draw everything.
    package static let silent = SessionAudience(Client()) { _, _ in nil }

    /// The session's client.
    package let client: Client
    /// The app's fallback, by the name of the screen that it stands for.
    fileprivate let fallback: @Sendable (String, Client) -> (any Screen<Never>)?

    /// Makes an audience.
    ///
    /// - Parameters:
    ///   - client: The session's client.
    ///   - fallback: The app's fallback.
    package init(_ client: Client, fallback: @escaping @Sendable (String, Client) -> (any Screen<Never>)?) {
        self.client = client
        self.fallback = fallback
    }

    /// The audience of an app's session; all clients that say nothing share one.
    static func of(_ app: any App.Type, _ client: Client) -> SessionAudience {
        client == Client() ? silent : SessionAudience(client) { app.fallback(for: $0, client: $1) }
    }

    /// True of a client that can draw whatever there is.
    var drawsAll: Bool { client.screens == nil }

    /// The substitute of a screen; nil for one that the client can draw.
    func substitute(for description: any AnyScreenDescription) -> ScreenSubstitute? {
        guard !drawsAll, !client.shows(description.name, version: description.version) else { return nil }
        return ScreenSubstitute(for: self)
    }
}

/// The substitute of a screen that its client cannot draw: the screen's own fallback, or the app's, as it stands.
final class ScreenSubstitute {
    /// The screen that clients see; nil where there is none that this client can draw.
    private(set) var screen: (any Screen)?
    /// The description of that screen's type.
    private(set) var description: (any AnyScreenDescription)?
    /// True where the screen is the app's, and sends no events; a screen's own fallback has the same events as that.
    private(set) var isMute = false
    private let audience: SessionAudience

    /// A screen's fallback may have one itself, and so on; further ones are not asked.
    private static let depth = 8

    init(for audience: SessionAudience) {
        self.audience = audience
    }

    /// Finds what is to be shown for a screen as it stands.
    ///
    /// - Parameters:
    ///   - screen: The screen.
    ///   - name: Its name on the wire.
    func update(for screen: some Screen, named name: String) {
        let own = fallback(of: screen, within: Self.depth)
        let found: (any Screen)? = own ?? audience.fallback(name, audience.client)
        self.screen = found.flatMap { shows($0) ? $0 : nil }
        isMute = own == nil && self.screen != nil
        description = self.screen.map { Self.description(of: $0) }
    }

    func forget() {
        screen = nil
    }

    /// The first that the client can draw of a screen's fallback, of that one's fallback, and so on.
    private func fallback(of screen: some Screen, within depth: Int) -> (any Screen)? {
        guard depth > 0, let next = screen.fallback(for: audience.client) else { return nil }
        return shows(next) ? next : fallback(of: next, within: depth - 1)
    }

    private func shows<S: Screen>(_ screen: S) -> Bool {
        audience.client.shows(screen.instanceName ?? S.name, version: S.version)
    }

    private static func description<S: Screen>(of screen: S) -> any AnyScreenDescription {
        ScreenDescription<S>.of(screen)
    }
}

/// The account of the screens of a tree that its client cannot draw.
final class DrawingGaps {
    /// Set while inputs are handled again that a build has accepted, maybe one whose screens had other versions.
    var isReplaying: Bool
    /// Those that were shown meanwhile, each once.
    private(set) var undrawn: [UndrawableScreen] = []
    /// The last revision at whose end all on display could be drawn; 0 where there was none.
    private(set) var drawableRevision = 0

    /// Further ones of one session are not told.
    private static let limit = 64

    init(isReplaying: Bool) {
        self.isReplaying = isReplaying
    }

    /// Looks for screens on display that cannot be drawn, at the end of an input.
    ///
    /// - Parameter revision: The revision that the input leads to.
    /// - Returns: One for which the input has to be refused; nil where it happens.
    func find(in window: Window, at revision: Int) -> UndrawableScreen? {
        let found = window.displayedScreens.compactMap(\.undrawable)
        if found.isEmpty { drawableRevision = revision }
        // At a replay's end it is shown no more, or told by `endReplay`.
        guard isReplaying else { return found.first }
        for screen in found where undrawn.count < Self.limit && !undrawn.contains(screen) { undrawn.append(screen) }
        return nil
    }
}

extension Window {
    /// The screens that a client is sent: those of hidden tabs are not.
    var displayedScreens: some Sequence<ScreenInstance> {
        (SmallArray(visibleBase) + modals).lazy.flatMap(\.screens)
    }
}

/// A screen in a version that a session's client cannot draw, and for which there is no fallback.
package struct UndrawableScreen: Hashable, Codable, Sendable {
    /// The screen's name on the wire.
    package let name: String
    /// The version in which it would be shown.
    package let version: Int

    /// Makes one.
    ///
    /// - Parameters:
    ///   - name: The screen's name on the wire.
    ///   - version: The version in which it would be shown.
    package init(name: String, version: Int) {
        self.name = name
        self.version = version
    }
}

extension UndrawableScreen: CustomStringConvertible {
    /// Both, such as `the screen "login" of version 2`.
    package var description: String { "the screen \"\(name)\" of version \(version)" }
}

extension Rejection {
    /// An input that would show a screen which the client cannot draw.
    init(_ screen: UndrawableScreen, for client: Client) {
        let name = client.label.map { " (\($0))" } ?? ""
        self.init(.undrawable, "this would show \(screen), which the client\(name) cannot draw; update the client")
        undrawable = screen
    }
}

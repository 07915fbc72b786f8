/// The audience of a tree: its session's client, and the app's fallback for screens that the client cannot draw.
package final class SessionAudience: Sendable {
    /// The audience with a client without properties, which can draw every screen.
    package static let silent = SessionAudience(Client()) { _, _ in nil }

    /// The session's client.
    package let client: Client
    /// Returns the app's fallback for a screen, by the screen's name.
    fileprivate let fallback: @Sendable (String, Client) -> (any Screen<Never>)?

    /// Creates an audience.
    package init(_ client: Client, fallback: @escaping @Sendable (String, Client) -> (any Screen<Never>)?) {
        self.client = client
        self.fallback = fallback
    }

    /// Returns the audience of an app's session; clients without properties share one audience.
    static func of(_ app: any App.Type, _ client: Client) -> SessionAudience {
        client == Client() ? silent : SessionAudience(client) { app.fallback(for: $0, client: $1) }
    }

    var drawsAll: Bool { client.screens == nil }

    /// Returns a replacement for a screen; nil if the client can draw the screen.
    func substitute(for description: any AnyScreenDescription) -> ScreenSubstitute? {
        guard !drawsAll, !client.shows(description.name, version: description.version) else { return nil }
        return ScreenSubstitute(for: self)
    }
}

/// The replacement of a screen that the client cannot draw: the current fallback of this screen or of the app.
final class ScreenSubstitute {
    /// The screen that the client sees; nil if the client can draw no fallback.
    private(set) var screen: (any Screen)?
    private(set) var description: (any AnyScreenDescription)?
    /// Whether the replacement is the app's fallback, which sends no events, unlike a screen's own fallback.
    private(set) var isMute = false
    private let audience: SessionAudience

    /// The maximum length of a chain of fallbacks, because a fallback may itself have a fallback.
    private static let depth = 8

    init(for audience: SessionAudience) {
        self.audience = audience
    }

    /// Finds the replacement for a screen in its current state.
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

    /// Returns the first screen that the client can draw in a chain of fallbacks.
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

/// The screens of a tree that the tree's client cannot draw.
final class DrawingGaps {
    /// Whether accepted inputs are being replayed; an earlier build, whose screens had other versions, may have
    /// accepted them.
    var isReplaying: Bool
    /// The screens shown during the replay that the client cannot draw, each once.
    private(set) var undrawn: [UndrawableScreen] = []
    /// The last revision after which the client could draw all screens on display; 0 if there was no such revision.
    private(set) var drawableRevision = 0

    /// The maximum number of screens that are listed for a session.
    private static let limit = 64

    init(isReplaying: Bool) {
        self.isReplaying = isReplaying
    }

    /// Returns a screen on display because of which the input must be refused; nil if there is none.
    func find(in window: Window, at revision: Int) -> UndrawableScreen? {
        let found = window.displayedScreens.compactMap(\.undrawable)
        if found.isEmpty { drawableRevision = revision }
        // During a replay, the screen may disappear again. If the screen stays, `endReplay` returns it.
        guard isReplaying else { return found.first }
        for screen in found where undrawn.count < Self.limit && !undrawn.contains(screen) { undrawn.append(screen) }
        return nil
    }
}

extension Window {
    /// The screens that a client receives: all screens except those of hidden tabs.
    var displayedScreens: some Sequence<ScreenInstance> {
        (SmallArray(visibleBase) + modals).lazy.flatMap(\.screens)
    }
}

/// A screen in a version that a session's client cannot draw, without a fallback that the client can draw.
package struct UndrawableScreen: Hashable, Codable, Sendable {
    /// The screen's name on the wire.
    package let name: String
    /// The version of the screen in this build.
    package let version: Int

    package init(name: String, version: Int) {
        self.name = name
        self.version = version
    }
}

extension UndrawableScreen: CustomStringConvertible {
    /// The name and the version, such as `the screen "login" of version 2`.
    package var description: String { "the screen \"\(name)\" of version \(version)" }
}

extension Rejection {
    init(_ screen: UndrawableScreen, for client: Client) {
        let name = client.label.map { " (\($0))" } ?? ""
        self.init(.undrawable, "this would show \(screen), which the client\(name) cannot draw; update the client")
        undrawable = screen
    }
}

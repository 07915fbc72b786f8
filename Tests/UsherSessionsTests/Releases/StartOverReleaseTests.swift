import Testing
import Usher
import UsherJSON
import UsherJournal

@testable import UsherSessions

@Suite("A session that starts over, and its releases, secrets and quota", .timeLimit(.minutes(2)))
struct StartOverReleaseTests {
    @Test(arguments: JournalKind.available)
    func `a session can start over even if a new build has deferred an effect, which then never begins`(
        kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let old = try await servers.start(TourApp.self, build: 1)
            let id = try await old.open("tour").session.id
            try await old.find(id).send(#"{"event":"look"}"#)
            let new = try await servers.start(TourWithGuide.self, build: 2)
            #expect(try await new.snapshot(of: id).text.contains(#""pending":[]"#))
            let again = try await new.find(id).send(#"{"event":"again"}"#)
            #expect(again.revision == 3 && again.text.contains(#""tour":1"#), "\(again.text)")
            #expect(again.text.contains(#""pending":[]"#), "the effect was dropped with its coordinator")
            let next = try await servers.start(TourWithGuide.self, build: 2)
            #expect(try await next.snapshot(of: id).text == again.text)
        }
    }

    @Test(arguments: JournalKind.available)
    func `if the first input after a resumption starts the session over, the answer still reports the resumption`(
        kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let old = try await servers.start(TourApp.self, build: 1)
            let id = try await old.open("tour").session.id
            try await old.find(id).send(#"{"event":"look"}"#)
            let new = try await servers.start(TourWithBar.self, build: 2)
            let again = try await new.find(id).send(#"{"event":"again"}"#)
            let notice = #""resumed":{"revision":1,"reason":"input 2 (event look) once led to the screen"#
            #expect(again.text.contains(notice), "\(again.text)")
            #expect(try await new.entries(of: id).map(\.kind) == [.creation])
            let next = try await servers.start(TourWithBar.self, build: 2)
            #expect(try await next.snapshot(of: id).text == again.text)
            let look = try await next.find(id).send(#"{"event":"look"}"#)
            #expect(!look.text.contains("resumed"), "\(look.text)")
            let last = try await servers.start(TourWithBar.self, build: 2)
            #expect(try await last.snapshot(of: id).text == look.text)
        }
    }

    @Test(arguments: JournalKind.ofOneServer)
    func `if a backend's message starts the session over, the client's next answer still reports the resumption`(
        kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let old = try await servers.start(TourApp.self, build: 1)
            let id = try await old.open("tour").session.id
            try await old.find(id).send(#"{"event":"look"}"#)
            var registry = try await servers.start(TourWithBar.self, build: 2)
            let message = try JSONDocument(parsing: Array(#""again""#.utf8)).root
            let told = try await registry.handle(InputRequest(.message(message)), on: id)
            #expect(told.text.contains(#""resumed":{"revision":1"#), "\(told.text)")
            registry = try await servers.start(TourWithBar.self, build: 2)
            #expect(try await registry.snapshot(of: id).text == told.text)
            #expect(try await registry.find(id).send(#"{"event":"look"}"#).text.contains(#""resumed":{"revision":1"#))
            #expect(try await !registry.find(id).send(#"{"event":"close"}"#).text.contains("resumed"))
        }
    }

    @Test(arguments: JournalKind.available)
    func `a new start's changes list a screen as removed, even if the same input closed the screen before`(
        kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let registry = try await servers.start(TourApp.self, build: 1)
            let id = try await registry.open("tour").session.id
            try await registry.find(id).send(#"{"event":"look"}"#)
            let again = try await registry.find(id).send(#"{"event":"closeAndAgain"}"#)
            #expect(again.text.contains(#""changes":[{"replace":{"out":[2,1],"in":[3]}}]"#), "\(again.text)")
            let next = try await servers.start(TourApp.self, build: 1)
            try await next.find(id).send(#"{"event":"look"}"#)
            let third = try await next.find(id).send(#"{"event":"closeAndAgain"}"#)
            #expect(third.text.contains(#""changes":[{"replace":{"out":[4,3],"in":[5]}}]"#), "\(third.text)")
        }
    }

    @Test(arguments: JournalKind.available)
    func `if a request has a secret, its digest is not stored, and its key still gets the first answer`(
        kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let registry = try await servers.start(TourApp.self, build: 1)
            let id = try await registry.open("tour").session.id
            let enter = #"{"event":{"enter":{"_0":"hunter1"}}}"#
            let entered = try await registry.send(enter, "a", id)
            #expect(try await registry.entries(of: id).last?.isErased == false, "the coordinator retains the secret")
            _ = try await registry.send(#"{"event":"again"}"#, "b", id)
            #expect(try await registry.entries(of: id).last?.secrets.isEmpty == false, "the options contain the secret")
            _ = try await registry.send(#"{"event":{"enterAndAgain":{"_0":"hunter2"}}}"#, "c", id)
            _ = try await registry.send(#"{"event":"forget"}"#, "d", id)
            let journal = registry.settings.journal
            for (key, fingerprint) in [("a", nil), ("b", 1), ("c", nil), ("d", 1)] as [(String, UInt64?)] {
                let answer = try #require(try await journal.answer(under: key, of: id.key))
                #expect(answer.fingerprint == fingerprint, "\(key)")
            }
            let kept = try await registry.entries(of: id).map { String(decoding: $0.payload, as: UTF8.self) }
            #expect(!kept.joined().contains("hunter"), "\(kept)")
            let next = try await servers.start(TourApp.self, build: 1)
            let first = try await next.send(enter, "a", id)
            #expect(first.isReplayed && first.text == entered.text)
        }
    }

    @Test(arguments: JournalKind.available)
    func `an app can start over before its quota of inputs is used up, and a server restart keeps the count`(
        kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            var bounds = SessionBounds()
            bounds.inputLimit = TourCoordinator.longTour
            var registry = try await servers.start(TourApp.self, build: 1, bounds)
            let id = try await registry.open("tour").session.id
            var tours: [Int] = []
            for round in 1...25 {
                if round.isMultiple(of: 4) { registry = try await servers.start(TourApp.self, build: 1, bounds) }
                let state = try await registry.find(id).send(#"{"event":"step"}"#)
                let screen = try JSONDocument(parsing: state.state).root[member: "stack"]?.elements.first { _ in true }
                tours.append(try #require(screen?[member: "state"]?[member: "tour"]?.integer))
            }
            #expect(tours == (1...25).map { $0 / (TourCoordinator.longTour - 1) }, "\(tours)")
        }
    }
}

extension SessionRegistry {
    /// Sends an action under a key.
    fileprivate func send(_ text: String, _ key: String, _ id: SessionID) async throws -> Snapshot {
        try await handle(InputRequest(try action(text), key: IdempotencyKey(key, fingerprint: 1)), on: id)
    }
}

/// An app of tours, each of which begins anew.
private enum TourApp: App {
    struct Options: Codable, Sendable {
        var tour = 0
        var ticket: Secret<String>?
    }

    static let name = "tour"
    static var options: Options { Options() }
    static func root(_ options: Options) -> sending AnyCoordinator { TourCoordinator(options) }
}

/// The build whose first tour has an effect from the start.
private enum TourWithGuide: App {
    static let name = "tour"
    static var options: TourApp.Options { TourApp.Options() }
    static func root(_ options: TourApp.Options) -> sending AnyCoordinator {
        TourCoordinator(options, hasGuide: options.tour == 0)
    }
}

/// The build that shows a bar instead of a hall.
private enum TourWithBar: App {
    static let name = "tour"
    static var options: TourApp.Options { TourApp.Options() }
    static func root(_ options: TourApp.Options) -> sending AnyCoordinator {
        TourCoordinator(options, hasBar: true)
    }
}

private struct TourScreen: Screen {
    enum Event: Codable {
        case look, close, step, again, closeAndAgain, forget, enter(Secret<String>), enterAndAgain(Secret<String>)
    }

    static let examples: [Event] = [
        .look, .close, .step, .again, .closeAndAgain, .forget, .enter("a"), .enterAndAgain("b"),
    ]

    var tour: Int
}

private struct TourHallScreen: Screen {
    enum Event: String, Codable, CaseIterable { case close, again, closeAndAgain }
}

private struct TourBarScreen: Screen {
    enum Event: String, Codable, CaseIterable { case close, again, closeAndAgain }
}

private struct GuideEffect: Effect {
    static var name: String { "guide" }

    func run(_ context: EffectContext<NoServices>) async throws -> NoOutput { NoOutput() }
}

private final class TourCoordinator: Coordinator<Never>, MessageReceiver {
    /// The inputs of a tour after which it begins anew.
    static let longTour = 6
    static let messageExamples = ["again"]

    private var options: TourApp.Options
    private let hasGuide: Bool
    private let hasBar: Bool
    private var tour: Handle<TourScreen>?

    init(_ options: TourApp.Options, hasGuide: Bool = false, hasBar: Bool = false) {
        (self.options, self.hasGuide, self.hasBar) = (options, hasGuide, hasBar)
    }

    override func start() {
        tour = push(TourScreen(tour: options.tour)) { me, event in try me.handle(event) }
        if hasGuide { perform(GuideEffect()) { _, _ in } }
    }

    func receive(_ message: String) throws { try again() }

    private func handle(_ event: TourScreen.Event) throws {
        switch event {
        case .look:
            if hasBar {
                push(TourBarScreen()) { me, event in try me.handle(event.rawValue) }
            } else {
                push(TourHallScreen()) { me, event in try me.handle(event.rawValue) }
            }
        case .close: close()
        case .step: if inputCount >= Self.longTour { try again() }
        case .again: try again()
        case .closeAndAgain: try handle("closeAndAgain")
        case .forget: options.ticket = nil
        case .enter(let ticket): options.ticket = ticket
        case .enterAndAgain(let ticket):
            options.ticket = ticket
            try again()
        }
    }

    /// Handles an event of the screen above.
    private func handle(_ event: String) throws {
        if event != "again" { close() }
        if event != "close" { try again() }
    }

    private func close() {
        if let tour { pop(to: tour) }
    }

    private func again() throws {
        options.tour += 1
        try startOver(with: options)
    }
}

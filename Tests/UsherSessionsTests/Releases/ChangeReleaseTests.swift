import Testing
import Usher
import UsherJSON
import UsherJournal

@testable import UsherSessions

@Suite("A release with a change that its app declares", .timeLimit(.minutes(2)))
struct ChangeReleaseTests {
    private let journal = MemoryJournal()

    @Test func `an order in progress continues with the code before the change, and the next order uses the change`()
        async throws
    {
        let id = try await session(after: ["go"], in: Kiosk<Unchanged>.self, build: 1)
        let session = registry(Kiosk<Changed>.self, build: 2).find(id)
        #expect(try await names(session, after: ["go", "go", "go"]) == ["pay", "done", "start"])
        #expect(try await names(session, after: ["go", "go", "go"]) == ["address", "time", "pay"])
        #expect(try await restarted(id, Kiosk<Changed>.self, build: 2) == session.snapshot().text)
    }

    @Test func `an order that the former build started after the release uses the code before the change`() async throws
    {
        let id = try await session(after: [], in: Kiosk<Changed>.self, build: 2)
        #expect(try await names(registry(Kiosk<Unchanged>.self, build: 1).find(id), after: ["go"]) == ["address"])
        let session = registry(Kiosk<Changed>.self, build: 2).find(id)
        let stops = try await names(session, after: ["go", "go", "go", "go", "go"])
        #expect(stops == ["pay", "done", "start", "address", "time"])
        #expect(try await restarted(id, Kiosk<Changed>.self, build: 2) == session.snapshot().text)
    }

    @Test func `a build leaves a session to another serving build if that build knows the session's changes`()
        async throws
    {
        let group = ServerGroup(apps: [Kiosk<Unchanged>.self, Kiosk<Changed>.self])
        let id = try await group.open("kiosk")
        try await group.send(#""go""#, to: id, on: 1)
        let error = try await group.error { try await group.send(#""go""#, to: id, on: 0) }
        guard case .servedElsewhere? = error else {
            Issue.record("the former build handled it: \(error.map { "\($0)" } ?? "no error")")
            return
        }
        #expect(try await names(group.registries[1].find(id), after: ["go", "go", "go"]) == ["time", "pay", "done"])
    }

    @Test func `the journal records the changes of a build only once`() async throws {
        let id = try await session(after: ["go"], in: Kiosk<Unchanged>.self, build: 1)
        let registry = registry(Kiosk<Changed>.self, build: 2)
        _ = try await names(registry.find(id), after: ["go", "go"])
        let facts = try await registry.entries(of: id).map { String(decoding: $0.facts, as: UTF8.self) }
        #expect(facts == [#"{"build":"1"}"#, "", #"{"build":"2","changes":["time"]}"#, ""])
    }

    @Test func `after a session resumes, its replayed orders use the code with which they began`() async throws {
        let id = try await session(after: ["go", "go"], in: Kiosk<Unchanged>.self, build: 1)
        let session = registry(Kiosk<ChangedWithDesk>.self, build: 3).find(id)
        #expect(try await names(of: session) == ["start", "address"])
        #expect(
            try await restarted(id, Kiosk<Unchanged>.self, build: 1).contains("pay"),
            "the former build can still restore the session")
        #expect(try await names(session, after: ["go", "go", "go"]) == ["desk", "done", "start"])
        #expect(try await names(session, after: ["go", "go"]) == ["address", "time"])
        #expect(try await restarted(id, Kiosk<ChangedWithDesk>.self, build: 3) == session.snapshot().text)
    }

    @Test func `a session that restarts from its opening keeps the changes that were recorded at the opening`()
        async throws
    {
        let id = try await session(after: ["go"], in: Kiosk<Unchanged>.self, build: 1)
        let session = registry(Kiosk<Welcoming>.self, build: 4).find(id)
        #expect(try await session.snapshot().text.contains(#""resumed":{"revision":0,"#))
        #expect(try await names(of: session) == ["welcome"])
        // A session that the new build opens shows the other greeting.
        let opened = try await registry(Kiosk<Welcoming>.self, build: 4).open("kiosk").session
        #expect(try await names(of: opened) == ["hello"])
    }

    @Test func `a fork and an import use the same changes as the session that they copy`() async throws {
        let id = try await session(after: ["go"], in: Kiosk<Unchanged>.self, build: 1)
        let new = registry(Kiosk<Changed>.self, build: 2)
        let fork = try await new.fork(id, at: 2).session
        #expect(try await names(fork, after: ["go"]) == ["pay"])
        let archive = try await new.archive(id, through: nil, by: "2")
        let imported = try await new.open(SessionArchive(JSONDocument(parsing: archive.json).root)).session
        #expect(try await names(imported, after: ["go", "go", "go", "go", "go"]).last == "time")
    }

    @Test func `the coordinator tree lists the changes whose former code the session still needs`() async throws {
        let id = try await session(after: ["go"], in: Kiosk<Unchanged>.self, build: 1)
        let new = registry(Kiosk<Changed>.self, build: 2)
        let unaware = ["kiosk", "kiosk/order"]
        #expect(try await needs(of: id, new) == [ChangeNeed(change: "time", unaware: unaware, isMissed: false)])
        let session = new.find(id)
        _ = try await names(session, after: ["go", "go", "go", "go"])
        // The first order is over, but a replay still needs its former code.
        #expect(try await needs(of: id, new) == [ChangeNeed(change: "time", unaware: ["kiosk"], isMissed: true)])
        let fresh = try await self.session(after: ["go", "go"], in: Kiosk<Changed>.self, build: 2)
        #expect(try await needs(of: fresh, new) == [ChangeNeed(change: "time", unaware: [], isMissed: false)])
    }

    // MARK: Support

    private func registry(_ app: any App.Type, build: UInt64) -> SessionRegistry {
        SessionRegistry(apps: [app], journal: journal, clock: ManualClock(), crashes: CrashSettings(build: { build }))
    }

    private func session(after events: [String], in app: any App.Type, build: UInt64) async throws -> SessionID {
        let session = try await registry(app, build: build).open("kiosk").session
        for event in events { try await session.send(#"{"event":"\#(event)"}"#) }
        return session.id
    }

    /// The names of the screens on which a session's events end.
    private func names(_ session: Session, after events: [String]) async throws -> [String] {
        var names: [String] = []
        for event in events {
            try await session.send(#"{"event":"\#(event)"}"#)
            names.append(try await self.names(of: session).last ?? "")
        }
        return names
    }

    /// The names of the screens on display.
    private func names(of session: Session) async throws -> [String] {
        let stack = try JSONDocument(parsing: try await session.snapshot().state).root[member: "stack"]
        return stack?.elements.map { $0[member: "screen"]?.string ?? "" } ?? []
    }

    /// The state that a server of a build shows which has just been started.
    private func restarted(_ id: SessionID, _ app: any App.Type, build: UInt64) async throws -> String {
        try await registry(app, build: build).snapshot(of: id).text
    }

    private func needs(of id: SessionID, _ registry: SessionRegistry) async throws -> [ChangeNeed] {
        try await registry.rebuild(id, at: try await registry.snapshot(of: id).revision).tree.changeNeeds
    }
}

// MARK: The app

/// A build of the kiosk.
private protocol KioskRelease: Sendable {
    static var changes: [String] { get }
    /// The name of the screen on which one pays.
    static var desk: String { get }
    static var welcomes: Bool { get }
}

extension KioskRelease {
    static var changes: [String] { ["time"] }
    static var desk: String { "pay" }
    static var welcomes: Bool { false }
}

private enum Unchanged: KioskRelease { static let changes: [String] = [] }
private enum Changed: KioskRelease {}
private enum ChangedWithDesk: KioskRelease { static let desk = "desk" }
private enum Welcoming: KioskRelease { static let welcomes = true }

private enum Kiosk<Release: KioskRelease>: App {
    static var name: String { "kiosk" }
    static var changes: [String] { Release.changes }
    static func root(_ options: NoOptions) -> sending AnyCoordinator { KioskCoordinator<Release>() }
}

private struct StopScreen: Screen {
    enum Event: Codable, CaseIterable { case go }
    let stop: String
    var instanceName: String? { stop }

    init(_ stop: String) { self.stop = stop }
}

private final class KioskCoordinator<Release: KioskRelease>: Coordinator<Never> {
    override class var name: String { "kiosk" }

    override func start() {
        let first = !Release.welcomes ? "start" : changed("time") ? "hello" : "welcome"
        push(StopScreen(first)) { me, _ in
            me.start(KioskOrderCoordinator<Release>()) { _, _ in }
        }
    }
}

private final class KioskOrderCoordinator<Release: KioskRelease>: Coordinator<Void> {
    override class var name: String { "order" }

    override func start() {
        push(StopScreen("address")) { me, _ in
            guard !Release.changes.isEmpty, me.changed("time") else { return me.showPayment() }
            me.push(StopScreen("time")) { me, _ in me.showPayment() }
        }
    }

    private func showPayment() {
        push(StopScreen(Release.desk)) { me, _ in
            me.push(StopScreen("done")) { me, _ in me.finish() }
        }
    }
}

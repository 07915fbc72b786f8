import Testing
import Usher
import UsherJSON
import UsherJournal

@testable import UsherSessions

@Suite("A release with new names", .timeLimit(.minutes(2)))
struct FormerNameReleaseTests {
    private let journal = MemoryJournal()

    @Test func `a session whose app was renamed shows the new name, and clients may use the former name`()
        async throws
    {
        let old = registry(ShopChange.none.app, build: 1)
        let id = try await session(of: "shop", after: [#"{"event":"buy"}"#], in: old)
        let new = registry(ShopChange.appRenamedWithFormerName.app, build: 2)
        #expect(try await new.snapshot(of: id).text.contains(#""app":"store""#))
        #expect(try await new.walk(of: id, limit: 9).app == "store")
        #expect(String(decoding: try await new.state(of: id, at: 1), as: UTF8.self).contains(#""app":"store""#))
        let opened = try await new.open("shop").session
        #expect(try await opened.snapshot().text.contains(#""app":"store""#))
        await #expect {
            try await new.open("till")
        } throws: { error in
            guard case SessionError.unknownApp("till") = error else { return false }
            return true
        }
    }

    @Test func `a session's effects run both before and after the session's app is renamed`() async throws {
        let account = "paid \(SessionID(from: SystemRandom()).text)"
        let old = registry(ShopChange.none.app, build: 1)
        let id = try await session(of: "shop", after: [#"{"event":"buy"}"#], in: old)
        let renamed = registry(ShopChange.appRenamedWithFormerName.app, build: 2)
        try await renamed.find(id).send(#"{"event":"next"}"#)
        // The build before the renaming can still serve the session.
        let again = registry(ShopChange.none.app, build: 1).find(id)
        try await again.send(#"{"event":{"pay":{"account":"\#(account)"}}}"#)
        while try await !again.snapshot().text.contains("done") { await Task.yield() }
        let back = registry(ShopChange.appRenamedWithFormerName.app, build: 2).find(id)
        try await back.send(#"{"event":"home"}"#)
        for input in [#"{"event":"buy"}"#, #"{"event":"next"}"#] { try await back.send(input) }
        try await back.send(#"{"event":{"pay":{"account":"\#(account)"}}}"#)
        while try await !back.snapshot().text.contains("done") { await Task.yield() }
        #expect(Till.shared.charges(of: account).count == 2)
    }

    @Test func `a client can select a tab by the tab's former name`() async throws {
        let old = registry(ShopChange.none.app, build: 1)
        let id = try await session(of: "shop", after: [#"{"select":"account"}"#], in: old)
        let session = registry(ShopChange.tabRenamedWithFormerName.app, build: 2).find(id)
        #expect(try await session.snapshot().text.contains(#""selected":"profile""#))
        try await session.send(#"{"select":"goods"}"#)
        #expect(try await session.send(#"{"select":"account"}"#).text.contains(#""selected":"profile""#))
    }

    @Test(arguments: [
        (#"[{"room":{"number":7}}]"#, []), (#"["lobby"]"#, []), (#"["locked"]"#, []),
        ("[]", [#"{"open":[{"room":{"number":7}}]}"#]), ("[]", [#"{"open":["lobby"]}"#, #"{"event":"enter"}"#]),
        ("[]", [#"{"open":["locked"]}"#, #"{"event":"enter"}"#]),
    ])
    func `a session stays on the screen that a link opened, even if the link's flow is renamed`(
        link: String, inputs: [String]
    )
        async throws
    {
        let old = registry(House<OldHouse>.self, build: 1)
        let id = try await session(of: "house", link: link, after: inputs, in: old)
        let before = try await old.snapshot(of: id).text
        let new = registry(House<NewHouse>.self, build: 2)
        #expect(try await new.snapshot(of: id).text == before)
        #expect(try await registry(House<OldHouse>.self, build: 1).snapshot(of: id).text == before)
        // Clients may still send links with the former name, and a waiting link contains the former name.
        try await new.find(id).send(#"{"event":"enter"}"#)
        let shown = try await new.find(id).send(#"{"open":[{"room":{"number":8}}]}"#)
        #expect(shown.text.contains(#""number":8"#))
        #expect(try await registry(House<NewHouse>.self, build: 2).snapshot(of: id).text == shown.text)
    }

    @Test func `a session resumes earlier if a flow was renamed and its former name is not declared`() async throws {
        let old = registry(House<OldHouse>.self, build: 1)
        let id = try await session(of: "house", after: [#"{"open":["lobby"]}"#], in: old)
        let text = try await registry(House<CarelessHouse>.self, build: 2).snapshot(of: id).text
        #expect(text.contains(#""resumed":{"revision":1,"#))
    }

    // MARK: Support

    private func registry(_ app: any App.Type, build: UInt64) -> SessionRegistry {
        SessionRegistry(apps: [app], journal: journal, clock: ManualClock(), crashes: CrashSettings(build: { build }))
    }

    private func session(
        of app: String, link: String = "[]", after inputs: [String], in registry: SessionRegistry
    ) async throws -> SessionID {
        let steps = Array(try JSONDocument(parsing: Array(link.utf8)).root.elements)
        let session = try await registry.open(app, link: steps).session
        // Wait for the result of the shop's first effect.
        while app == "shop", try await !session.snapshot().text.contains("hello") { await Task.yield() }
        for input in inputs { try await session.send(input) }
        return session.id
    }
}

// MARK: The app

/// A build of the house, by the flows that its host takes.
private protocol HouseRelease: Sendable {
    associatedtype Flow: Codable & Sendable
    static var examples: [Flow] { get }
    static var formerFlowNames: [String: String] { get }
    static func place(of flow: Flow) -> Place
}

private enum Place: Equatable {
    case hall
    case room(Int)
    case locked
}

private enum OldHouse: HouseRelease {
    enum Flow: Codable { case lobby, room(number: Int), locked }
    static let examples: [Flow] = [.lobby, .room(number: 1), .locked]
    static let formerFlowNames: [String: String] = [:]
    static func place(of flow: Flow) -> Place {
        switch flow {
        case .lobby: .hall
        case .room(let number): .room(number)
        case .locked: .locked
        }
    }
}

private enum NewFlow: Codable {
    case hall
    case chamber(number: Int)
    case safe

    static let examples: [NewFlow] = [.hall, .chamber(number: 1), .safe]

    var place: Place {
        switch self {
        case .hall: .hall
        case .chamber(let number): .room(number)
        case .safe: .locked
        }
    }
}

private enum NewHouse: HouseRelease {
    static let examples = NewFlow.examples
    static let formerFlowNames = ["lobby": "hall", "room": "chamber", "locked": "safe"]
    static func place(of flow: NewFlow) -> Place { flow.place }
}

private enum CarelessHouse: HouseRelease {
    static let examples = NewFlow.examples
    static let formerFlowNames: [String: String] = [:]
    static func place(of flow: NewFlow) -> Place { flow.place }
}

private enum House<Release: HouseRelease>: App {
    static var name: String { "house" }
    static func root(_ options: NoOptions) -> sending AnyCoordinator { HouseCoordinator<Release>() }
}

private struct DoorScreen: Screen {
    enum Event: Codable, CaseIterable { case enter }
    var number = 0
}

private final class HouseCoordinator<Release: HouseRelease>: Coordinator<Never>, FlowHost {
    typealias Flow = Release.Flow

    override class var name: String { "house" }
    static var examples: [Flow] { Release.examples }
    static var formerFlowNames: [String: String] { Release.formerFlowNames }

    private var isOpen = false

    override func start() { show(0) }

    func open(_ flow: Flow) throws -> (any FlowHost)? {
        switch Release.place(of: flow) {
        case .hall: popToRoot()
        case .room(let number): show(number)
        case .locked:
            guard isOpen else { throw Later() }
            show(99)
        }
        return nil
    }

    private func show(_ number: Int) {
        push(DoorScreen(number: number)) { me, _ in me.isOpen = true }
    }
}

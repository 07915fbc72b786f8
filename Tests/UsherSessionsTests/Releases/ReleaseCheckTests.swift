import Testing
import Usher
import UsherJournal
import UsherProcess

@testable import UsherSessions

@Suite("usher check before a release", .timeLimit(.minutes(5)))
struct ReleaseCheckTests {
    private let journal = MemoryJournal()
    private let clock = ManualClock()

    @Test(arguments: ShopChange.allCases)
    func `usher check predicts for each session what happens when the session wakes`(change: ShopChange) async throws {
        let ids = try await sessions()
        let checked = try await check(change)
        #expect(checked.map(\.id) == ids.sorted())
        let server = registry(change, build: 2)
        for session in checked {
            let fate = try await fate(of: session, in: server)
            #expect(session.fate == fate, "\(change) \(session.cause?.text ?? "")")
            #expect((session.cause == nil) == (fate == .unchanged), "\(change)")
        }
    }

    @Test(arguments: [
        (ShopChange.screenInMidway, "event next once led to the screen pay, and now to the screen time"),
        (.chargeGone, "result once led to the end of the effect \"charge\", and now to no such effect"),
        (.chargeGone, "event pay once led to the effect \"charge\", and now to no such effect"),
        (.outputChanged, "result once led to the screen done, and now to a refusal"),
        (.onboardingAtStart, "create once led to the screen goods, and now to the screen welcome"),
    ])
    func `the cause in the report names the difference, but not the session`(change: ShopChange, cause: String)
        async throws
    {
        _ = try await sessions()
        let causes = try await check(change).compactMap(\.cause)
        #expect(causes.contains { $0.common == cause }, "\(Set(causes.map(\.common)))")
    }

    @Test(arguments: [
        (
            DeskChange.otherScreenBelow,
            "event go once led to the screens desk, map, end, and now to the screens desk, end"
        ),
        (
            .noTimer,
            "timer once led to the screen late, and now to nothing, because this build does not start the timer"
        ),
        (.otherTab, "create once led to the tab day, and now to the tab night"),
    ])
    func `the check finds a difference in a covered screen, a timer or a tab`(
        change: DeskChange, cause: String
    ) async throws {
        let old = SessionRegistry(
            apps: [DeskChange.none.app], journal: journal, clock: clock, crashes: CrashSettings(build: { 1 }))
        let session = try await old.open("desk").session
        try await session.send(#"{"event":"go"}"#)
        clock.advance(by: 60_000)
        while try await !session.snapshot().text.contains("late") { await Task.yield() }
        #expect(try await check(DeskChange.none.app).map(\.fate) == [.unchanged])
        #expect(try await check(change.app).map(\.cause?.common) == [cause])
    }

    @Test func `the check lists the losses, such as inputs of held sessions and navigation of resumed sessions`()
        async throws
    {
        _ = try await sessions()
        let held = try await check(.chargeGone).filter { $0.fate == .held }
        #expect(
            Set(held.flatMap { $0.cause?.losses.map(\.kind) ?? [] }) == [
                "the result of the effect \"charge\"", "the effect \"charge\" under way",
            ])
        #expect(held.allSatisfy { $0.cause?.reason == .losesFacts && $0.cause?.resumesAfter == nil })
        let ended = try await check(.outputChangedEnding).filter { $0.fate == .ended }
        #expect(ended.flatMap { $0.cause?.losses.map(\.kind) ?? [] } == ["the result of the effect \"charge\""])
        let resumed = try await check(.screenInMidway).filter { $0.fate == .resumed }
        #expect(resumed.map { $0.cause?.resumesAfter } == [3])
        #expect(resumed.allSatisfy { $0.cause?.losses.isEmpty == true })
        // This build's app lets the session resume although a result is lost.
        let forced = try await check(.outputChangedResuming).filter { $0.fate == .resumed }
        #expect(forced.flatMap { $0.cause?.losses.map(\.kind) ?? [] } == ["the result of the effect \"charge\""])
    }

    @Test func `the check lists effects that another build began and that now run with this build's value`()
        async throws
    {
        let account = "slow \(SessionID(from: SystemRandom()).text)"
        for build in [1, BuildIdentity.current] {
            let server = SessionRegistry(
                apps: [DeskChange.none.app], journal: journal, clock: clock, crashes: CrashSettings(build: { build }))
            try await server.open("desk").session.send(#"{"event":{"ask":{"account":"\#(account)"}}}"#)
        }
        let checked = try await check(DeskChange.none.app)
        #expect(checked.map(\.renewed).sorted { $0.count < $1.count } == [[], ["question"]])
    }

    @Test func `a session needs the code before a change as long as one of its coordinators does not know the change`()
        async throws
    {
        let way = [#"{"event":"buy"}"#, #"{"event":"next"}"#]
        let before = try await ShopVisit(way, in: registry(.none, build: 1)).id
        let after = try await ShopVisit(way, in: registry(.screenInMidwayAsChange, build: 2)).id
        let needs = try await check(.screenInMidwayAsChange).map { session in
            session.changes.map { $0.isMissed || !$0.unaware.isEmpty }
        }
        let ids = try await check(.screenInMidwayAsChange).map(\.id)
        #expect(ids.contains(before) && ids.contains(after))
        #expect(zip(ids, needs).first { $0.0 == before }?.1 == [true])
        #expect(zip(ids, needs).first { $0.0 == after }?.1 == [false])
    }

    /// Five sessions: at the start, in the account, about to pay, one that has paid, and one that is paying.
    private func sessions() async throws -> [SessionID] {
        let old = registry(.none, build: 1)
        let way = [#"{"event":"buy"}"#, #"{"event":"next"}"#]
        var ids: [SessionID] = []
        for inputs in [[], [#"{"select":"account"}"#], way] { ids.append(try await session(inputs, in: old)) }
        let accounts = ["paid", "slow"].map { "\($0) \(SessionID(from: SystemRandom()).text)" }
        for account in accounts {
            let pay = #"{"event":{"pay":{"account":"\#(account)"}}}"#
            let id = try await session(way + [pay], in: old)
            let isPaid = account.hasPrefix("paid")
            while try await isPaid
                ? !old.snapshot(of: id).text.contains("done") : Till.shared.charges(of: account).isEmpty
            { await Task.yield() }
            ids.append(id)
        }
        return ids
    }

    private func session(_ inputs: [String], in registry: SessionRegistry) async throws -> SessionID {
        let session = try await registry.open("shop").session
        while try await !session.snapshot().text.contains("hello") { await Task.yield() }
        for input in inputs { try await session.send(input) }
        return session.id
    }

    private func check(_ change: ShopChange) async throws -> [CheckedSession] { try await check(change.app) }

    private func check(_ app: any App.Type) async throws -> [CheckedSession] {
        var checked: [CheckedSession] = []
        try await JournalCheck(journal, runner: InProcessRunner(apps: [app])).run { checked.append($0) }
        return checked
    }

    /// Wakes a session.
    private func fate(of session: CheckedSession, in server: SessionRegistry) async throws -> CheckedSession.Fate {
        do {
            let snapshot = try await server.snapshot(of: session.id)
            guard snapshot.revision > session.revision else { return .unchanged }
            return snapshot.text.contains(#""resumed":{"revision":0,"#) ? .anew : .resumed
        } catch SessionError.onHold {
            _ = try await server.confirmRelease()
        }
        do { _ = try await server.snapshot(of: session.id) } catch SessionError.ended { return .ended } catch {}
        return .held
    }

    private func registry(_ change: ShopChange, build: UInt64) -> SessionRegistry {
        SessionRegistry(
            apps: [change.app], journal: journal, clock: clock, crashes: CrashSettings(build: { build }))
    }
}

/// A change to an app of three screens in two tabs.
enum DeskChange: CaseIterable {
    case none, otherScreenBelow, noTimer, otherTab

    fileprivate var app: any App.Type {
        switch self {
        case .none: DeskApp<FirstDesk>.self
        case .otherScreenBelow: DeskApp<ShortDesk>.self
        case .noTimer: DeskApp<PatientDesk>.self
        case .otherTab: DeskApp<NightDesk>.self
        }
    }
}

private protocol DeskRelease: Sendable { static var change: DeskChange { get } }
private enum FirstDesk: DeskRelease { static let change = DeskChange.none }
private enum ShortDesk: DeskRelease { static let change = DeskChange.otherScreenBelow }
private enum PatientDesk: DeskRelease { static let change = DeskChange.noTimer }
private enum NightDesk: DeskRelease { static let change = DeskChange.otherTab }

private enum DeskApp<Release: DeskRelease>: App {
    static var name: String { "desk" }
    static func root(_ options: NoOptions) -> sending AnyCoordinator { DeskRoot(Release.change) }
}

private struct DeskScreen: Screen {
    enum Event: Codable { case go, ask(account: String) }
    static let examples: [Event] = [.go, .ask(account: "a")]
}
/// Not `Codable`, so its value is not recorded.
private struct Question: Effect {
    let account: String
    func run(_ context: EffectContext<NoServices>) async throws -> Receipt {
        Receipt(order: await Till.shared.charge(1, account, under: context.id))
    }
}
private struct MapScreen: Screen { enum Event: Codable, CaseIterable { case go } }
private struct EndScreen: Screen { enum Event: Codable, CaseIterable { case go } }
private struct LateScreen: Screen { enum Event: Codable, CaseIterable { case go } }

private final class DeskRoot: Coordinator<Never> {
    private let change: DeskChange

    init(_ change: DeskChange) { self.change = change }

    override func start() {
        let change = change
        tabs(named: ["day", "night"], selected: change == .otherTab ? "night" : "day") { _, _ in DeskCoordinator(change)
        }
    }
}

private final class DeskCoordinator: Coordinator<Never> {
    private let change: DeskChange

    init(_ change: DeskChange) { self.change = change }

    override func start() {
        push(DeskScreen()) { me, event in
            switch event {
            case .ask(let account): me.perform(Question(account: account)) { _, _ in }
            case .go: me.go()
            }
        }
    }

    private func go() {
        if change != .otherScreenBelow { push(MapScreen()) { _, _ in } }
        push(EndScreen()) { _, _ in }
        guard change != .noTimer else { return }
        after(.seconds(60)) { me in me.present(LateScreen(), as: .alert) { _, _ in } }
    }
}

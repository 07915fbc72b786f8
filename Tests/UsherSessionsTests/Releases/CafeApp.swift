import Synchronization
import Usher
import UsherProcess

/// What the root coordinator of a café does when a session has resumed.
enum CafeReaction: Sendable {
    case nothing, offer, apologize, tellTime, changeMind, refuse, end, report
}

/// The café in one of its builds.
protocol CafeRelease: Sendable {
    /// A Boolean value indicating whether guests sit at the bar, and no longer at tables.
    static var hasBar: Bool { get }
    /// A Boolean value indicating whether guests begin at the bar, without a menu.
    static var hasMenu: Bool { get }
    /// A Boolean value indicating whether guests who leave the bar are thanked.
    static var thanks: Bool { get }
    static var reaction: CafeReaction { get }
}

extension CafeRelease {
    static var hasBar: Bool { true }
    static var hasMenu: Bool { true }
    static var thanks: Bool { false }
}

enum CafeWithTables: CafeRelease {
    static let hasBar = false
    static let reaction = CafeReaction.nothing
}
enum CafeWithBar: CafeRelease { static let reaction = CafeReaction.nothing }
enum CafeThatOffers: CafeRelease { static let reaction = CafeReaction.offer }
enum CafeThatApologizes: CafeRelease { static let reaction = CafeReaction.apologize }
enum CafeThatTellsTime: CafeRelease { static let reaction = CafeReaction.tellTime }
enum CafeThatChangesItsMind: CafeRelease { static let reaction = CafeReaction.changeMind }
enum CafeThatRefuses: CafeRelease { static let reaction = CafeReaction.refuse }
enum CafeThatEnds: CafeRelease { static let reaction = CafeReaction.end }
enum CafeWithoutMenu: CafeRelease {
    static let hasMenu = false
    static let reaction = CafeReaction.apologize
}
enum CafeThatThanks: CafeRelease {
    static let hasMenu = false
    static let thanks = true
    static let reaction = CafeReaction.apologize
}
enum CafeThatReports: CafeRelease { static let reaction = CafeReaction.report }

/// What the flight record showed while a root coordinator handled a resumption.
enum FlightReport {
    static let record = Mutex<FlightRecord?>(nil)
    static let marks = Mutex<[FlightMark]>([])
}

/// Goes back rather than holding a session.
enum Cafe<Release: CafeRelease>: App {
    static var name: String { "cafe" }
    static var onDivergence: DivergenceResponse { .resume }
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        CafeCoordinator(Release.self)
    }
}

/// Goes on until the till releases it.
struct Brew: Effect, Codable {
    let account: String
    func run(_ context: EffectContext<NoServices>) async throws -> Int {
        await Till.shared.charge(0, account, under: context.id)
    }
}

struct Ask: Effect, Codable {
    func run(_ context: EffectContext<NoServices>) async throws -> String { "answer" }
}

struct MenuScreen: Screen {
    enum Event: Codable { case look, soon, sit, whisper(Secret<String>) }
    static let examples: [Event] = [.look, .soon, .sit, .whisper("…")]
    var looks = 0
    var calls = 0
    var answers = 0
}

struct TableScreen: Screen {
    enum Event: Codable { case pay, wait, brew(account: String) }
    static let examples: [Event] = [.pay, .wait, .brew(account: "a")]
}

struct BarScreen: Screen { enum Event: Codable, CaseIterable { case leave } }
struct OfferScreen: Screen {
    enum Event: Codable, CaseIterable { case okay }
    let inputs: Int
    let results: [String]
}
struct ApologyScreen: Screen { enum Event: Codable, CaseIterable { case okay } }

final class CafeCoordinator: Coordinator<Void>, MessageReceiver {
    enum Message: String, Codable, CaseIterable { case hello }

    private let release: any CafeRelease.Type
    private var menu = Handle<MenuScreen>()

    init(_ release: any CafeRelease.Type) {
        self.release = release
    }

    override func start() {
        guard release.hasMenu else { return sit() }
        menu = push(MenuScreen()) { me, event in
            switch event {
            case .look: me.menu.update { $0.looks += 1 }
            case .soon: me.after(.seconds(60)) { me in me.menu.update { $0.calls += 1 } }
            case .sit: me.sit()
            case .whisper: break
            }
        }
    }

    func receive(_ message: Message) {
        perform(Ask()) { me, _ in me.menu.update { $0.answers += 1 } }
    }

    override func didResume(dropped: Dropped) throws {
        switch release.reaction {
        case .nothing: break
        case .offer:
            push(OfferScreen(inputs: dropped.inputs, results: dropped.results)) { me, _ in me.pop() }
            perform(Log(line: "offer")) { me, _ in me.menu.update { $0.calls += 10 } }
        case .apologize: push(ApologyScreen()) { me, _ in me.pop() }
        case .changeMind:
            if now.milliseconds == 0 {
                push(ApologyScreen()) { me, _ in me.pop() }
            } else {
                push(BarScreen()) { me, _ in me.pop() }
            }
        case .tellTime: push(OfferScreen(inputs: Int(now.milliseconds), results: [])) { me, _ in me.pop() }
        case .refuse:
            push(ApologyScreen()) { me, _ in me.pop() }
            throw Refusal("nobody is sorry")
        case .end: cancel()
        case .report: FlightReport.marks.withLock { $0 = FlightReport.record.withLock(\.self)?.marks ?? [] }
        }
    }

    private func sit() {
        guard !release.hasBar else {
            push(BarScreen()) { me, _ in
                guard me.release.thanks else { return me.pop() }
                me.push(ApologyScreen()) { me, _ in me.pop() }
            }
            return
        }
        push(TableScreen()) { me, event in
            switch event {
            case .pay: me.perform(Charge(cents: 300, account: "cafe")) { _, _ in }
            case .wait: me.after(.seconds(600)) { _ in }
            case .brew(let account): me.perform(Brew(account: account)) { _, _ in }
            }
        }
    }
}

import Synchronization
import Usher

/// A change that a release of the shop makes.
enum ShopChange: String, CaseIterable {
    case none, stateGrows, listOrder
    case effectAtStart, timerAtStart, hiddenChildAtStart, onboardingAtStart
    case classRenamed, coordinatorSplit, modalStyle, tabAdded, hiddenTabRemoved, hiddenTabRenamed
    case eventRenamed, eventRenamedDecodingBoth, screenInMidway, screenRenamed, screenRenamedWithFormerName
    case price, logBeforeCharge, logAfterCharge, deadline, timerBeforeDeadline
    case outputChanged, outputMigrated, outputChangedResuming, outputChangedEnding
    case chargeRenamed, chargeRenamedWithFormerName, chargeGone, greetingGone, greetingRetired
    case optionNeeded
    case screenInMidwayAsChange, tabRenamedWithFormerName, appRenamedWithFormerName
}

/// The shop in one of its builds: the first is `Shop<Original>`.
protocol ShopRelease: Sendable {
    static var change: ShopChange { get }
}

enum Original: ShopRelease { static let change = ShopChange.none }

extension ShopChange {
    /// The app of a build with this change alone.
    var app: any App.Type {
        switch self {
        case .none: Shop<Original>.self
        case .optionNeeded: DemandingShop.self
        default: ChangedShop.app(of: self)
        }
    }
}

enum Shop<Release: ShopRelease>: App {
    static var name: String { Release.change == .appRenamedWithFormerName ? "store" : "shop" }
    static var formerNames: [String] { Release.change == .appRenamedWithFormerName ? ["shop"] : [] }
    static var changes: [String] { Release.change == .screenInMidwayAsChange ? ["delivery-time"] : [] }
    static func root(_ options: NoOptions) -> sending AnyCoordinator { ShopCoordinator(Release.change) }
    static var retiredEffects: Set<String> { Release.change == .greetingRetired ? ["greeting"] : [] }
    static var onDivergence: DivergenceResponse {
        switch Release.change {
        case .outputChangedResuming: .resume
        case .outputChangedEnding: .end
        default: .holdIfLossy
        }
    }
}

/// Needs an option that no session has.
enum DemandingShop: App {
    struct Options: Codable, Sendable {
        var shelf: Int
        init() { shelf = 1 }
    }
    static var name: String { "shop" }
    static var options: Options { Options() }
    static func root(_ options: Options) -> sending AnyCoordinator { ShopCoordinator(.none) }
}

/// The till at which all shops charge.
final class Till: Sendable {
    static let shared = Till()

    private struct State {
        var charges: [String: [Int]] = [:]
        var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]
    }

    private let state = Mutex(State())

    /// Charges an account under an effect's id; one whose name begins with `slow` waits for `release`.
    func charge(_ cents: Int, _ account: String, under id: String) async -> Int {
        func note(in state: inout State) { state.charges["\(account) \(id)", default: []].append(cents) }
        guard account.hasPrefix("slow") else {
            state.withLock { note(in: &$0) }
            return 42
        }
        await withCheckedContinuation { go in
            // Do both under one lock, because a test that sees the charge may release it at once.
            state.withLock {
                note(in: &$0)
                $0.waiting[account, default: []].append(go)
            }
        }
        return 42
    }

    /// All charges of an account, by the ids under which they ran.
    func charges(of account: String) -> [String: [Int]] {
        state.withLock { $0.charges.filter { $0.key.hasPrefix("\(account) ") } }
    }

    /// Lets the newest charge of an account come to its end; those of a process that is gone never do.
    func release(_ account: String) {
        state.withLock { $0.waiting[account]?.popLast() }?.resume()
    }
}

// MARK: Effects

struct Receipt: Codable, Equatable { var order: Int }
struct SignedReceipt: Codable, Equatable {
    var order: Int
    var signature: String
}

/// What charges have in common, under whatever name.
protocol Charging: Effect, Codable {
    var cents: Int { get }
    var account: String { get }
}

struct Charge: Charging {
    let cents: Int
    let account: String
    func run(_ context: EffectContext<NoServices>) async throws -> Receipt {
        Receipt(order: await Till.shared.charge(cents, account, under: context.id))
    }
}

struct SignedCharge: Charging {
    static let name = "charge"
    let cents: Int
    let account: String
    func run(_ context: EffectContext<NoServices>) async throws -> SignedReceipt {
        SignedReceipt(order: await Till.shared.charge(cents, account, under: context.id), signature: "S")
    }
}

struct MigratingCharge: Charging {
    static let name = "charge"
    let cents: Int
    let account: String
    func run(_ context: EffectContext<NoServices>) async throws -> SignedReceipt {
        SignedReceipt(order: await Till.shared.charge(cents, account, under: context.id), signature: "S")
    }
    static func migrate(_ former: any Decoder) throws -> SignedReceipt {
        SignedReceipt(order: try Receipt(from: former).order, signature: "none")
    }
}

struct Payment: Charging {
    let cents: Int
    let account: String
    func run(_ context: EffectContext<NoServices>) async throws -> Receipt {
        Receipt(order: await Till.shared.charge(cents, account, under: context.id))
    }
}

struct RenamedPayment: Charging {
    static let name = "payment"
    static let formerNames = ["charge"]
    let cents: Int
    let account: String
    func run(_ context: EffectContext<NoServices>) async throws -> Receipt {
        Receipt(order: await Till.shared.charge(cents, account, under: context.id))
    }
}

struct Greeting: Effect, Codable {
    func run(_ context: EffectContext<NoServices>) async throws -> String { "hello" }
}

struct Log: Effect, Codable {
    let line: String
    func run(_ context: EffectContext<NoServices>) async throws -> NoOutput { NoOutput() }
}

// MARK: Screens

struct GoodsScreen: Screen {
    enum Event: Codable { case buy, help }
    static let examples: [Event] = [.buy, .help]
    var goods = ["tea", "rice"]
    var greeting: String?
    var color: String?
}

struct HelpScreen: Screen { enum Event: Codable, CaseIterable { case close } }
struct AddressScreen: Screen { enum Event: Codable, CaseIterable { case next } }

struct PayScreen: Screen {
    enum Event: Codable { case pay(account: String) }
    static let examples: [Event] = [.pay(account: "a")]
    let cents: Int
}

struct PurchaseScreen: Screen {
    enum Event: Codable { case purchase(account: String) }
    static let examples: [Event] = [.purchase(account: "a")]
    static let name = "pay"
    let cents: Int
}

/// Takes the event by its present and its former name.
struct TolerantPayScreen: Screen {
    struct Event: Codable {
        let account: String

        private enum Name: String, CodingKey { case purchase, pay }
        private struct Account: Codable { let account: String }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Name.self)
            let present = try container.decodeIfPresent(Account.self, forKey: .purchase)
            account = try (present ?? container.decode(Account.self, forKey: .pay)).account
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Name.self)
            try container.encode(Account(account: account), forKey: .purchase)
        }
    }
    static let examples: [Event] = []
    static let name = "pay"
    let cents: Int
}

struct CashDeskScreen: Screen {
    typealias Event = PayScreen.Event
    static let examples = PayScreen.examples
    let cents: Int
}

struct FormerPayScreen: Screen {
    typealias Event = PayScreen.Event
    static let examples = PayScreen.examples
    static let name = "desk"
    static let formerNames = ["pay"]
    let cents: Int
}

struct TimeScreen: Screen { enum Event: Codable, CaseIterable { case next } }
struct WelcomeScreen: Screen { enum Event: Codable, CaseIterable { case begin } }
struct DoneScreen: Screen {
    enum Event: Codable, CaseIterable { case home }
    let order: Int
}
struct AccountScreen: Screen { enum Event: Codable, CaseIterable { case edit } }
struct HurryScreen: Screen { enum Event: Codable, CaseIterable { case okay } }

// MARK: Coordinators

final class ShopCoordinator: Coordinator<Never> {
    private let change: ShopChange

    init(_ change: ShopChange) { self.change = change }

    override func start() {
        if change == .effectAtStart { perform(Log(line: "start")) { _, _ in } }
        if change == .timerAtStart { after(.seconds(5)) { _ in } }
        if change == .hiddenChildAtStart { start(SilentCoordinator()) }
        if change == .onboardingAtStart {
            push(WelcomeScreen()) { me, _ in me.showTabs() }
        } else {
            showTabs()
        }
    }

    private func showTabs() {
        let names =
            switch change {
            case .tabAdded: ["offers", "goods", "account"]
            case .hiddenTabRemoved: ["goods"]
            case .hiddenTabRenamed, .tabRenamedWithFormerName: ["goods", "profile"]
            default: ["goods", "account"]
            }
        let change = change
        let formerNames = change == .tabRenamedWithFormerName ? ["account": "profile"] : [:]
        tabs(named: names, selected: "goods", formerNames: formerNames) { _, tab in
            tab == "goods" ? GoodsCoordinator(change) : AccountCoordinator()
        }
    }
}

final class SilentCoordinator: Coordinator<Never> {}

final class AccountCoordinator: Coordinator<Never> {
    override func start() { push(AccountScreen()) { _, _ in } }
}

final class GoodsCoordinator: Coordinator<Never> {
    private let change: ShopChange
    private var catalog = Handle<GoodsScreen>()

    init(_ change: ShopChange) { self.change = change }

    override func start() {
        var screen = GoodsScreen()
        if change == .listOrder { screen.goods.reverse() }
        if change == .stateGrows { screen.color = "red" }
        catalog = push(screen) { me, event in
            switch event {
            case .buy: me.checkOut()
            case .help: me.help()
            }
        }
        if change != .greetingGone, change != .greetingRetired {
            perform(Greeting()) { me, result in me.catalog.update { $0.greeting = try? result.get() } }
        }
    }

    private func help() {
        present(HelpScreen(), as: change == .modalStyle ? .formSheet : .sheet) { me, _ in me.dismiss() }
    }

    private func checkOut() {
        switch change {
        case .classRenamed: start(OrderCoordinator(change)) { me, _ in me.popToRoot() }
        case .coordinatorSplit: start(SplitCoordinator(change)) { me, _ in me.popToRoot() }
        default: start(CheckoutCoordinator(change)) { me, _ in me.popToRoot() }
        }
    }
}

final class SplitCoordinator: Coordinator<Void> {
    private let change: ShopChange

    init(_ change: ShopChange) { self.change = change }

    override func start() { start(CheckoutCoordinator(change)) { me, _ in me.finish(()) } }
}

final class OrderCoordinator: CheckoutCoordinator {}

class CheckoutCoordinator: Coordinator<Void> {
    private let change: ShopChange

    init(_ change: ShopChange) { self.change = change }

    override func start() {
        if change == .timerBeforeDeadline { after(.seconds(20)) { _ in } }
        after(.seconds(change == .deadline ? 30 : 600)) { me in
            me.present(HurryScreen(), as: .alert) { _, _ in }
        }
        push(AddressScreen()) { me, _ in
            if me.change == .screenInMidway || me.change == .screenInMidwayAsChange && me.changed("delivery-time") {
                me.push(TimeScreen()) { me, _ in me.showPayment() }
            } else {
                me.showPayment()
            }
        }
    }

    private func showPayment() {
        let cents = change == .price ? 1300 : 1050
        func pay(_ me: CheckoutCoordinator, _ event: PayScreen.Event) {
            switch event {
            case .pay(let account): me.pay(cents, account)
            }
        }
        switch change {
        case .eventRenamed:
            push(PurchaseScreen(cents: cents)) { me, event in
                switch event {
                case .purchase(let account): me.pay(cents, account)
                }
            }
        case .eventRenamedDecodingBoth:
            push(TolerantPayScreen(cents: cents)) { me, event in me.pay(cents, event.account) }
        case .screenRenamed: push(CashDeskScreen(cents: cents), pay)
        case .screenRenamedWithFormerName: push(FormerPayScreen(cents: cents), pay)
        default: push(PayScreen(cents: cents), pay)
        }
    }

    private func pay(_ cents: Int, _ account: String) {
        if change == .logBeforeCharge { perform(Log(line: "pay")) { _, _ in } }
        switch change {
        case .outputChanged, .outputChangedResuming, .outputChangedEnding:
            charge(SignedCharge(cents: cents, account: account), \.order)
        case .outputMigrated: charge(MigratingCharge(cents: cents, account: account), \.order)
        case .chargeRenamed: charge(Payment(cents: cents, account: account), \.order)
        case .chargeRenamedWithFormerName: charge(RenamedPayment(cents: cents, account: account), \.order)
        case .chargeGone: break
        default: charge(Charge(cents: cents, account: account), \.order)
        }
        if change == .logAfterCharge { perform(Log(line: "paid")) { _, _ in } }
    }

    private func charge<E: Charging>(_ effect: E, _ order: @escaping (E.Output) -> Int) {
        perform(effect) { me, result in
            guard case .success(let output) = result else { return }
            me.push(DoneScreen(order: order(output))) { me, _ in me.finish(()) }
        }
    }
}

/// The builds with one change each.
private enum ChangedShop {
    static func app(of change: ShopChange) -> any App.Type {
        switch change {
        case .none, .optionNeeded: Shop<Original>.self
        case .stateGrows: Shop<StateGrowsRelease>.self
        case .listOrder: Shop<ListOrderRelease>.self
        case .effectAtStart: Shop<EffectAtStartRelease>.self
        case .timerAtStart: Shop<TimerAtStartRelease>.self
        case .hiddenChildAtStart: Shop<HiddenChildAtStartRelease>.self
        case .onboardingAtStart: Shop<OnboardingAtStartRelease>.self
        case .classRenamed: Shop<ClassRenamedRelease>.self
        case .coordinatorSplit: Shop<CoordinatorSplitRelease>.self
        case .modalStyle: Shop<ModalStyleRelease>.self
        case .tabAdded: Shop<TabAddedRelease>.self
        case .hiddenTabRemoved: Shop<HiddenTabRemovedRelease>.self
        case .hiddenTabRenamed: Shop<HiddenTabRenamedRelease>.self
        case .eventRenamed: Shop<EventRenamedRelease>.self
        case .eventRenamedDecodingBoth: Shop<EventRenamedDecodingBothRelease>.self
        case .screenInMidway: Shop<ScreenInMidwayRelease>.self
        case .screenRenamed: Shop<ScreenRenamedRelease>.self
        case .screenRenamedWithFormerName: Shop<ScreenRenamedWithFormerNameRelease>.self
        case .price: Shop<PriceRelease>.self
        case .logBeforeCharge: Shop<LogBeforeChargeRelease>.self
        case .logAfterCharge: Shop<LogAfterChargeRelease>.self
        case .deadline: Shop<DeadlineRelease>.self
        case .timerBeforeDeadline: Shop<TimerBeforeDeadlineRelease>.self
        case .outputChanged: Shop<OutputChangedRelease>.self
        case .outputMigrated: Shop<OutputMigratedRelease>.self
        case .outputChangedResuming: Shop<OutputChangedResumingRelease>.self
        case .outputChangedEnding: Shop<OutputChangedEndingRelease>.self
        case .chargeRenamed: Shop<ChargeRenamedRelease>.self
        case .chargeRenamedWithFormerName: Shop<ChargeRenamedWithFormerNameRelease>.self
        case .chargeGone: Shop<ChargeGoneRelease>.self
        case .greetingGone: Shop<GreetingGoneRelease>.self
        case .greetingRetired: Shop<GreetingRetiredRelease>.self
        case .screenInMidwayAsChange: Shop<ScreenInMidwayAsChangeRelease>.self
        case .tabRenamedWithFormerName: Shop<TabRenamedWithFormerNameRelease>.self
        case .appRenamedWithFormerName: Shop<AppRenamedWithFormerNameRelease>.self
        }
    }
}

private enum StateGrowsRelease: ShopRelease { static let change = ShopChange.stateGrows }
private enum ListOrderRelease: ShopRelease { static let change = ShopChange.listOrder }
private enum EffectAtStartRelease: ShopRelease { static let change = ShopChange.effectAtStart }
private enum TimerAtStartRelease: ShopRelease { static let change = ShopChange.timerAtStart }
private enum HiddenChildAtStartRelease: ShopRelease { static let change = ShopChange.hiddenChildAtStart }
private enum OnboardingAtStartRelease: ShopRelease { static let change = ShopChange.onboardingAtStart }
private enum ClassRenamedRelease: ShopRelease { static let change = ShopChange.classRenamed }
private enum CoordinatorSplitRelease: ShopRelease { static let change = ShopChange.coordinatorSplit }
private enum ModalStyleRelease: ShopRelease { static let change = ShopChange.modalStyle }
private enum TabAddedRelease: ShopRelease { static let change = ShopChange.tabAdded }
private enum HiddenTabRemovedRelease: ShopRelease { static let change = ShopChange.hiddenTabRemoved }
private enum HiddenTabRenamedRelease: ShopRelease { static let change = ShopChange.hiddenTabRenamed }
private enum EventRenamedRelease: ShopRelease { static let change = ShopChange.eventRenamed }
private enum EventRenamedDecodingBothRelease: ShopRelease { static let change = ShopChange.eventRenamedDecodingBoth }
private enum ScreenInMidwayRelease: ShopRelease { static let change = ShopChange.screenInMidway }
private enum ScreenRenamedRelease: ShopRelease { static let change = ShopChange.screenRenamed }
private enum ScreenRenamedWithFormerNameRelease: ShopRelease {
    static let change = ShopChange.screenRenamedWithFormerName
}
private enum PriceRelease: ShopRelease { static let change = ShopChange.price }
private enum LogBeforeChargeRelease: ShopRelease { static let change = ShopChange.logBeforeCharge }
private enum LogAfterChargeRelease: ShopRelease { static let change = ShopChange.logAfterCharge }
private enum DeadlineRelease: ShopRelease { static let change = ShopChange.deadline }
private enum OutputChangedRelease: ShopRelease { static let change = ShopChange.outputChanged }
private enum OutputMigratedRelease: ShopRelease { static let change = ShopChange.outputMigrated }
private enum ChargeRenamedRelease: ShopRelease { static let change = ShopChange.chargeRenamed }
private enum ChargeRenamedWithFormerNameRelease: ShopRelease {
    static let change = ShopChange.chargeRenamedWithFormerName
}
private enum ChargeGoneRelease: ShopRelease { static let change = ShopChange.chargeGone }
private enum GreetingGoneRelease: ShopRelease { static let change = ShopChange.greetingGone }
private enum GreetingRetiredRelease: ShopRelease { static let change = ShopChange.greetingRetired }
private enum OutputChangedResumingRelease: ShopRelease { static let change = ShopChange.outputChangedResuming }
private enum OutputChangedEndingRelease: ShopRelease { static let change = ShopChange.outputChangedEnding }
private enum TimerBeforeDeadlineRelease: ShopRelease { static let change = ShopChange.timerBeforeDeadline }
private enum ScreenInMidwayAsChangeRelease: ShopRelease { static let change = ShopChange.screenInMidwayAsChange }
private enum TabRenamedWithFormerNameRelease: ShopRelease { static let change = ShopChange.tabRenamedWithFormerName }
private enum AppRenamedWithFormerNameRelease: ShopRelease { static let change = ShopChange.appRenamedWithFormerName }

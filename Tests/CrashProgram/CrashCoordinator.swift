import Glibc
import Usher

/// A screen that counts, and makes mistakes: each event names a mistake, and the time at which it is made.
struct CrashScreen: Screen {
    enum Event: Codable {
        case count
        /// At once.
        case event(deed: Deed, note: String?)
        /// When a timer fires.
        case timer(deed: Deed, note: String?)
        /// When the result of an effect arrives.
        case result(deed: Deed, note: String?)
        /// In the effect itself.
        case effect(deed: Deed)
        /// When the event is replayed while the file in `USHER_TEST_REPLAY` exists.
        case replay(deed: Deed)
        /// When a screen is encoded.
        case encode(deed: Deed)
        /// When a coordinator that has ended is deallocated.
        case leave(deed: Deed)
        /// When the session's coordinator is deallocated.
        case stay(deed: Deed)
    }

    static let examples: [Event] = [
        .count, .event(deed: .index, note: nil), .timer(deed: .loop, note: nil), .result(deed: .abort, note: nil),
        .effect(deed: .block), .replay(deed: .index), .encode(deed: .loop), .leave(deed: .index), .stay(deed: .index),
    ]

    var count = 0
}

final class CrashCoordinator: Coordinator<Void> {
    private let atStart: Deed?
    private var screen: Handle<CrashScreen>?
    private var atEnd: Deed?

    init(_ deed: Deed?) {
        atStart = deed
    }

    override func start() {
        atStart?()
        screen = push(CrashScreen()) { me, event in
            switch event {
            case .count: me.screen?.update { $0.count += 1 }
            case .event(let deed, _): deed()
            case .timer(let deed, _): me.after(.milliseconds(10)) { _ in deed() }
            case .result(let deed, _): me.perform(Nothing(deed: nil)) { _, _ in deed() }
            case .effect(let deed): me.perform(Nothing(deed: deed)) { _, _ in }
            case .replay(let deed): if Self.isArmed { deed() }
            case .encode(let deed): me.push(BrokenScreen(deed: deed)) { _, _ in }
            case .leave(let deed): me.start(LeavingCoordinator(deed)) { _, _ in }
            case .stay(let deed): me.atEnd = deed
            }
        }
    }

    deinit { atEnd?() }

    /// Whether the file exists that makes replays fail.
    private static var isArmed: Bool {
        guard let path = unsafe getenv("USHER_TEST_REPLAY") else { return false }
        return unsafe access(path, F_OK) == 0
    }
}

/// A coordinator that ends at once, and makes its mistake when it is deallocated.
final class LeavingCoordinator: Coordinator<Void> {
    private let deed: Deed

    init(_ deed: Deed) {
        self.deed = deed
    }

    override func start() { finish() }

    deinit { deed() }
}

/// An effect without a purpose.
struct Nothing: Effect {
    let deed: Deed?

    func run(_ context: EffectContext<NoServices>) async throws -> NoOutput {
        deed?()
        return NoOutput()
    }
}

/// A screen that makes its mistake when it is encoded.
struct BrokenScreen: Screen {
    enum Event: Codable, CaseIterable { case done }

    let deed: Deed

    func encode(to encoder: any Encoder) throws {
        deed()
        var container = encoder.singleValueContainer()
        try container.encode(deed.rawValue)
    }
}

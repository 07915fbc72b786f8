import Usher
import UsherProcess

/// An app whose state lists everything that it has handled: each input adds its number once.
enum LedgerApp: App {
    static let name = "ledger"

    static func root(_ options: NoOptions) -> sending AnyCoordinator { LedgerCoordinator() }
}

/// The numbers so far; with the session's creation, there is one for each revision.
struct LedgerScreen: Screen {
    var numbers: [Int] = []

    enum Event: Codable {
        case add(number: Int)
        /// Adds another number when a timer fires.
        case wait(number: Int, next: Int)
        /// Adds another number when a backend has responded.
        case deliver(number: Int, next: Int)
        /// Is rejected.
        case refuse(number: Int)
        /// Ends the process.
        case die(number: Int)
    }

    static let examples: [Event] = [
        .add(number: 1), .wait(number: 1, next: 2), .deliver(number: 1, next: 2), .refuse(number: 1), .die(number: 1),
    ]
}

final class LedgerCoordinator: Coordinator<Void> {
    private var ledger = Handle<LedgerScreen>()

    override func start() {
        ledger = push(LedgerScreen()) { me, event in
            switch event {
            case .add(let number):
                try LedgerRule.check(number)
                me.add(number)
            case .wait(let number, let next):
                me.add(number)
                me.after(.milliseconds(300)) { $0.add(next) }
            case .deliver(let number, let next):
                me.add(number)
                me.perform(Delivery(number: number, receipt: next)) { me, result in
                    if case .success(let receipt) = result { me.add(receipt.number) } else { me.add(-number) }
                }
            case .refuse(let number):
                me.add(number)
                throw Refusal("no \(number)")
            case .die(let number):
                me.add(number)
                fatalError("a lethal event")
            }
        }
    }

    private func add(_ number: Int) {
        ledger.update { $0.numbers.append(number) }
    }
}

/// A rule of some builds: numbers that are divisible by `USHER_TEST_REFUSED` are rejected.
enum LedgerRule {
    private static let divisor = ProcessEnvironment.variable("USHER_TEST_REFUSED").flatMap { Int($0) }

    static func check(_ number: Int) throws {
        if let divisor, number % divisor == 0 { throw Refusal("no \(number)") }
    }
}

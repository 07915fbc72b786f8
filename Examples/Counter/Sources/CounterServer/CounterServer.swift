import Usher
import UsherServer

/// A server with one app.
///
/// A server program only lists its apps; it then has all commands of `usher`.
@main
enum CounterServer: ServerProgram {
    static var apps: [any App.Type] { [CounterApp.self] }
}

/// The app that `POST /sessions` with `{"app":"counter"}` opens.
enum CounterApp: App {
    static var screens: [any Screen.Type] { [ConfirmScreen.self, CounterScreen.self] }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { CounterCoordinator() }
}

/// A number with its buttons; the stored properties are the state that clients see.
struct CounterScreen: Screen {
    var count = 0

    enum Event: Codable { case increment, decrement, add(amount: Int), done }

    static let examples: [Event] = [.increment, .decrement, .add(amount: 5), .done]
}

/// Asks the user to confirm the number.
struct ConfirmScreen: Screen {
    let count: Int

    enum Event: Codable, CaseIterable { case confirm, cancel }
}

/// Counts until the user confirms the number, with which the session ends.
final class CounterCoordinator: Coordinator<Int> {
    private var counter: Handle<CounterScreen>?

    override func start() {
        counter = push(CounterScreen()) { me, event in
            switch event {
            case .increment: try me.add(1)
            case .decrement: try me.add(-1)
            case .add(let amount): try me.add(amount)
            case .done: me.confirm()
            }
        }
    }

    private func add(_ amount: Int) throws {
        try counter?.update { counter in
            let (sum, overflow) = counter.count.addingReportingOverflow(amount)
            // If a handler throws a refusal, the client gets the reason, and the session stays as it was.
            guard !overflow else { throw Refusal("the count has no room for \(amount) more; add less") }
            counter.count = sum
        }
    }

    private func confirm() {
        guard let count = counter?.screen?.count else { return }
        start(ConfirmCoordinator(count: count)) { me, outcome in
            // On `.cancelled`, the counter is visible again.
            if case .finished = outcome { me.finish(count) }
        }
    }
}

/// Shows the number again, and finishes when the user confirms it.
final class ConfirmCoordinator: Coordinator<Void> {
    private let count: Int

    init(count: Int) {
        self.count = count
    }

    override func start() {
        push(ConfirmScreen(count: count)) { me, event in
            switch event {
            case .confirm: me.finish()
            case .cancel: me.cancel()
            }
        }
    }
}

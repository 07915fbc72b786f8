import UIKit
import Usher

// The adapters of the guide.

/// The main scheduler of a session, for `observe(on:)`, `delay`, `debounce` and `timer`.
final class SessionScheduler: SchedulerType {
    static let instance = SessionScheduler()

    var now: Date { UIKitSession.current?.now ?? Date() }

    func schedule<State>(_ state: State, action: @escaping (State) -> Disposable) -> Disposable {
        begin(state, action) { DispatchQueue.main.async(execute: $0) }
    }

    func scheduleRelative<State>(
        _ state: State, dueTime: DispatchTimeInterval, action: @escaping (State) -> Disposable
    ) -> Disposable {
        begin(state, action) { DispatchQueue.main.asyncAfter(deadline: .now() + dueTime, execute: $0) }
    }

    private func begin<State>(
        _ state: State, _ action: @escaping (State) -> Disposable, _ start: (DispatchWorkItem) -> Void
    ) -> Disposable {
        let disposable = SingleAssignmentDisposable()
        let item = DispatchWorkItem { disposable.setDisposable(action(state)) }
        start(item)
        return Disposables.create(disposable, Disposables.create { item.cancel() })
    }
}

extension Observable {
    /// An effect as RxSwift's observable: begun for each subscriber, given up when it is disposed of.
    static func effect<E: Effect>(_ effect: E) -> Observable where E.Output == Element {
        Observable.create { observer in
            let work = effect.perform { result in
                switch result {
                case .success(let output):
                    observer(.next(output))
                    observer(.completed)
                case .failure(let failure): observer(.error(failure))
                }
            }
            return Disposables.create { work.cancel() }
        }
    }
}

/// An effect as Combine's publisher: begun at the first demand of each subscriber, given up when that cancels.
struct EffectPublisher<E: Effect>: Publisher {
    typealias Output = E.Output
    typealias Failure = EffectFailure

    let effect: E

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: EffectSubscription(effect, subscriber))
    }
}

private final class EffectSubscription<E: Effect, S: Subscriber>: Subscription
where S.Input == E.Output, S.Failure == EffectFailure {
    private let effect: E
    private var subscriber: S?
    private var work: SessionWork?

    init(_ effect: E, _ subscriber: S) {
        self.effect = effect
        self.subscriber = subscriber
    }

    func request(_ demand: Int) {
        guard demand > 0, work == nil else { return }
        work = effect.perform { result in
            guard let subscriber = self.subscriber else { return }
            self.subscriber = nil
            if case .success(let output) = result { subscriber.receive(output) }
            subscriber.receive(completion: result.map { _ in })
        }
    }

    func cancel() {
        subscriber = nil
        work?.cancel()
    }
}

import UIKit

// The shapes of RxSwift and of Combine, as far as adapters need them: with the libraries themselves they are the same.

/// RxSwift's.
protocol Disposable {
    func dispose()
}

/// RxSwift's.
final class SingleAssignmentDisposable: Disposable {
    private var disposable: Disposable?
    private(set) var isDisposed = false

    func setDisposable(_ disposable: Disposable) {
        if isDisposed { disposable.dispose() } else { self.disposable = disposable }
    }

    func dispose() {
        isDisposed = true
        disposable?.dispose()
        disposable = nil
    }
}

/// RxSwift's.
enum Disposables {
    private final class Closure: Disposable {
        private var body: (() -> Void)?

        init(_ body: @escaping () -> Void) { self.body = body }

        func dispose() {
            body?()
            body = nil
        }
    }

    static func create(with dispose: @escaping () -> Void = {}) -> Disposable { Closure(dispose) }

    static func create(_ first: Disposable, _ second: Disposable) -> Disposable {
        Closure {
            first.dispose()
            second.dispose()
        }
    }
}

/// RxSwift's.
protocol SchedulerType {
    var now: Date { get }
    func schedule<State>(_ state: State, action: @escaping (State) -> Disposable) -> Disposable
    func scheduleRelative<State>(
        _ state: State, dueTime: DispatchTimeInterval, action: @escaping (State) -> Disposable
    ) -> Disposable
}

/// RxSwift's, with the two operators that a screen of suggestions needs.
struct Observable<Element> {
    enum Event {
        case next(Element)
        case error(Error)
        case completed
    }

    let subscribe: (@escaping (Event) -> Void) -> Disposable

    static func create(_ subscribe: @escaping (@escaping (Event) -> Void) -> Disposable) -> Observable {
        Observable(subscribe: subscribe)
    }

    func observe(on scheduler: SchedulerType) -> Observable {
        Observable { observer in
            subscribe { event in
                _ = scheduler.schedule(event) { event in
                    observer(event)
                    return Disposables.create()
                }
            }
        }
    }

    func delaySubscription(_ time: DispatchTimeInterval, scheduler: SchedulerType) -> Observable {
        Observable { observer in
            scheduler.scheduleRelative(self, dueTime: time) { $0.subscribe(observer) }
        }
    }
}

/// Combine's.
protocol Publisher {
    associatedtype Output
    associatedtype Failure: Error
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

/// Combine's.
protocol Subscriber {
    associatedtype Input
    associatedtype Failure: Error
    func receive(subscription: Subscription)
    func receive(_ input: Input)
    func receive(completion: Result<Void, Failure>)
}

/// Combine's.
protocol Subscription: AnyObject {
    func request(_ demand: Int)
    func cancel()
}

import UIKit

// The declarations of RxSwift that the adapters need.

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

/// RxSwift's.
enum Event<Element> {
    case next(Element)
    case error(Error)
    case completed
}

/// RxSwift's.
struct AnyObserver<Element> {
    let on: (Event<Element>) -> Void

    func onNext(_ element: Element) { on(.next(element)) }

    func onError(_ error: Error) { on(.error(error)) }

    func onCompleted() { on(.completed) }
}

/// RxSwift's, with the two operators that a screen of suggestions needs.
final class Observable<Element> {
    private let begin: (AnyObserver<Element>) -> Disposable

    private init(_ begin: @escaping (AnyObserver<Element>) -> Disposable) { self.begin = begin }

    static func create(_ subscribe: @escaping (AnyObserver<Element>) -> Disposable) -> Observable {
        Observable(subscribe)
    }

    func subscribe(_ on: @escaping (Event<Element>) -> Void) -> Disposable { begin(AnyObserver(on: on)) }

    func observe(on scheduler: SchedulerType) -> Observable {
        .create { observer in
            self.subscribe { event in
                _ = scheduler.schedule(event) { event in
                    observer.on(event)
                    return Disposables.create()
                }
            }
        }
    }

    func delaySubscription(_ time: DispatchTimeInterval, scheduler: SchedulerType) -> Observable {
        .create { observer in
            scheduler.scheduleRelative(self, dueTime: time) { $0.subscribe(observer.on) }
        }
    }
}

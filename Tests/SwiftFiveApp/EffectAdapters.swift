import UIKit
import Usher

// For apps with RxSwift: copy this file, and add `import RxSwift`. docs/uikit-work.md links to it.

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
    static func effect<E: Effect>(_ effect: E) -> Observable where E.Output == Element {
        Observable.create { observer in
            let work = effect.perform { result in
                switch result {
                case .success(let output):
                    observer.onNext(output)
                    observer.onCompleted()
                case .failure(let failure): observer.onError(failure)
                }
            }
            return Disposables.create { work.cancel() }
        }
    }
}

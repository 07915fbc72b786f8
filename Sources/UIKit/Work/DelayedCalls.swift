/// The delayed calls of methods, which an app can cancel; each retains its target and argument until it is made.
@MainActor
private final class DelayedCalls {
    private struct Call {
        weak var target: AnyObject?
        let selector: Selector
        let argument: Argument
        let work: SessionWork
    }

    /// An argument, compared by value or by identity.
    private enum Argument: Equatable {
        case none, value(AnyHashable), object(ObjectIdentifier)

        init(_ argument: Any?) {
            switch argument {
            case nil: self = .none
            case let value as AnyHashable: self = .value(value)
            case let object?: self = .object(ObjectIdentifier(object as AnyObject))
            }
        }
    }

    private var calls: [Call] = []

    static func of(_ session: UIKitSession) -> DelayedCalls {
        session.value(DelayedCalls.self) { MainActor.assumeIsolated { DelayedCalls() } }
    }

    func add(_ target: AnyObject, _ selector: Selector, _ argument: Any?, _ work: SessionWork) {
        calls.removeAll { !$0.work.isPending }
        calls.append(Call(target: target, selector: selector, argument: Argument(argument), work: work))
    }

    func cancel(_ target: AnyObject) {
        cancel { $0.target === target }
    }

    func cancel(_ target: AnyObject, _ selector: Selector, _ argument: Any?) {
        let argument = Argument(argument)
        cancel { $0.target === target && $0.selector == selector && $0.argument == argument }
    }

    private func cancel(where isMeant: (Call) -> Bool) {
        let cancelled = calls.filter(isMeant)
        calls.removeAll { !$0.work.isPending || isMeant($0) }
        for call in cancelled { call.work.cancel() }
    }
}

extension Selector {
    /// Calls the method of a target after a time on the session's clock, in a separate input.
    @MainActor
    func perform(
        on target: AnyObject, _ argument: Any?, after delay: TimeInterval, file: StaticString, line: UInt
    ) {
        guard let session = UIKitSession.current else {
            return DispatchQueue.main.asyncAfter(deadline: .now() + delay) { perform(on: target, argument) }
        }
        let work = session.after(Duration(delay), file: file, line: line) { perform(on: target, argument) }
        DelayedCalls.of(session).add(target, self, argument, work)
    }
}

extension NSObject {
    /// Calls a method of this object.
    @MainActor @preconcurrency
    public final func perform(_ aSelector: Selector, with object: Any? = nil) { aSelector.perform(on: self, object) }

    /// Calls a method of this object after a time on the session's clock, in a separate input.
    @MainActor @preconcurrency
    public final func perform(
        _ aSelector: Selector, with anArgument: Any?, afterDelay delay: TimeInterval, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        aSelector.perform(on: self, anArgument, after: delay, file: file, line: line)
    }

    /// Cancels the delayed calls of an object's methods.
    @MainActor @preconcurrency
    public static func cancelPreviousPerformRequests(withTarget aTarget: Any) {
        guard let session = UIKitSession.current else { return }
        DelayedCalls.of(session).cancel(aTarget as AnyObject)
    }

    /// Cancels the delayed calls of a method with an argument.
    @MainActor @preconcurrency
    public static func cancelPreviousPerformRequests(
        withTarget aTarget: Any, selector aSelector: Selector, object anArgument: Any?
    ) {
        guard let session = UIKitSession.current else { return }
        DelayedCalls.of(session).cancel(aTarget as AnyObject, aSelector, anArgument)
    }
}

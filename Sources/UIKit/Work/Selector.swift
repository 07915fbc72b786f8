/// The name of a method, with a closure by which buttons, timers and notifications call the method of their targets.
///
/// `#selector` needs the Objective-C runtime. The plug-in UsherSelectors therefore compiles `#selector(save(_:))` in a
/// class `Editor` as `Selector("save") { (target: Editor) in target.save(_:) }`, in a copy of the file.
public struct Selector: Sendable {
    /// The method's name without its parameters.
    private let name: String
    private let parameterCount: Int
    /// Calls the method, or returns the reason why the method cannot be called.
    private let call: @MainActor @Sendable (_ target: AnyObject, _ first: Any?, _ second: Any?) -> Fault?

    private enum Fault {
        case target
        case argument(expected: Any.Type)
    }

    /// Creates a selector of a method without parameters.
    ///
    /// - Parameters:
    ///   - name: The method's name without its parameters. Selectors with the same name and number of parameters are
    ///     equal, whichever class the selectors are for.
    ///   - method: Returns the target's method.
    public init<Target, Result>(_ name: String, _ method: @escaping @MainActor @Sendable (Target) -> () -> Result) {
        self.name = name
        parameterCount = 0
        call = { target, _, _ in
            guard let target = target as? Target else { return .target }
            _ = method(target)()
            return nil
        }
    }

    /// Creates a selector of a method with a parameter: the sender, the notification or the timer.
    public init<Target, First, Result>(
        _ name: String, _ method: @escaping @MainActor @Sendable (Target) -> (First) -> Result
    ) {
        self.name = name
        parameterCount = 1
        call = { target, first, _ in
            guard let target = target as? Target else { return .target }
            guard let first = Self.argument(first, as: First.self) else { return .argument(expected: First.self) }
            _ = method(target)(first)
            return nil
        }
    }

    /// Creates a selector of a method with two parameters: the sender and the event.
    public init<Target, First, Second, Result>(
        _ name: String, _ method: @escaping @MainActor @Sendable (Target) -> (First, Second) -> Result
    ) {
        self.name = name
        parameterCount = 2
        call = { target, first, second in
            guard let target = target as? Target else { return .target }
            guard let first = Self.argument(first, as: First.self) else { return .argument(expected: First.self) }
            guard let second = Self.argument(second, as: Second.self) else { return .argument(expected: Second.self) }
            _ = method(target)(first, second)
            return nil
        }
    }

    /// Calls the method of a target; warns if the target has no such method, or if an argument has another type.
    @MainActor
    func perform(on target: AnyObject, _ first: Any? = nil, _ second: Any? = nil) {
        let fault: String
        switch call(target, first, second) {
        case nil: return
        case .target: fault = "unrecognized selector sent to instance"
        case .argument(let type): fault = "an argument is not of type \(type)"
        }
        UIKitSession.current?.warn("-[\(type(of: target)) \(self)]: \(fault)")
    }

    private static func argument<Value>(_ argument: Any?, as type: Value.Type) -> Value? {
        if let value = argument as? Value { return value }
        // Objective-C passes an object where the method expects a Boolean value, such as `animated`.
        if type == Bool.self { return (argument != nil) as? Value }
        return nil
    }
}

extension Selector: Hashable {
    /// Returns `true` if both selectors have the same name and number of parameters.
    public static func == (left: Selector, right: Selector) -> Bool {
        left.name == right.name && left.parameterCount == right.parameterCount
    }

    /// Hashes the name and the number of parameters.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(parameterCount)
    }
}

extension Selector: CustomStringConvertible {
    /// The name with its parameters, such as `save(_:)`.
    public var description: String {
        parameterCount == 0 ? name : "\(name)(\(String(repeating: "_:", count: parameterCount)))"
    }
}

/// A method of a target, which is not retained.
struct TargetAction {
    private(set) weak var target: AnyObject?
    let action: Selector

    /// Creates the pair; nil without a target, because there is no chain of responders in which to search for a target.
    @MainActor
    init?(_ target: Any?, _ action: Selector?) {
        guard let target, let action else { return nil }
        self.target = target as AnyObject
        self.action = action
    }

    @MainActor
    func perform(_ sender: AnyObject) {
        if let target { action.perform(on: target, sender) }
    }

    /// Returns `true` if this is the given method of the given target; nil stands for any target or any method.
    func matches(_ target: Any?, _ action: Selector?) -> Bool {
        (target == nil || self.target === target as AnyObject?) && (action == nil || self.action == action)
    }
}

import UsherJSON

/// A part of an app's navigation, which shows screens, starts children, and ends with an output for its parent.
///
/// The engine stores a coordinator's children, screens and closures. The engine passes the coordinator to each closure,
/// so closures need to capture nothing. `Output` is `Never` for a coordinator that never finishes by itself.
///
/// ```swift
/// final class LoginCoordinator: Coordinator<User> {
///     override func start() {
///         push(LoginScreen()) { me, event in
///             switch event {
///             case .close: me.cancel()
///             case .login(let name): me.finish(User(name: name))
///             }
///         }
///     }
/// }
/// ```
open class Coordinator<Output>: AnyCoordinator {
    // Unchecked, because these properties are only read and replaced, never changed in place.
    /// The parent's closure, which is called when this coordinator ends.
    @safe @exclusivity(unchecked) private var completion: ((AnyCoordinator, Outcome<Output>) throws -> Void)?
    @safe @exclusivity(unchecked) private var completionOrigin: SourceLocation?
    @safe @exclusivity(unchecked) private var outcome = Outcome<Output>.cancelled

    /// Creates a coordinator that is in no tree yet.
    public override init() {}

    override final class var outputType: Any.Type? { Output.self }

    /// Ends the coordinator with an output.
    ///
    /// The coordinator's screens and descendants leave first. Then the parent's closure is called. A second call has no
    /// effect.
    ///
    /// - Parameter output: The value that the parent's closure gets as `.finished`.
    public final func finish(_ output: Output) {
        guard let node = stayingNode else { return }
        outcome = .finished(output)
        node.tree.hierarchy.end(self)
    }

    final func complete(
        at origin: SourceLocation, _ completion: @escaping (AnyCoordinator, Outcome<Output>) throws -> Void
    ) {
        completionOrigin = origin
        self.completion = completion
    }

    override func completeErased(
        at origin: SourceLocation, _ completion: @escaping (AnyCoordinator, Outcome<Any>) throws -> Void
    ) {
        complete(at: origin) { try completion($0, $1.erased) }
    }

    override func leaveTowardsFlow() {
        outcome = .left
    }

    override func dropCompletion() -> SourceLocation? {
        completion = nil
        return completionOrigin
    }

    override func deliverOutcome(to parent: AnyCoordinator) throws {
        // Clear the properties first, because the app may retain this coordinator, which must then not retain these
        // values.
        let (completion, outcome) = (completion, outcome)
        dropDelivery()
        guard let completion else { return try parent.childDidFinish(self, outcome.erased) }
        try completion(parent, outcome)
    }

    override func encodeOutcome() throws(JSONError) -> Ending {
        let outcome = outcome
        dropDelivery()
        guard case .finished(let output) = outcome else { return Ending(reason: .cancelled, result: nil) }
        guard let value = output as? any Encodable else { return Ending(reason: .finished, result: nil) }
        var writer = JSONWriter()
        try writer.encode(value)
        return Ending(reason: .finished, result: writer.bytes)
    }

    // Inlined, so that the type of the outcome is looked up only once.
    @inline(__always)
    private func dropDelivery() {
        completion = nil
        outcome = .cancelled
    }
}

extension Coordinator where Output == Void {
    /// Ends the coordinator without a value.
    public final func finish() {
        finish(())
    }
}

/// How a child coordinator ended, for its parent.
public enum Outcome<Output> {
    /// The child finished with an output.
    case finished(Output)
    /// The child was cancelled: by itself, by a back button, or by a swipe.
    case cancelled
    /// The child ended so that a coordinator above it opens a flow.
    case left
}

extension Outcome: Sendable where Output: Sendable {}

extension Outcome {
    /// The output of a child that finished; nil for another outcome.
    public var output: Output? {
        guard case .finished(let output) = self else { return nil }
        return output
    }

    var erased: Outcome<Any> {
        switch self {
        case .finished(let output): .finished(output)
        case .cancelled: .cancelled
        case .left: .left
        }
    }
}

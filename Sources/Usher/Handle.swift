/// A coordinator's hold on a screen that it has pushed.
///
/// To keep one keeps nothing alive: from a screen that has left, its state, its closure and its view model are taken.
public struct Handle<S: Screen> {
    private let instance: TypedScreenInstance<S>?

    /// Makes a hold on nothing, for a property until its screen is pushed.
    public init() {
        instance = nil
    }

    init(_ instance: TypedScreenInstance<S>?) {
        self.instance = instance
    }

    /// The screen's instance id on the wire; nil once it has left.
    public var id: Int? { shown?.id }

    /// The screen as it stands; nil once it has left.
    public var screen: S? { instance?.screen }

    /// Changes the screen's state.
    ///
    /// A screen that has left is not changed.
    ///
    /// - Parameter change: Is given the screen to change in place.
    public func update(_ change: (inout S) throws -> Void) rethrows {
        guard let shown, var screen = shown.screen, let tree = shown.owner?.node?.tree else { return }
        // A copy: the change may read the screen through another handle meanwhile.
        try change(&screen)
        // The change may have taken the screen away.
        guard shown.owner != nil else { return }
        shown.change(to: screen)
        tree.noteAction()
        tree.window.didUpdate(shown)
    }

    /// The instance while it is in a stack.
    var shown: TypedScreenInstance<S>? {
        guard let instance, instance.owner != nil else { return nil }
        return instance
    }
}

extension Handle {
    /// Begins an effect that goes with this screen, for the view model that the screen keeps or for a coordinator.
    ///
    /// It is cancelled, and its closure never called, when the screen leaves; a coordinator's also when that ends. For a
    /// screen that has left already, or was not shown yet, it does nothing, with a warning; an alert has left when its
    /// event is handled.
    ///
    /// ```swift
    /// screen.perform(LoadNotes(), for: self) { viewModel, result in
    ///     viewModel.notes = (try? result.get()) ?? []
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - effect: The work.
    ///   - receiver: The view model or the coordinator. The engine holds it weakly for this.
    ///   - older: Work that this replaces: it is cancelled first.
    ///   - completion: What its result does; it is given the receiver, and captures nothing.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    /// - Returns: A hold on the effect, to cancel or to replace it.
    @discardableResult
    public func perform<E: Effect, Receiver: AnyObject>(
        _ effect: E, for receiver: Receiver, replacing older: WorkHandle = WorkHandle(), file: StaticString = #fileID,
        line: UInt = #line, _ completion: @escaping (Receiver, Result<E.Output, EffectFailure>) throws -> Void
    ) -> WorkHandle {
        guard let (shown, node) = workplace(of: receiver, for: "perform", replacing: older) else { return WorkHandle() }
        let work = node.tree.pendingWork.begin(effect, by: node, with: shown, SourceLocation(file, line)) {
            [weak receiver] _, result in
            guard let receiver else { return }
            try completion(receiver, result)
        }
        return WorkHandle(work)
    }

    /// Waits for a time on the session's clock, as long as this screen is there.
    ///
    /// It is given up, and its closure never called, when an effect of `perform(_:for:replacing:_:)` would be cancelled. For a
    /// countdown that a screen shows, and that must not go on when the user has gone back from it:
    ///
    /// ```swift
    /// countdown = push(CountdownScreen(seconds: 5)) { me, _ in me.cancel() }
    /// countdown.after(.seconds(5), for: self) { me in me.finish() }
    /// ```
    ///
    /// - Parameters:
    ///   - duration: How long from now; a begun millisecond counts as a whole one.
    ///   - receiver: The view model or the coordinator. The engine holds it weakly for this.
    ///   - older: Work that this replaces: it is cancelled first.
    ///   - completion: What is done then; it is given the receiver, and captures nothing.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    /// - Returns: A hold on the timer, to cancel or to replace it.
    @discardableResult
    public func after<Receiver: AnyObject>(
        _ duration: Duration, for receiver: Receiver, replacing older: WorkHandle = WorkHandle(),
        file: StaticString = #fileID, line: UInt = #line, _ completion: @escaping (Receiver) throws -> Void
    ) -> WorkHandle {
        guard let (shown, node) = workplace(of: receiver, for: "after", replacing: older) else { return WorkHandle() }
        let work = node.tree.pendingWork.begin(timer: duration, by: node, with: shown, SourceLocation(file, line)) {
            [weak receiver] _ in
            guard let receiver else { return }
            try completion(receiver)
        }
        return WorkHandle(work)
    }

    /// Returns a Boolean value indicating whether the build that started this screen's coordinator knew a change, for the
    /// view model that the screen keeps.
    ///
    /// - Parameter change: One of `App.changes`, as for a coordinator's `changed(_:)`.
    /// - Returns: False for a screen that has left, with a warning, or was not shown yet.
    public func changed(_ change: String) -> Bool {
        if let owner = shown?.owner { return owner.isKnown(change) }
        if let instance {
            instance.lateWarnings?.add("the screen \"\(instance.name)\" has left: changed did nothing")
        }
        return false
    }

    /// The screen and the coordinator that work goes with, or nil and a warning.
    ///
    /// A coordinator's work is its own; a view model's is that of the coordinator that shows the screen.
    private func workplace(
        of receiver: AnyObject, for operation: String, replacing older: WorkHandle
    ) -> (screen: ScreenInstance, node: Node)? {
        guard let shown else {
            warnOfNothing(receiver, operation)
            return nil
        }
        let worker = receiver as? AnyCoordinator ?? shown.owner
        guard let node = worker?.workingNode(for: operation, replacing: older) else { return nil }
        // What the older work held may have taken the screen away as it went.
        return shown.owner == nil ? nil : (shown, node)
    }

    /// Of a hold on nothing a coordinator alone can be warned: a view model is in no tree.
    private func warnOfNothing(_ receiver: AnyObject, _ operation: String) {
        guard let instance else {
            let words = "\(operation) by a handle on nothing did nothing; show its screen first"
            if let coordinator = receiver as? AnyCoordinator { coordinator.warn("\(type(of: receiver)): \(words)") }
            return
        }
        instance.lateWarnings?.add("the screen \"\(instance.name)\" has left: \(operation) did nothing")
    }
}

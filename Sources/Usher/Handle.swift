/// A coordinator's weak reference to a screen that it has shown.
///
/// A handle keeps nothing alive. When a screen leaves, the engine releases the screen's state, closure and view model.
public struct Handle<S: Screen> {
    private let instance: TypedScreenInstance<S>?

    /// Creates a handle without a screen, as the initial value of a property.
    public init() {
        instance = nil
    }

    init(_ instance: TypedScreenInstance<S>?) {
        self.instance = instance
    }

    /// The screen's instance id on the wire; nil after the screen has left.
    public var id: Int? { shown?.id }

    /// The screen with its current state; nil after the screen has left.
    public var screen: S? { instance?.screen }

    /// Changes the screen's state; has no effect if the screen has left.
    ///
    /// - Parameter change: A closure that changes the screen in place.
    public func update(_ change: (inout S) throws -> Void) rethrows {
        guard let shown, var screen = shown.screen, let tree = shown.owner?.node?.tree else { return }
        // Use a copy, because the closure may read the screen through another handle.
        try change(&screen)
        // The closure may have removed the screen.
        guard shown.owner != nil else { return }
        shown.change(to: screen)
        tree.noteAction()
        tree.window.didUpdate(shown)
    }

    /// The instance; nil if it is not in a stack.
    var shown: TypedScreenInstance<S>? {
        guard let instance, instance.owner != nil else { return nil }
        return instance
    }
}

extension Handle {
    /// Begins an effect that ends with this screen, for the screen's view model or for a coordinator.
    ///
    /// When the screen leaves, the effect is cancelled, and the closure is never called. If the receiver is a
    /// coordinator, the effect is also cancelled when this coordinator ends. If the screen has left or was not shown
    /// yet, the call has no effect, and the state has a warning. When an event of an alert is handled, the alert has
    /// already left.
    ///
    /// ```swift
    /// screen.perform(LoadNotes(), for: self) { viewModel, result in
    ///     viewModel.notes = (try? result.get()) ?? []
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - effect: The work.
    ///   - receiver: The view model or the coordinator; the engine holds it weakly.
    ///   - older: Work that this replaces; it is cancelled first.
    ///   - completion: Called with the receiver and the result; should capture nothing.
    ///   - file: The file of the closure, for leak reports.
    ///   - line: The line of the closure.
    /// - Returns: A handle to cancel or replace the effect.
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

    /// Begins a timer on the session's clock that ends with this screen.
    ///
    /// The timer is cancelled in the same cases as an effect of `perform(_:for:replacing:_:)`. Use it for a countdown
    /// that a screen shows, and that must stop when the user goes back:
    ///
    /// ```swift
    /// countdown = push(CountdownScreen(seconds: 5)) { me, _ in me.cancel() }
    /// countdown.after(.seconds(5), for: self) { me in me.finish() }
    /// ```
    ///
    /// - Parameters:
    ///   - duration: The time from now, rounded up to whole milliseconds.
    ///   - receiver: The view model or the coordinator; the engine holds it weakly.
    ///   - older: Work that this replaces; it is cancelled first.
    ///   - completion: Called with the receiver when the time is over; should capture nothing.
    ///   - file: The file of the closure, for leak reports.
    ///   - line: The line of the closure.
    /// - Returns: A handle to cancel or replace the timer.
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

    /// Returns a Boolean value indicating whether the build that started this screen's coordinator knew a change.
    ///
    /// Call this method in the screen's view model. A coordinator calls its own `changed(_:)`.
    ///
    /// - Parameter change: One of `App.changes`.
    /// - Returns: True if that build knew the change. False also if the screen was not shown yet, or if it has left;
    ///   the latter adds a warning.
    public func changed(_ change: String) -> Bool {
        if let owner = shown?.owner { return owner.isKnown(change) }
        if let instance {
            instance.lateWarnings?.add(
                "the screen \"\(instance.name)\" was removed, so `changed` did nothing")
        }
        return false
    }

    /// Returns the screen and the coordinator with which work ends; if one of them is missing, warns and returns nil.
    ///
    /// A coordinator's work belongs to that coordinator. A view model's work belongs to the screen's coordinator.
    private func workplace(
        of receiver: AnyObject, for operation: String, replacing older: WorkHandle
    ) -> (screen: ScreenInstance, node: Node)? {
        guard let shown else {
            warnOfNothing(receiver, operation)
            return nil
        }
        let worker = receiver as? AnyCoordinator ?? shown.owner
        guard let node = worker?.workingNode(for: operation, replacing: older) else { return nil }
        // Objects of the older work may have removed the screen in their `deinit`.
        return shown.owner == nil ? nil : (shown, node)
    }

    /// Adds a warning that the handle has no shown screen.
    ///
    /// If the handle never had a screen, this is possible only for a receiver that is a coordinator.
    private func warnOfNothing(_ receiver: AnyObject, _ operation: String) {
        guard let instance else {
            let words = "`\(operation)` did nothing, because the handle has no screen; show the screen first"
            if let coordinator = receiver as? AnyCoordinator { coordinator.warn("\(type(of: receiver)): \(words)") }
            return
        }
        instance.lateWarnings?.add("the screen \"\(instance.name)\" was removed, so `\(operation)` did nothing")
    }
}

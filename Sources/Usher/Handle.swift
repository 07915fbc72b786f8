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
        shown.change(to: screen)
        tree.link.noteAction()
        tree.window.didUpdate(shown)
    }

    /// The instance while it is in a stack.
    var shown: TypedScreenInstance<S>? {
        guard let instance, instance.owner != nil else { return nil }
        return instance
    }
}

extension Handle {
    /// Begins an effect for a view model that is kept by this screen.
    ///
    /// It is cancelled, and its closure never called, when the screen leaves. For a screen that has left already it does
    /// nothing, with a warning; an alert has left when its event is handled.
    ///
    /// ```swift
    /// screen.perform(LoadNotes(), for: self) { viewModel, result in
    ///     viewModel.notes = (try? result.get()) ?? []
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - effect: The work.
    ///   - model: The view model. The engine holds it weakly for this.
    ///   - completion: What its result does; it is given the view model, and captures nothing.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    public func perform<E: Effect, Model: AnyObject>(
        _ effect: E, for model: Model, file: StaticString = #fileID, line: UInt = #line,
        _ completion: @escaping (Model, Result<E.Output, EffectFailure>) throws -> Void
    ) {
        guard let shown else {
            instance?.lateWarnings?.add("the screen \"\(S.name)\" has left: perform did nothing")
            return
        }
        guard let node = shown.owner?.workingNode(for: "perform") else { return }
        node.tree.pendingWork.begin(effect, by: node, with: shown, SourceLocation(file, line)) {
            [weak model] _, result in
            guard let model else { return }
            try completion(model, result)
        }
    }
}

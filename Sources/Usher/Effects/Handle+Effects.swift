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
    public func perform<E: Effect, Model: AnyObject>(
        _ effect: E, for model: Model, file: StaticString = #fileID, line: UInt = #line,
        _ completion: @escaping (Model, Result<E.Output, EffectFailure>) throws -> Void
    ) {
        guard let shown else {
            instance?.lateWarnings?.add("the screen \"\(S.name)\" has left: perform did nothing")
            return
        }
        guard let node = shown.owner?.workingNode(for: "perform") else { return }
        node.tree.begin(effect, by: node, with: shown, Origin(file, line)) { [weak model] _, result in
            guard let model else { return }
            try completion(model, result)
        }
    }
}

extension Tree {
    /// Tells the closure of an effect its result.
    ///
    /// - Returns: Whether the effect was pending.
    func arrive(_ id: EffectID, _ outcome: EffectOutcome) -> Bool {
        guard let work = takeWork(id, where: { !$0.isTimer }) else { return false }
        run(with: work.screen) {
            guard case .effect(let completion) = work.completion else { return }
            try completion(work.node.coordinator, outcome, secrets)
        }
        return true
    }

    /// Tells the closure of a timer that it is time.
    ///
    /// - Returns: Whether the timer was pending.
    func fire(_ id: EffectID) -> Bool {
        guard let work = takeWork(id, where: \.isTimer) else { return false }
        run(with: work.screen) {
            guard case .timer(let completion) = work.completion else { return }
            try completion(work.node.coordinator)
        }
        return true
    }

    /// Takes away work whose closure has failed: nobody is told.
    ///
    /// - Returns: Whether it was pending.
    func refuse(_ id: EffectID, reason: String) -> Bool {
        guard let work = takeWork(id) else { return false }
        run {
            let what = work.isTimer ? work.description : "the result of \(work.description)"
            warnings.add("\(work.node.path): \(what) was refused: \(reason)")
        }
        return true
    }
}

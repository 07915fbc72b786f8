/// A tree that is built from inputs in memory, outside of a session, for tests, exports and isolated runs.
///
/// If an input breaks the tree, the tree is built again without this input. If only a link was the cause, the new tree
/// tries the input again with another handling of the link.
package struct Rehearsal {
    /// An accepted input or a resumption, with the ids that were free before this step.
    package struct Step {
        /// The input with the finally used handling of the link; nil for a resumption.
        package let input: Input?
        /// The resumption with its time; nil for an input.
        fileprivate let resumption: (content: Resumption, time: Timestamp)?
        /// The ids that were free before the step.
        package let identifiers: NextIdentifiers

        /// Repeats the step, and returns whether it is accepted again.
        fileprivate func repeated(on tree: Tree) throws(Rejection) -> Bool {
            if let input { return try tree.handle(input) }
            if let resumption { try tree.resume(resumption.content, at: resumption.time) }
            return true
        }
    }

    /// The tree after the inputs.
    package private(set) var tree: Tree
    /// The accepted inputs, and the resumptions, in order.
    package private(set) var steps: [Step] = []
    private let open: (LinkHandling) throws -> Tree
    private let linkHandling: LinkHandling

    /// Opens the tree.
    ///
    /// - Parameter open: Builds the tree at revision 1. Called again for each rollback and replay.
    /// - Throws: The errors of `open`.
    package init(_ open: @escaping (LinkHandling) throws -> Tree) throws {
        self.open = open
        (tree, linkHandling) = try LinkHandling.opening(open)
    }

    /// Handles an input.
    ///
    /// - Returns: Whether the input was accepted; false if the input is a fact that the tree already knows.
    /// - Throws: `Rejection`. The tree is then unchanged, but the ids of the input's new screens are not reused.
    package mutating func handle(_ input: Input) throws(Rejection) -> Bool {
        var attempt = input
        while true {
            let identifiers = tree.identifiers
            do throws(Rejection) {
                guard try tree.handle(attempt) else { return false }
                steps.append(Step(input: attempt, resumption: nil, identifiers: identifiers))
                return true
            } catch {
                if tree.isBroken { try rollBack() }
                guard let next = error.retry(of: attempt) else { throw error }
                attempt = next
            }
        }
    }

    /// Reports a resumption to the root coordinator, as if a build had dropped inputs.
    ///
    /// - Throws: `Rejection` if the root coordinator refuses. The tree is then unchanged, but the ids are not reused.
    package mutating func resume(_ resumption: Resumption, at time: Timestamp) throws(Rejection) {
        let identifiers = tree.identifiers
        do throws(Rejection) { try tree.resume(resumption, at: time) } catch {
            try rollBack()
            throw error
        }
        steps.append(Step(input: nil, resumption: (resumption, time), identifiers: identifiers))
    }

    /// Handles all inputs again on a new tree.
    ///
    /// - Parameter check: Called with the new tree after the opening and after each input. The other arguments are the
    ///   number of inputs so far, and whether the tree has accepted the last input again. Returns whether to continue.
    /// - Returns: The new tree.
    /// - Throws: The errors of `check` and of the opening; `Rejection` for an input that is now rejected.
    @discardableResult
    package func replay(
        _ check: (_ tree: Tree, _ count: Int, _ counted: Bool) throws -> Bool = { _, _, _ in true }
    ) throws -> Tree {
        let twin = try open(linkHandling)
        guard try check(twin, 0, true) else { return twin }
        for (index, step) in steps.enumerated() {
            twin.advance(to: step.identifiers)
            guard try check(twin, index + 1, try step.repeated(on: twin)) else { break }
        }
        return twin
    }

    /// Replaces a broken tree by a new tree in the state before the input, without reusing the ids of the input.
    private mutating func rollBack() throws(Rejection) {
        do {
            let rebuilt = try replay()
            // A broken tree was not searched for leaks after the input, so its leaks are those from before the input.
            rebuilt.succeed(identifiers: tree.identifiers, leaks: tree.leaks, count: tree.coordinatorCounts.leaked)
            tree = rebuilt
        } catch {
            throw Rejection(.failed, "the session cannot be replayed", cause: "\(error)")
        }
    }
}

extension Tree {
    fileprivate func resume(_ resumption: Resumption, at time: Timestamp) throws(Rejection) {
        try resume(at: revision + 1, identifiers: identifiers, as: resumption, time: time)
    }
}

extension Rejection {
    /// Returns the input to try next, with another handling of the link; nil if a link was not the only cause.
    package func retry(of input: Input) -> Input? {
        retry.map { input.handling(link: $0) }
    }
}

extension LinkHandling {
    /// Opens a session for the first time, and returns the result of `open` and the used handling of the link.
    ///
    /// If the link cannot be followed to its end, it waits instead.
    ///
    /// - Throws: The errors of `open`.
    package static func opening<Opened>(
        _ open: (LinkHandling) throws -> Opened
    ) throws -> (opened: Opened, handling: LinkHandling) {
        do {
            return (try open(.follow), .follow)
        } catch let rejection as Rejection {
            guard let retry = rejection.retry else { throw rejection }
            return (try open(retry), retry)
        }
    }
}

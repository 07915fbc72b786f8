/// A tree that was built from inputs in memory, beside any session's, and can be built again from them: for tests,
/// exports and isolated runs.
///
/// An input that breaks the tree is rolled back by building it again, and tried again where only a link was at fault.
package struct Rehearsal {
    /// An input that counted, or a resumption, with the ids that were free before.
    package struct Step {
        /// The input, as it was handled at last; nil for a resumption.
        package let input: Input?
        /// The resumption, with its time; nil for an input.
        fileprivate let resumption: (content: Resumption, time: Timestamp)?
        /// The ids that were free before it.
        package let identifiers: NextIdentifiers

        /// Does it again.
        ///
        /// - Returns: Whether it counts.
        fileprivate func repeated(on tree: Tree) throws(Rejection) -> Bool {
            if let input { return try tree.handle(input) }
            if let resumption { try tree.resume(resumption.content, at: resumption.time) }
            return true
        }
    }

    /// The tree as the inputs have left it.
    package private(set) var tree: Tree
    /// The inputs that counted, and the resumptions, in order.
    package private(set) var steps: [Step] = []
    private let open: (LinkHandling) throws -> Tree
    private let linkHandling: LinkHandling

    /// Opens the tree.
    ///
    /// - Parameter open: Builds the tree at revision 1; is called again for each rollback and replay.
    /// - Throws: What `open` throws.
    package init(_ open: @escaping (LinkHandling) throws -> Tree) throws {
        self.open = open
        (tree, linkHandling) = try LinkHandling.opening(open)
    }

    /// Handles an input.
    ///
    /// - Returns: Whether it counted; false for a fact that was known already.
    /// - Throws: `Rejection`; the tree is as it was before, but for the ids that the input has spent.
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

    /// Tells the root coordinator of a resumption, as if a build had dropped inputs before the next.
    ///
    /// - Throws: `Rejection` if it cannot be told; the tree is as it was before, but for the ids that it has spent.
    package mutating func resume(_ resumption: Resumption, at time: Timestamp) throws(Rejection) {
        let identifiers = tree.identifiers
        do throws(Rejection) { try tree.resume(resumption, at: time) } catch {
            try rollBack()
            throw error
        }
        steps.append(Step(input: nil, resumption: (resumption, time), identifiers: identifiers))
    }

    /// Handles all inputs again, on a tree of its own.
    ///
    /// - Parameter check: Is given the tree after its opening, and after each input, with the number of inputs so far and
    ///   whether the last one counted again; returns whether to go on.
    /// - Returns: That tree.
    /// - Throws: What `check` throws; `Rejection` for an input that does not count again, or what the opening throws.
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

    /// Drops a tree that an input broke, and builds it as it was before; ids that were spent stay spent.
    private mutating func rollBack() throws(Rejection) {
        do {
            let rebuilt = try replay()
            // An input that breaks a tree is not judged: its leaks are those of before.
            rebuilt.succeed(identifiers: tree.identifiers, leaks: tree.leaks, count: tree.coordinatorCounts.leaked)
            tree = rebuilt
        } catch {
            throw Rejection(.failed, "the session cannot be replayed", cause: "\(error)")
        }
    }
}

extension Tree {
    /// Resumes at the next revision.
    fileprivate func resume(_ resumption: Resumption, at time: Timestamp) throws(Rejection) {
        try resume(at: revision + 1, identifiers: identifiers, as: resumption, time: time)
    }
}

extension Rejection {
    /// The input as it is to be tried next, on a tree as it was before, where only a link was at fault; nil where the
    /// input itself was.
    ///
    /// - Parameter input: The input that was rejected.
    package func retry(of input: Input) -> Input? {
        retry.map { input.handling(link: $0) }
    }
}

extension LinkHandling {
    /// Opens a session for the first time: a link that would get only half-way is left waiting instead.
    ///
    /// - Parameter open: Opens it.
    /// - Returns: What was opened, and what was done with the link.
    /// - Throws: What `open` throws.
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

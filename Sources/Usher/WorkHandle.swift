/// A coordinator's weak reference to an effect or a timer, to cancel or to replace it.
///
/// A handle keeps nothing alive. When the work is over, the engine releases the effect and the closure.
///
/// ```swift
/// private var search = WorkHandle()
///
/// func search(for text: String) {
///     search = perform(Search(text: text), replacing: search) { me, result in me.show(result) }
/// }
/// ```
public struct WorkHandle {
    private let work: PendingWork?

    /// Creates a handle without work, as the initial value of a property.
    public init() {
        work = nil
    }

    init(_ work: PendingWork?) {
        self.work = work
    }

    /// A Boolean value indicating whether the work has begun, is not over, and was not cancelled.
    public var isPending: Bool { work?.isPending ?? false }

    /// Cancels the work, so that its closure is never called.
    ///
    /// If an effect is running, its task is cancelled: the effect should end soon, and its result is ignored. If the
    /// work is over, the call does nothing.
    public func cancel() {
        guard let work, work.isPending else { return }
        let tree = work.node.tree
        guard !tree.transaction.isEncoding else {
            return tree.warnings.add("\(work.description): `cancel` did nothing, because a screen was being encoded")
        }
        tree.noteAction()
        tree.pendingWork.discard { $0 === work }
    }
}

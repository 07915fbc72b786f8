/// A coordinator's hold on an effect or a timer, to cancel it or to replace it with a newer one.
///
/// To keep one keeps nothing alive: work that is over lets go of its effect and its closure.
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

    /// Makes a hold on nothing, for a property until its work begins.
    public init() {
        work = nil
    }

    init(_ work: PendingWork?) {
        self.work = work
    }

    /// A Boolean value indicating whether the work has begun and is not over: its closure has not been called, and it has
    /// not been cancelled.
    public var isPending: Bool { work?.isPending ?? false }

    /// Cancels the work: its closure is never called.
    ///
    /// An effect that is running is cancelled, too, as a task is: the effect should then end soon, and its result is ignored.
    /// Work that is over is not changed.
    public func cancel() {
        guard let work, work.isPending else { return }
        let tree = work.node.tree
        guard !tree.transaction.isEncoding else {
            return tree.warnings.add("\(work.description): cancel while a screen is encoded did nothing")
        }
        tree.noteAction()
        tree.pendingWork.discard { $0 === work }
    }
}

package import UsherReflection

/// A coordinator or view model that was still in memory when it should have been deallocated.
package struct Leak: Equatable, Sendable {
    /// The object's type, such as `LoginCoordinator`.
    package let type: String
    /// The path of the coordinator when it left; for a view model, the path of its screen's coordinator.
    package let coordinator: String
    /// The revision of the input after which the object should have been deallocated.
    ///
    /// In that input, the object left its tree, or the last work that could retain the object ended.
    package let revision: Int
    /// The input, such as `back` or `event close`.
    package let input: String
    /// The retainer, if it was found: the path of a stored property, or a closure with its file and line.
    package fileprivate(set) var holder: String?
}

/// A view model that may stay in memory after its screen has left, and that reports its deallocation.
package protocol LastingViewModel: AnyObject {
    /// The object to which the view model reports its deallocation, in `deinit`.
    var life: ObjectLife { get }

    /// A Boolean value indicating whether the app keeps the view model on purpose.
    ///
    /// The engine reads the value at the end of the input in which the screen left, and at the end of each later input.
    var isKeptOnPurpose: Bool { get }
}

/// A coordinator or view model that has left its tree and must be deallocated by the end of the input.
struct LeakCandidate {
    private enum Target {
        case reporting(ObjectLife)
        case other(WeakReference)
    }

    /// A weak reference; a class, because copying a weak reference costs more than counting a reference.
    private final class WeakReference {
        private(set) weak var object: AnyObject?

        init(_ object: AnyObject) { self.object = object }
    }

    private let target: Target
    private let path: String

    init(_ coordinator: AnyCoordinator, path: String) {
        target = .reporting(coordinator.life)
        self.path = path
    }

    init(viewModel: AnyObject, path: String) {
        if let life = (viewModel as? any LastingViewModel)?.life {
            target = .reporting(life)
        } else {
            target = .other(WeakReference(viewModel))
        }
        self.path = path
    }

    var object: AnyObject? {
        switch target {
        case .reporting(let life): life.object
        case .other(let reference): reference.object
        }
    }

    var isAlive: Bool {
        switch target {
        case .reporting(let life): !life.isOver
        case .other(let reference): reference.object != nil
        }
    }

    fileprivate func leak(revision: Int, input: String) -> Leak? {
        guard let object else { return nil }
        return Leak(
            type: String(describing: type(of: object)), coordinator: path, revision: revision, input: input)
    }
}

/// A coordinator or view model that has left its tree, and that pending work may retain until the work ends.
private struct ExcusedLeak {
    let candidate: LeakCandidate
    /// The newest work that may retain the object.
    private var excuse: EffectID
    /// The number of times that newer work may still excuse the object: a task may wait for several results in turn,
    /// but an endless task must not excuse the object forever.
    private var patience = 8

    init(_ candidate: LeakCandidate, by excuse: EffectID) {
        self.candidate = candidate
        self.excuse = excuse
    }

    mutating func isExcused(by work: PendingWorkList) -> Bool {
        if work.newestExcuse(upTo: excuse) != nil { return true }
        guard patience > 0, let newest = work.newestExcuse() else { return false }
        (excuse, patience) = (newest, patience - 1)
        return true
    }
}

/// A tree's leaks, and the objects that must be deallocated by the end of the input.
///
/// The state is accessed without exclusivity checks, because no app code runs during a change.
final class LeakLedger {
    /// The leaks so far, up to a limit.
    @safe @exclusivity(unchecked) private(set) var leaks: [Leak] = []
    /// The objects that the last input leaked.
    @safe @exclusivity(unchecked) private(set) var survivors = SmallArray<LeakCandidate>()
    /// The objects that left their tree in this input.
    @safe @exclusivity(unchecked) private var candidates = SmallArray<LeakCandidate>()
    /// The objects that have left their tree, but that pending work may retain.
    @safe @exclusivity(unchecked) private var excused: [ExcusedLeak] = []
    /// The objects that have left, but that the app keeps on purpose; checked again at the end of the next input.
    @safe @exclusivity(unchecked) private var kept: [LeakCandidate] = []

    /// The maximum number of leaks that are listed for a session.
    private static let limit = 64

    /// Expects a leaving coordinator or view model to be deallocated by the end of the input.
    func expect(_ candidate: LeakCandidate) {
        candidates.append(candidate)
    }

    func forgetCandidates() {
        candidates.removeAll()
    }

    /// Finds the objects that should have been deallocated by the end of an input; returns whether any is alive.
    ///
    /// A remaining screen may use a view model that left with another screen. Pending work may retain an object until
    /// the work ends.
    func judge(in window: Window, _ work: PendingWorkList) -> Bool {
        if !survivors.isEmpty { survivors.removeAll() }
        if !candidates.isEmpty {
            candidates.visit { if $0.isAlive { survivors.append($0) } }
            forgetCandidates()
        }
        guard !survivors.isEmpty || !excused.isEmpty || !kept.isEmpty else { return false }
        for candidate in kept where candidate.isAlive { survivors.append(candidate) }
        kept = []
        excuse(by: work)
        disregardKept(in: window)
        return !survivors.isEmpty
    }

    /// Records the living objects as leaks, and returns their number.
    func record(revision: Int, after input: String) -> Int {
        let found = survivors.compactMap { $0.leak(revision: revision, input: input) }
        // All leaks are counted, but the list is limited, because every answer contains the list.
        leaks += found.prefix(max(0, Self.limit - leaks.count))
        return found.count
    }

    /// Takes over the leaks of a tree that was dropped.
    func succeed(_ leaks: [Leak]) {
        self.leaks = leaks
    }

    func note(holder: String, ofLeaksLike leak: Leak) {
        for index in leaks.indices where leaks[index].type == leak.type && leaks[index].input == leak.input {
            leaks[index].holder = leaks[index].holder ?? holder
        }
    }

    private func excuse(by work: PendingWorkList) {
        var known = excused.filter(\.candidate.isAlive)
        excused = []
        if let newest = work.newestExcuse() {
            excused = survivors.map { ExcusedLeak($0, by: newest) }
            survivors.removeAll()
        }
        for index in known.indices {
            if known[index].isExcused(by: work) {
                excused.append(known[index])
            } else {
                survivors.append(known[index].candidate)
            }
        }
    }

    /// Removes survivors that are listed twice, that a remaining screen uses, or that are kept on purpose.
    private func disregardKept(in window: Window) {
        var known = Set(window.screens.compactMap(\.kept).map { ObjectIdentifier($0) })
        survivors = survivors.filter { candidate in
            guard let object = candidate.object, known.insert(ObjectIdentifier(object)).inserted else { return false }
            guard (object as? any LastingViewModel)?.isKeptOnPurpose == true else { return true }
            kept.append(candidate)
            return false
        }
    }
}

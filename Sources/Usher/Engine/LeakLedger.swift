/// A coordinator or view model that was still in memory at the end of the input in which it left.
package struct Leak: Equatable, Sendable {
    /// Its type, such as `LoginCoordinator`.
    package let type: String
    /// The path of names of the coordinator when it left; of the one that kept it, for a view model.
    package let coordinator: String
    /// The revision of the input at whose end it had to be dead: in which it left, or the last work ended that might hold it.
    package let revision: Int
    /// The input, such as `back` or `event close`.
    package let input: String
    /// Its retainer, once that has been looked into: a stored property's path, or a closure by its file and line.
    package fileprivate(set) var holder: String?
}

/// A view model that may go on where its screen has left.
package protocol LastingViewModel: AnyObject {
    /// True as long as it is kept on purpose: asked at the end of each input from that on in which its screen has left.
    var isKeptOnPurpose: Bool { get }
}

/// A coordinator or view model that has left its tree and must be dead at the end of the input.
///
/// An object itself, for to copy a weak reference costs more than to count it.
final class LeakCandidate {
    private(set) weak var object: AnyObject?
    private let path: String

    init(_ object: AnyObject, path: String) {
        self.object = object
        self.path = path
    }

    var isAlive: Bool { object != nil }

    /// The leak, if it is still alive.
    fileprivate func leak(revision: Int, input: String) -> Leak? {
        guard let object else { return nil }
        return Leak(
            type: String(describing: type(of: object)), coordinator: path, revision: revision, input: input)
    }
}

/// A coordinator or view model that has left, and may be held by work that lets go of it when it is done.
private struct ExcusedLeak {
    let candidate: LeakCandidate
    /// The newest work that may hold it.
    private var excuse: EffectID
    /// The number of times that work is waited for which began meanwhile, as a task waits for one thing after the other;
    /// one that goes on for ever is none to wait for.
    private var patience = 8

    init(_ candidate: LeakCandidate, by excuse: EffectID) {
        self.candidate = candidate
        self.excuse = excuse
    }

    /// True as long as work is pending that may hold it.
    mutating func isExcused(by work: PendingWorkList) -> Bool {
        if work.newestExcuse(upTo: excuse) != nil { return true }
        guard patience > 0, let newest = work.newestExcuse() else { return false }
        (excuse, patience) = (newest, patience - 1)
        return true
    }
}

/// A tree's account of leaks: what has to be dead at the end of an input, and what was not.
///
/// Its state is accessed without checks for exclusivity: no author's code runs in the midst of a change.
final class LeakLedger {
    /// All leaks so far, up to a limit.
    @safe @exclusivity(unchecked) private(set) var leaks: [Leak] = []
    /// The leaks of the last input.
    @safe @exclusivity(unchecked) private(set) var survivors = SmallArray<LeakCandidate>()
    /// All that left in this input.
    @safe @exclusivity(unchecked) private var candidates = SmallArray<LeakCandidate>()
    /// All that has left and may be held by work that is not done.
    @safe @exclusivity(unchecked) private var excused: [ExcusedLeak] = []
    /// All that has left and is kept on purpose: judged when it is no longer.
    @safe @exclusivity(unchecked) private var kept: [LeakCandidate] = []

    /// Leaks of a session that are told one by one.
    private static let limit = 64

    /// Expects an object that leaves to be dead at the end of the input.
    ///
    /// - Parameter path: The path of its coordinator.
    func expect(_ object: AnyObject, path: String) {
        candidates.append(LeakCandidate(object, path: path))
    }

    func forgetCandidates() {
        candidates.removeAll()
    }

    /// The leak verdict at the end of an input.
    ///
    /// - Parameters:
    ///   - window: The screens that are still there, some of which may keep what left with another.
    ///   - work: The pending work, some of which may hold what has left until it is done.
    /// - Returns: Whether something is alive that must be dead.
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

    /// Records what is alive as leaks.
    ///
    /// - Parameters:
    ///   - revision: The revision of the input.
    ///   - input: The input's summary.
    /// - Returns: How many leaks there are.
    func record(revision: Int, after input: String) -> Int {
        let found = survivors.compactMap { $0.leak(revision: revision, input: input) }
        // All are counted; the list is in every answer, and must not grow for ever.
        leaks += found.prefix(max(0, Self.limit - leaks.count))
        return found.count
    }

    /// Takes over what a tree that was dropped knew of its leaks.
    func succeed(_ leaks: [Leak]) {
        self.leaks = leaks
    }

    /// Notes who holds the leaks of a type that inputs of a kind have left, where that is not known yet.
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

    /// A view model may go with one screen and stay with another, go with two at once, or be kept on purpose.
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

/// A coordinator or view model that was still in memory at the end of the input in which it left.
package struct Leak: Equatable, Sendable {
    /// Its type, such as `LoginCoordinator`.
    package let type: String
    /// The path of names of the coordinator when it left; of the one that kept it, for a view model.
    package let coordinator: String
    /// The revision of the input in which it left.
    package let revision: Int
    /// The input, such as `back` or `event close`.
    package let input: String
    /// Its retainer, once that has been looked into: a stored property's path, or a closure by its file and line.
    package fileprivate(set) var holder: String?
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

/// A tree's account of leaks: what has to be dead at the end of an input, and what was not.
final class LeakLedger {
    /// All leaks so far, up to a limit.
    private(set) var leaks: [Leak] = []
    /// The leaks of the last input.
    private(set) var survivors = SmallArray<LeakCandidate>()
    /// All that left in this input.
    private var candidates = SmallArray<LeakCandidate>()

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
    /// - Parameter window: The screens that are still there, some of which may keep what left with another.
    /// - Returns: Whether something is alive that must be dead.
    func judge(in window: Window) -> Bool {
        survivors = candidates.filter(\.isAlive)
        forgetCandidates()
        guard !survivors.isEmpty else { return false }
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

    /// A view model may go with one screen and stay with another, or go with two at once.
    private func disregardKept(in window: Window) {
        var known = Set(window.screens.compactMap(\.kept).map { ObjectIdentifier($0) })
        survivors = survivors.filter { candidate in
            candidate.object.map { known.insert(ObjectIdentifier($0)).inserted } ?? false
        }
    }
}

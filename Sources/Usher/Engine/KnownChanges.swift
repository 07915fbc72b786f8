/// Which of an app's changes each coordinator of a tree knows: those in `App.changes` of the build that started it.
///
/// An object, because most apps have none.
///
/// Its state is accessed without checks for exclusivity: no author's code runs in the midst of a change.
final class KnownChanges {
    /// The changes that this build knows, sorted.
    let declared: [String]
    /// The changes that a build knew, and the lowest id that it could give to a coordinator; in the order of the ids.
    @safe @exclusivity(unchecked) private var spans: [(first: Int, changes: [String])] = []
    /// The changes for which `changed(_:)` returned false.
    @safe @exclusivity(unchecked) private(set) var missed: Set<String> = []

    init(declared: [String]) {
        self.declared = declared
    }

    /// Creates the changes of a tree that is about to be opened.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - opening: The changes that the build knew which opened the session; nil for this build.
    /// - Returns: Nil if there are none.
    static func of(_ app: any App.Type, opening: [String]?) -> KnownChanges? {
        let names = app.changes
        let known = KnownChanges(declared: names.isEmpty ? [] : Set(names).sorted())
        known.begin(opening ?? known.declared, at: 0)
        return known.declared.isEmpty && known.spans.isEmpty ? nil : known
    }

    /// Notes that coordinators with an id or a higher one are started by a build that knows some changes.
    func begin(_ changes: [String], at first: Int) {
        if spans.last?.first == first { spans.removeLast() }
        if (spans.last?.changes ?? []) != changes { spans.append((first, changes)) }
    }

    /// Returns a Boolean value indicating whether a coordinator was started by a build that knew a change.
    func isKnown(_ change: String, to coordinator: Int) -> Bool {
        spans.last { $0.first <= coordinator }?.changes.contains(change) ?? false
    }

    /// Returns a Boolean value indicating whether the build that started a coordinator knew a change that this build does not.
    func isForeign(_ coordinator: Int) -> Bool {
        spans.last { $0.first <= coordinator }?.changes.contains { !declared.contains($0) } ?? false
    }

    func noteMissed(_ change: String) { missed.insert(change) }
}

extension Tree {
    /// The changes that this build knows, as its entries record them.
    package var declaredChanges: [String] { knownChanges?.declared ?? [] }

    /// Notes that another build handled the inputs from here on.
    ///
    /// - Parameter changes: The changes that it knew; nil for this build.
    package func follow(buildKnowing changes: [String]?) {
        let changes = changes ?? declaredChanges
        if knownChanges == nil, !changes.isEmpty { knownChanges = KnownChanges(declared: []) }
        knownChanges?.begin(changes, at: identifiers.coordinator)
    }

    /// Returns a Boolean value indicating whether a coordinator was started by a build that knew a change.
    func isKnown(_ change: String, to node: Node) -> Bool {
        if !declaredChanges.contains(change) {
            warnings.add(
                "\(type(of: node.coordinator)): the app has no change \"\(change)\"; add the name to App.changes")
        }
        let isKnown = knownChanges?.isKnown(change, to: node.id) ?? false
        if !isKnown { knownChanges?.noteMissed(change) }
        return isKnown
    }

    /// A Boolean value indicating whether a live coordinator was started by a build that knew a change which this build does not:
    /// this build would take the former way in it.
    package var hasForeignChanges: Bool {
        guard let knownChanges else { return false }
        return hierarchy.nodes.contains { knownChanges.isForeign($0.id) }
    }

    /// What the session needs of the code before each of this build's changes.
    package var changeNeeds: [ChangeNeed] {
        guard let knownChanges else { return [] }
        let nodes = hierarchy.nodes.reversed()
        return knownChanges.declared.map { change in
            ChangeNeed(
                change: change, unaware: nodes.filter { !knownChanges.isKnown(change, to: $0.id) }.map(\.path),
                isMissed: knownChanges.missed.contains(change))
        }
    }
}

/// What a session needs of an app's code before a change.
package struct ChangeNeed: Codable, Equatable, Sendable {
    /// The name of the change.
    package let change: String
    /// The paths of the live coordinators that do not know the change, the root's first.
    package let unaware: [String]
    /// A Boolean value indicating whether a coordinator, live or ended, asked for the change and did not know it.
    ///
    /// A replay of the session then goes through the code before the change.
    package let isMissed: Bool

    /// Creates a need.
    package init(change: String, unaware: [String], isMissed: Bool) {
        (self.change, self.unaware, self.isMissed) = (change, unaware, isMissed)
    }
}

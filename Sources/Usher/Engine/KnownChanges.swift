/// The names in `App.changes` that each coordinator of a tree knows, because the build that started it knew them.
///
/// A class, to save memory, because most apps have no changes. Its state is accessed without exclusivity checks,
/// because no author's code runs during a change.
final class KnownChanges {
    /// The changes that this build knows, sorted.
    let declared: [String]
    /// For each build, the lowest id of the coordinators that it started, and the changes that it knew; ordered by id.
    @safe @exclusivity(unchecked) private var spans: [(first: Int, changes: [String])] = []
    /// The changes for which `changed(_:)` returned false.
    @safe @exclusivity(unchecked) private(set) var missed: Set<String> = []

    init(declared: [String]) {
        self.declared = declared
    }

    /// Returns the changes for a tree that is about to be opened; nil if there are none.
    ///
    /// - Parameter opening: The changes known to the build that opened the session; nil for this build.
    static func of(_ app: any App.Type, opening: [String]?) -> KnownChanges? {
        let names = app.changes
        let known = KnownChanges(declared: names.isEmpty ? [] : Set(names).sorted())
        known.begin(opening ?? known.declared, at: 0)
        return known.declared.isEmpty && known.spans.isEmpty ? nil : known
    }

    /// Records that a build with these changes starts all coordinators with the id `first` or a higher one.
    func begin(_ changes: [String], at first: Int) {
        if spans.last?.first == first { spans.removeLast() }
        if (spans.last?.changes ?? []) != changes { spans.append((first, changes)) }
    }

    /// Returns whether the build that started a coordinator knew a change.
    func isKnown(_ change: String, to coordinator: Int) -> Bool {
        spans.last { $0.first <= coordinator }?.changes.contains(change) ?? false
    }

    /// Returns whether the build that started a coordinator knew a change that this build does not know.
    func isForeign(_ coordinator: Int) -> Bool {
        spans.last { $0.first <= coordinator }?.changes.contains { !declared.contains($0) } ?? false
    }

    func noteMissed(_ change: String) { missed.insert(change) }
}

extension Tree {
    /// The changes that this build knows, as its entries in the journal record them.
    package var declaredChanges: [String] { knownChanges?.declared ?? [] }

    /// Records that another build handled the inputs from here on.
    ///
    /// - Parameter changes: The changes known to that build; nil for this build.
    package func follow(buildKnowing changes: [String]?) {
        let changes = changes ?? declaredChanges
        if knownChanges == nil, !changes.isEmpty { knownChanges = KnownChanges(declared: []) }
        knownChanges?.begin(changes, at: identifiers.coordinator)
    }

    /// Returns whether the build that started a coordinator knew a change, and warns if the app has no such change.
    func isKnown(_ change: String, to node: Node) -> Bool {
        if !declaredChanges.contains(change) {
            warnings.add(
                "\(type(of: node.coordinator)): the app has no change \"\(change)\"; add the name to App.changes")
        }
        let isKnown = knownChanges?.isKnown(change, to: node.id) ?? false
        if !isKnown { knownChanges?.noteMissed(change) }
        return isKnown
    }

    /// A Boolean value indicating whether a live coordinator knows a change that this build does not know.
    ///
    /// This build would use the old way in that coordinator.
    package var hasForeignChanges: Bool {
        guard let knownChanges else { return false }
        return hierarchy.nodes.contains { knownChanges.isForeign($0.id) }
    }

    /// For each of this build's changes, whether the session still needs the code from before the change.
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

/// Whether a session still needs the code from before a change, and why.
package struct ChangeNeed: Codable, Equatable, Sendable {
    /// The name of the change.
    package let change: String
    /// The paths of the live coordinators that do not know the change, the root first.
    package let unaware: [String]
    /// A Boolean value indicating whether a coordinator, live or ended, queried the change and did not know it.
    ///
    /// A replay of the session then runs the code before the change.
    package let isMissed: Bool

    package init(change: String, unaware: [String], isMissed: Bool) {
        (self.change, self.unaware, self.isMissed) = (change, unaware, isMissed)
    }
}

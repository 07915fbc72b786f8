/// The changes that each coordinator of a tree knows: those in `App.changes` of the build that started the coordinator.
///
/// The type is a class, to save memory, because most apps have no changes. The state is accessed without exclusivity
/// checks, because no app code runs during a mutation.
final class KnownChanges {
    /// The changes that this build knows, sorted.
    let declared: [String]
    /// For each build, in order: the lowest id of the coordinators that it started, and the changes that it knew.
    @safe @exclusivity(unchecked) private var spans: [(first: Int, changes: [String])] = []
    /// The changes for which `changed(_:)` has returned false.
    @safe @exclusivity(unchecked) private(set) var missed: Set<String> = []

    init(declared: [String]) {
        self.declared = declared
    }

    /// Returns the changes for a tree that is about to be opened; nil if there are no changes.
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
    /// The changes that this build knows, in the form for entries in the journal.
    package var declaredChanges: [String] { knownChanges?.declared ?? [] }

    /// Records that another build handled the following inputs.
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
    /// For such a change, this build has no code, and would use the old way.
    package var hasForeignChanges: Bool {
        guard let knownChanges else { return false }
        return hierarchy.nodes.contains { knownChanges.isForeign($0.id) }
    }

    /// For each of this build's changes, the answer to whether the session still needs the code from before the change.
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

/// Data that shows whether a session still needs the code from before a change, and why.
package struct ChangeNeed: Codable, Equatable, Sendable {
    /// The name of the change.
    package let change: String
    /// The paths of the live coordinators that do not know the change, the root first.
    package let unaware: [String]
    /// A Boolean value indicating whether a coordinator, live or ended, has queried the change and got false.
    ///
    /// If so, a replay of the session runs the code from before the change.
    package let isMissed: Bool

    package init(change: String, unaware: [String], isMissed: Bool) {
        (self.change, self.unaware, self.isMissed) = (change, unaware, isMissed)
    }
}

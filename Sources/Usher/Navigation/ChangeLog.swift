/// The changes of one input, in order, with neighbours of a kind put together.
struct ChangeLog {
    private(set) var changes: [Change] = []
    /// The navigation that was emptied by a `replace` and has not got a screen yet.
    private var replaced: ObjectIdentifier?

    mutating func push(_ id: Int, on navigation: Navigation) {
        defer { replaced = nil }
        switch changes.last {
        case .replace(let out, in: []) where replaced == ObjectIdentifier(navigation):
            changes[changes.count - 1] = .replace(out: out, in: [id])
        case .push(let ids):
            changes[changes.count - 1] = .push(ids + [id])
        default:
            changes.append(.push([id]))
        }
    }

    mutating func pop(_ ids: [Int]) {
        guard !ids.isEmpty else { return }
        guard case .pop(let earlier) = changes.last else { return changes.append(.pop(ids)) }
        changes[changes.count - 1] = .pop(earlier + ids)
    }

    mutating func remove(_ ids: [Int]) {
        guard !ids.isEmpty else { return }
        changes.append(.remove(ids))
    }

    /// Notes that a screen's state changed, unless a change of this input already brings the whole screen.
    mutating func update(_ id: Int) {
        guard !changes.contains(where: { $0.brings(id) }) else { return }
        guard case .update(let ids) = changes.last else { return changes.append(.update([id])) }
        changes[changes.count - 1] = .update(ids + [id])
    }

    mutating func replace(_ ids: [Int], on navigation: Navigation) {
        changes.append(.replace(out: ids, in: []))
        replaced = ObjectIdentifier(navigation)
    }
}

extension Change {
    /// Whether a client that applies this change has the screen's newest state.
    fileprivate func brings(_ id: Int) -> Bool {
        switch self {
        case .push(let ids), .update(let ids), .replace(_, let ids): ids.contains(id)
        case .pop, .remove: false
        }
    }
}

/// The changes of one input, in order, with neighbours of a kind put together.
struct ChangeLog {
    private(set) var changes = Few<WindowChange>()
    /// The navigation that was emptied by a `replace` and has not got a screen yet.
    private var replaced: Navigation?

    /// Notes a screen that came on a stack: by a push, as the first of a modal, or in place of others.
    mutating func show(_ id: Int, on navigation: Navigation) {
        defer { replaced = nil }
        if case .replace(let out, in: []) = changes.last, replaced === navigation {
            changes[changes.count - 1] = .replace(out: out, in: Few(id))
        } else if navigation.presenter != nil, navigation.screens.count == 1 {
            changes.append(.present(Few(id)))
        } else if case .push(let ids) = changes.last {
            changes[changes.count - 1] = .push(ids + [id])
        } else {
            changes.append(.push(Few(id)))
        }
    }

    mutating func pop(_ ids: Few<Int>) {
        guard !ids.isEmpty else { return }
        guard case .pop(let earlier) = changes.last else { return changes.append(.pop(ids)) }
        changes[changes.count - 1] = .pop(earlier + ids)
    }

    mutating func remove(_ ids: Few<Int>) {
        if !ids.isEmpty { changes.append(.remove(ids)) }
    }

    mutating func dismiss(_ ids: Few<Int>) {
        if !ids.isEmpty { changes.append(.dismiss(ids)) }
    }

    mutating func select(_ tab: String) {
        changes.append(.select(tab))
    }

    /// Notes that a screen's state changed, unless a change of this input already brings the whole screen.
    mutating func update(_ id: Int) {
        guard !changes.contains(where: { $0.brings(id) }) else { return }
        guard case .update(let ids) = changes.last else { return changes.append(.update(Few(id))) }
        changes[changes.count - 1] = .update(ids + [id])
    }

    mutating func replace(_ ids: Few<Int>, on navigation: Navigation) {
        changes.append(.replace(out: ids, in: []))
        replaced = navigation
    }
}

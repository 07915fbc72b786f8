import UsherJSON

/// A change of the window, so that a client can animate it.
///
/// Ids that left stand top first.
enum WindowChange: Equatable, Sendable {
    /// Came on top of a stack; or left from there, from under others, with its modal.
    case push(SmallArray<Int>)
    case pop(SmallArray<Int>)
    case remove(SmallArray<Int>)
    case present(SmallArray<Int>)
    case dismiss(SmallArray<Int>)
    case update(SmallArray<Int>)
    /// All screens of a stack were swapped for others.
    case replace(out: SmallArray<Int>, in: SmallArray<Int>)
    /// A tab was selected.
    case select(String)

    func write(into writer: inout JSONWriter) {
        switch self {
        case .push(let ids): writer.object(#"{"push":["#, ids)
        case .pop(let ids): writer.object(#"{"pop":["#, ids)
        case .remove(let ids): writer.object(#"{"remove":["#, ids)
        case .present(let ids): writer.object(#"{"present":["#, ids)
        case .dismiss(let ids): writer.object(#"{"dismiss":["#, ids)
        case .update(let ids): writer.object(#"{"update":["#, ids)
        case .replace(let out, let `in`):
            writer.beginObject()
            writer.key("replace")
            writer.object(#"{"out":["#, out, #"],"in":["#, `in`)
            writer.endObject()
        case .select(let tab):
            writer.beginObject()
            writer.member("select", tab)
            writer.endObject()
        }
    }

    /// True where a client that applies this change has the screen's newest state.
    func brings(_ id: Int) -> Bool {
        switch self {
        case .push(let ids), .present(let ids), .update(let ids), .replace(_, let ids): ids.contains(id)
        case .pop, .remove, .dismiss, .select: false
        }
    }
}

extension JSONWriter {
    /// Writes an object of one array of ids, or of two.
    ///
    /// - Parameters:
    ///   - beginning: All up to the first id, but for a comma before it.
    ///   - next: All between the arrays; nothing where there is one.
    fileprivate mutating func object(
        _ beginning: StaticString, _ ids: SmallArray<Int>, _ next: StaticString = "", _ others: SmallArray<Int> = []
    ) {
        raw(beginning)
        ids.visit { integer($0) }
        if next.utf8CodeUnitCount > 0 {
            part(next)
            others.visit { integer($0) }
        }
        part("]}")
    }
}

/// The changes of one input, in order, with neighbours of a kind put together.
struct ChangeLog {
    /// The navigation that was emptied by a `replace` and has not got a screen yet.
    private var replaced: Navigation?
    private(set) var changes = SmallArray<WindowChange>()

    /// Notes a screen that came on a stack: by a push, as the first of a modal, or in place of others.
    mutating func show(_ id: Int, on navigation: Navigation) {
        defer { replaced = nil }
        if case .replace(let out, in: []) = changes.last, replaced === navigation {
            changes[changes.count - 1] = .replace(out: out, in: SmallArray(id))
        } else if navigation.presenter != nil, navigation.screens.count == 1 {
            changes.append(.present(SmallArray(id)))
        } else if case .push(let ids) = changes.last {
            changes[changes.count - 1] = .push(ids + [id])
        } else {
            changes.append(.push(SmallArray(id)))
        }
    }

    mutating func pop(_ ids: SmallArray<Int>) {
        guard !ids.isEmpty else { return }
        guard case .pop(let earlier) = changes.last else { return changes.append(.pop(ids)) }
        changes[changes.count - 1] = .pop(earlier + ids)
    }

    mutating func remove(_ ids: SmallArray<Int>) {
        if !ids.isEmpty { changes.append(.remove(ids)) }
    }

    mutating func dismiss(_ ids: SmallArray<Int>) {
        if !ids.isEmpty { changes.append(.dismiss(ids)) }
    }

    mutating func select(_ tab: String) {
        changes.append(.select(tab))
    }

    /// Notes that a screen's state changed, unless a change of this input already brings the whole screen.
    mutating func update(_ id: Int) {
        guard !changes.contains(where: { $0.brings(id) }) else { return }
        guard case .update(let ids) = changes.last else { return changes.append(.update(SmallArray(id))) }
        changes[changes.count - 1] = .update(ids + [id])
    }

    mutating func replace(_ ids: SmallArray<Int>, on navigation: Navigation) {
        changes.append(.replace(out: ids, in: []))
        replaced = navigation
    }
}

extension ChangeLog {
    /// Appends the changes, as elements of an array.
    func write(into writer: inout JSONWriter) {
        changes.visit { $0.write(into: &writer) }
    }

    /// The change by which a window goes back behind inputs: all that it displays comes, and the screens of these leave.
    ///
    /// - Parameters:
    ///   - ids: The ids that these inputs have given; some may have left before.
    ///   - former: The ids that were on display before these inputs, bottom to top; those leave that are not on display now.
    ///   - window: The window, as it is now.
    init(leaving ids: Range<Int>, from former: [Int], for window: Window) {
        let displayed = window.displayedScreens.map(\.id)
        let leaving = ids.suffix(Self.leavingLimit).reversed() + former.filter { !displayed.contains($0) }.reversed()
        changes.append(.replace(out: SmallArray(leaving), in: SmallArray(displayed)))
    }

    /// Of more ids the newest are told.
    private static let leavingLimit = 256
}

/// The changes of the window over one input or several, so that a client can animate them.
package struct ChangeHistory: Sendable {
    private(set) var changes: SmallArray<WindowChange>
    /// The revision that they begin at; nil where those of an input in between are missing.
    private var baseRevision: Int?
    /// The revision that they lead to.
    private var revision: Int

    /// The changes of one input.
    ///
    /// - Parameters:
    ///   - log: The changes.
    ///   - revision: The revision that the input has led to.
    init(_ log: ChangeLog, to revision: Int) {
        changes = log.changes
        baseRevision = revision - 1
        self.revision = revision
    }

    /// The revision whose state they turn into that of another one; nil where they do not tell all.
    ///
    /// - Parameter revision: The revision of the state that they are told with.
    package func baseRevision(of revision: Int) -> Int? {
        self.revision == revision ? baseRevision : nil
    }

    /// Appends the changes, as elements of an array.
    func write(into writer: inout JSONWriter) {
        changes.visit { $0.write(into: &writer) }
    }

    /// Adds what came later.
    ///
    /// - Parameter later: The changes of the inputs that follow.
    package mutating func append(_ later: ChangeHistory) {
        changes += later.changes
        if later.baseRevision != revision { baseRevision = nil }
        revision = later.revision
    }
}

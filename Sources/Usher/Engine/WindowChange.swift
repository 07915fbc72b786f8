import UsherJSON

/// A change of the window, for a client to animate; ids of screens that left are listed top first.
enum WindowChange: Equatable, Sendable {
    /// Screens came on top of a stack.
    case push(SmallArray<Int>)
    case pop(SmallArray<Int>)
    /// Screens that were below other screens left.
    case remove(SmallArray<Int>)
    case present(SmallArray<Int>)
    /// Screens left with their modal.
    case dismiss(SmallArray<Int>)
    case update(SmallArray<Int>)
    /// All screens of a stack were replaced by others.
    case replace(out: SmallArray<Int>, in: SmallArray<Int>)
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

    /// Returns whether a client that applies this change gets the screen's newest state.
    func brings(_ id: Int) -> Bool {
        switch self {
        case .push(let ids), .present(let ids), .update(let ids), .replace(_, let ids): ids.contains(id)
        case .pop, .remove, .dismiss, .select: false
        }
    }
}

extension JSONWriter {
    /// Writes an object with one array of ids, or with two arrays and the text `next` between them.
    ///
    /// No comma is written before the text `beginning`.
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

/// The changes of one input, in order; adjacent changes of the same kind are combined.
struct ChangeLog {
    /// The navigation that a `replace` has emptied, if the navigation has no new screen yet.
    private var replaced: Navigation?
    private(set) var changes = SmallArray<WindowChange>()

    /// Records a screen that was added to a stack: by a push, as the first screen of a modal, or as the replacement of
    /// other screens.
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

    /// Records a change of a screen's state, unless a change of this input already includes the whole screen.
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
    /// Appends the changes as elements of an array.
    func write(into writer: inout JSONWriter) {
        changes.visit { $0.write(into: &writer) }
    }

    /// Creates the change for a window that returns to the state before some inputs: all its screens are replaced.
    ///
    /// - Parameters:
    ///   - ids: The ids of the screens that these inputs showed. Some of these screens may have left already.
    ///   - former: The ids on display before the change, bottom to top. Of these screens, those that are no longer on
    ///     display leave.
    ///   - window: The window after the change.
    init(leaving ids: Range<Int>, from former: [Int], for window: Window) {
        let displayed = window.displayedScreens.map(\.id)
        let leaving = ids.suffix(Self.leavingLimit).reversed() + former.filter { !displayed.contains($0) }.reversed()
        changes.append(.replace(out: SmallArray(leaving), in: SmallArray(displayed)))
    }

    /// The maximum number of ids of these inputs' screens in the list of leaving screens; the newest ids are kept.
    private static let leavingLimit = 256
}

/// The changes of the window over one or several inputs, for a client to animate.
package struct ChangeHistory: Sendable {
    private(set) var changes: SmallArray<WindowChange>
    /// The revision before the changes; nil if the changes of an intermediate input are missing.
    private var baseRevision: Int?
    /// The revision after the changes.
    private var revision: Int

    /// Creates the changes of one input; `revision` is the revision after the input.
    init(_ log: ChangeLog, to revision: Int) {
        changes = log.changes
        baseRevision = revision - 1
        self.revision = revision
    }

    /// Returns the revision before the changes; nil if the changes do not lead to the given revision without gaps.
    ///
    /// - Parameter revision: The revision of the state that contains the changes.
    package func baseRevision(of revision: Int) -> Int? {
        self.revision == revision ? baseRevision : nil
    }

    func write(into writer: inout JSONWriter) {
        changes.visit { $0.write(into: &writer) }
    }

    /// Adds the changes of the inputs that follow.
    package mutating func append(_ later: ChangeHistory) {
        changes += later.changes
        if later.baseRevision != revision { baseRevision = nil }
        revision = later.revision
    }
}

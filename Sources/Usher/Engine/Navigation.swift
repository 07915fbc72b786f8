import UsherJSON

/// A stack of screens, which several coordinators may share.
///
/// The state is accessed without exclusivity checks, because no app code runs during a change.
final class Navigation {
    enum Place: Equatable {
        case base
        case tab
        /// A modal over the base, presented by the coordinator with this id.
        case modal(PresentationStyle, presenter: Int)
    }

    let place: Place
    /// The screens, bottom to top.
    @safe @exclusivity(unchecked) private(set) var screens = SmallArray<ScreenInstance>()
    /// The screens' JSON: the entries of a state's `stack`, each followed by a comma.
    @safe @exclusivity(unchecked) private(set) var json: [UInt8] = []
    /// The tree's digest before this stack's screens were added to the digest.
    @safe @exclusivity(unchecked) private var digestStart: UInt64 = 0
    // The next three are of type `Int32` and adjacent, to save memory, because a session has several stacks.
    /// The number of screens, from the bottom, whose digests are already part of the tree's digest.
    @safe @exclusivity(unchecked) private var digestedCount: Int32 = 0
    /// The number of screens whose JSON is outdated; at least the lowest `freshCount` screens are up to date.
    @safe @exclusivity(unchecked) private var staleCount: Int32 = 0
    @safe @exclusivity(unchecked) private var freshCount: Int32 = 0

    init(_ place: Place) {
        self.place = place
    }

    /// How the stack's first screen is shown.
    var rootShown: Shown { style.map { Shown($0) } ?? .root }

    /// The style of a modal; nil for any other stack.
    var style: PresentationStyle? {
        guard case .modal(let style, _) = place else { return nil }
        return style
    }

    var isClosedByUser: Bool { style?.isClosedByUser ?? false }

    /// The id of the coordinator that presented the modal; nil for another stack.
    var presenter: Int? {
        guard case .modal(_, let presenter) = place else { return nil }
        return presenter
    }

    func append(_ instance: ScreenInstance) {
        screens.append(instance)
        staleCount += 1
    }

    func index(of instance: ScreenInstance) -> Int? {
        screens.firstIndex { $0 === instance }
    }

    func index(ofScreen id: Int) -> Int? {
        screens.firstIndex { $0.id == id }
    }

    /// Removes all screens, and returns them, top first.
    func removeAll() -> SmallArray<ScreenInstance> {
        removeAll(above: -1)
    }

    /// Removes all screens above an index, and returns them, top first.
    func removeAll(above index: Int) -> SmallArray<ScreenInstance> {
        var leaving = SmallArray<ScreenInstance>()
        while screens.count > index + 1, let top = screens.popLast() {
            json.removeLast(top.byteCount)
            if top.isStale { staleCount -= 1 }
            top.resetEncoding()
            leaving.append(top)
        }
        let count = Int32(screens.count)
        freshCount = min(freshCount, count)
        digestedCount = min(digestedCount, count)
        return leaving
    }

    /// Removes screens from the top as long as they satisfy a predicate, and returns them, top first.
    func removeTop(where leaves: (ScreenInstance) -> Bool) -> SmallArray<ScreenInstance> {
        removeAll(above: screens.lastIndex { !leaves($0) } ?? -1)
    }

    /// Removes and returns all screens that satisfy a predicate, top first; the other screens keep their order.
    func removeAll(where leaves: (ScreenInstance) -> Bool) -> SmallArray<ScreenInstance> {
        guard let first = screens.firstIndex(where: leaves) else { return [] }
        let above = removeAll(above: first - 1)
        for instance in above.reversed() where !leaves(instance) { append(instance) }
        return SmallArray(above.filter(leaves))
    }

    /// Prevents the user from going back below the top screen.
    func raiseBarrier() {
        guard let top = screens.last else { return }
        top.becomeBarrier()
        markStale(at: screens.count - 1)
    }

    /// Updates the lowest screen, if it became the lowest because the screen below it has left.
    func promoteFirst() {
        guard let first = screens.first, first.shown != rootShown else { return }
        first.becomeFirst(shown: rootShown)
        markStale(at: 0)
    }
}

extension Navigation {
    /// Marks a screen as stale: its JSON is outdated.
    func markStale(at index: Int) {
        if !screens[index].isStale { staleCount += 1 }
        screens[index].markStale()
        freshCount = min(freshCount, Int32(index))
    }

    /// Encodes the stale screens, usually only one; the JSON of the screens above this one is moved as a whole.
    func encode() throws(JSONError) {
        if staleCount > 0 { try encodeStale() }
    }

    @inline(never)  // If inlined, `encode()` would also retain stacks without stale screens.
    private func encodeStale() throws(JSONError) {
        var index = Int(freshCount)
        freshCount = Int32(screens.count)
        let start = offset(of: index)
        // Usually nothing is above the first stale screen, so that no JSON must be kept.
        var rest = index < screens.count - 1 ? Array(json[start...])[...] : []
        json.removeLast(json.count - start)
        var writer = JSONWriter()
        swap(&writer.bytes, &json)
        defer { swap(&writer.bytes, &json) }
        while staleCount > 0, index < screens.count {
            let old = rest.prefix(screens[index].byteCount)
            rest = rest.dropFirst(old.count)
            if screens[index].isStale { try encode(at: index, into: &writer) } else { writer.bytes += old }
            index += 1
        }
        writer.bytes += rest
    }

    private func encode(at index: Int, into writer: inout JSONWriter) throws(JSONError) {
        let instance = screens[index]
        let digest = instance.digest
        staleCount -= 1
        try instance.encode(into: &writer)
        if instance.digest != digest { digestedCount = min(digestedCount, Int32(index)) }
    }

    /// Returns the offset of a screen in the JSON, counted from the nearer end.
    private func offset(of index: Int) -> Int {
        guard index > screens.count / 2 else { return byteCount(of: 0..<index) }
        return json.count - byteCount(of: index..<screens.count)
    }

    private func byteCount(of indices: Range<Int>) -> Int {
        var count = 0
        for index in indices { count += screens[index].byteCount }
        return count
    }

    func add(to digest: inout Digest) {
        if digestStart != digest.state { digestedCount = 0 }
        digestStart = digest.state
        let known = Int(digestedCount)
        if known > 0 { digest.state = screens[known - 1].digestAfter }
        for index in known..<screens.count {
            digest.add(screens[index].digest)
            screens[index].noteDigest(after: digest.state)
        }
        digestedCount = Int32(screens.count)
        digest.add(rootShown.rawValue)
    }
}

/// The effect of going back now.
enum BackStep {
    case pop
    case dismiss
    /// A screen refuses to let the user go back, with a reason.
    case refused(String)
    /// The user cannot go back, with a reason.
    case impossible(String)
}

extension Navigation {
    /// The effect of going back now, if this is the visible stack.
    var back: BackStep {
        guard let top = screens.last else { return .impossible("no screen is shown") }
        if screens.count > 1 { return top.backRefusal.map { .refused($0) } ?? .pop }
        switch place {
        case .base, .tab: return .impossible("the visible screen is the root")
        case .modal(.alert, _): return .impossible("the visible screen is an alert")
        case .modal(let style, _) where style.isClosedByUser: return top.backRefusal.map { .refused($0) } ?? .dismiss
        case .modal: return .impossible("the visible screen fills the window")
        }
    }
}

/// The ways in which a screen is shown.
enum Shown: String {
    /// The screen is the base of its stack.
    case root
    /// The screen is on top of another screen of the same stack.
    case push
    case sheet
    case formSheet
    case popover
    case fullScreen
    case overFullScreen
    case alert
    case actionSheet

    /// Creates the way in which the first screen of a modal is shown.
    init(_ style: PresentationStyle) {
        switch style {
        case .sheet: self = .sheet
        case .formSheet: self = .formSheet
        case .popover: self = .popover
        case .fullScreen: self = .fullScreen
        case .overFullScreen: self = .overFullScreen
        case .alert: self = .alert
        case .actionSheet: self = .actionSheet
        }
    }
}

extension Shown {
    /// The member `shown` of a screen's entry, with the key of the next and last member, `state`.
    ///
    /// The fragment is a constant, because it is written with every screen.
    var fragment: StaticString {
        switch self {
        case .root: #","shown":"root","state":"#
        case .push: #","shown":"push","state":"#
        case .sheet: #","shown":"sheet","state":"#
        case .formSheet: #","shown":"formSheet","state":"#
        case .popover: #","shown":"popover","state":"#
        case .fullScreen: #","shown":"fullScreen","state":"#
        case .overFullScreen: #","shown":"overFullScreen","state":"#
        case .alert: #","shown":"alert","state":"#
        case .actionSheet: #","shown":"actionSheet","state":"#
        }
    }
}

/// The tabs at the base of a window, each with its own stack.
final class TabBar {
    struct Tab {
        let name: String
        let navigation: Navigation
    }

    /// The id of the coordinator that owns the tab bar.
    let owner: Int
    let tabs: [Tab]
    /// The present names of tabs, by their former names.
    private let formerNames: [String: String]
    private(set) var selected: Int

    init(owner: Int, names: [String], formerNames: [String: String], selected: String) {
        self.owner = owner
        self.formerNames = formerNames
        tabs = names.map { Tab(name: $0, navigation: Navigation(.tab)) }
        self.selected = names.firstIndex(of: selected) ?? 0
    }

    var selectedTab: Tab { tabs[selected] }
    var selectedNavigation: Navigation { tabs[selected].navigation }

    func tab(named name: String) -> Tab? {
        tabs.first { $0.name == name }
    }

    /// Returns the present name of the tab whose present or former name is `name`; nil if there is no such tab.
    func presentName(of name: String) -> String? {
        tab(named: name) == nil ? formerNames[name] : name
    }

    func select(_ name: String) {
        selected = tabs.firstIndex { $0.name == name } ?? selected
    }
}

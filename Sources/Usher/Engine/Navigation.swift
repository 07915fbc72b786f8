import UsherJSON

/// One stack of screens, which several coordinators may share.
///
/// Its state is accessed without checks for exclusivity: no author's code runs in the midst of a change.
final class Navigation {
    /// The place of the stack in the window.
    enum Place: Equatable {
        case base
        case tab
        /// Over the base, put there by the coordinator with this id.
        case modal(PresentationStyle, presenter: Int)
    }

    let place: Place
    /// Bottom to top.
    @safe @exclusivity(unchecked) private(set) var screens = SmallArray<ScreenInstance>()
    /// The screens' JSON: the entries of a state's `stack`, each with a comma behind it.
    @safe @exclusivity(unchecked) private(set) var json: [UInt8] = []
    /// The tree's digest before these screens were added to it.
    @safe @exclusivity(unchecked) private var digestStart: UInt64 = 0
    // Narrow and side by side: a session has several stacks.
    /// The number of screens from the bottom that need not be added again.
    @safe @exclusivity(unchecked) private var digestedCount: Int32 = 0
    /// The number of screens that are stale in the JSON, and of those from the bottom that surely are not.
    @safe @exclusivity(unchecked) private var staleCount: Int32 = 0
    @safe @exclusivity(unchecked) private var freshCount: Int32 = 0

    init(_ place: Place) {
        self.place = place
    }

    /// The way in which its first screen is shown.
    var rootShown: Shown { style.map { Shown($0) } ?? .root }

    /// The style of a modal; nil for any other stack.
    var style: PresentationStyle? {
        guard case .modal(let style, _) = place else { return nil }
        return style
    }

    /// True for a modal that the user can close by himself.
    var isClosedByUser: Bool { style?.isClosedByUser ?? false }

    /// The coordinator that presented it, where it is a modal.
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

    /// Takes off all screens.
    ///
    /// - Returns: What left, top first.
    func removeAll() -> SmallArray<ScreenInstance> {
        removeAll(above: -1)
    }

    /// Takes off all screens above an index.
    ///
    /// - Returns: What left, top first.
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

    /// Takes off the screens from the top down to the first that does not satisfy the predicate.
    ///
    /// - Returns: What left, top first.
    func removeTop(where leaves: (ScreenInstance) -> Bool) -> SmallArray<ScreenInstance> {
        removeAll(above: screens.lastIndex { !leaves($0) } ?? -1)
    }

    /// Takes out all screens that satisfy the predicate, wherever they are; those above them stay in order.
    ///
    /// - Returns: What left, top first.
    func removeAll(where leaves: (ScreenInstance) -> Bool) -> SmallArray<ScreenInstance> {
        guard let first = screens.firstIndex(where: leaves) else { return [] }
        let above = removeAll(above: first - 1)
        for instance in above.reversed() where !leaves(instance) { append(instance) }
        return SmallArray(above.filter(leaves))
    }

    /// Puts the screens below the top one out of the reach of back.
    func raiseBarrier() {
        guard let top = screens.last else { return }
        top.becomeBarrier()
        markStale(at: screens.count - 1)
    }

    /// Makes the lowest screen the first of the stack, where the one below it has left.
    func promoteFirst() {
        guard let first = screens.first, first.shown != rootShown else { return }
        first.becomeFirst(shown: rootShown)
        markStale(at: 0)
    }
}

extension Navigation {
    /// Notes that a screen has to be encoded again.
    func markStale(at index: Int) {
        if !screens[index].isStale { staleCount += 1 }
        screens[index].markStale()
        freshCount = min(freshCount, Int32(index))
    }

    /// Makes the JSON say what the screens are.
    ///
    /// Mostly one has changed; what lies over it is moved as a whole.
    func encode() throws(JSONError) {
        guard staleCount > 0 else { return }
        var index = Int(freshCount)
        freshCount = Int32(screens.count)
        let start = offset(of: index)
        var rest = Array(json[start...])[...]
        json.removeLast(rest.count)
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

    /// The offset of a screen in the JSON, counted from the nearer end.
    private func offset(of index: Int) -> Int {
        guard index > screens.count / 2 else { return byteCount(of: 0..<index) }
        return json.count - byteCount(of: index..<screens.count)
    }

    private func byteCount(of indices: Range<Int>) -> Int {
        var count = 0
        for index in indices { count += screens[index].byteCount }
        return count
    }

    /// Adds the screens to a digest.
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

/// The effect that going back would have now.
enum BackStep {
    /// Take the top screen off the visible stack.
    case pop
    /// Close the visible modal.
    case dismiss
    /// A screen will not let the user go.
    case refused(String)
    /// There is nothing to go back to, and why.
    case impossible(String)
}

extension Navigation {
    /// The effect that going back would have, where the user sees all of this stack.
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
    /// The base of its stack.
    case root
    /// On top of another screen of the same stack.
    case push
    case sheet
    case formSheet
    case popover
    case fullScreen
    case overFullScreen
    case alert
    case actionSheet

    /// The way in which the first screen of a modal is shown.
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
    /// The members of a screen's entry that say so, with the name of the last one, the state: written as often as screens
    /// are, and always the same.
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

/// The base of a window as tabs, each with a stack of its own.
final class TabBar {
    /// One tab.
    struct Tab {
        let name: String
        let navigation: Navigation
    }

    /// The id of the coordinator that the tab bar belongs to.
    let owner: Int
    let tabs: [Tab]
    /// The present names of tabs by their former ones.
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

    /// The present name of a tab; nil if there is no tab that has this name, or had it in an earlier build.
    func presentName(of name: String) -> String? {
        tab(named: name) == nil ? formerNames[name] : name
    }

    func select(_ name: String) {
        selected = tabs.firstIndex { $0.name == name } ?? selected
    }
}

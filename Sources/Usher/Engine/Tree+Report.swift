package import UsherJSON

extension Tree {
    /// Appends the coordinators with their screens and children, for operators; the writer must be inside an object.
    package func writeReport(into writer: inout JSONWriter) {
        writer.key("coordinators")
        coordinatorCounts.write(into: &writer)
        writer.member("bytes", stateBytes)
        if let node = hierarchy.root?.node {
            writer.key("root")
            write(node, into: &writer)
        }
        writeOwnTree(into: &writer)
        writeStacks(into: &writer)
        writeLeaks(into: &writer)
    }

    /// Appends every stack of the window as the member `stacks`, including those of hidden tabs.
    private func writeStacks(into writer: inout JSONWriter) {
        var stacks: [(stack: Navigation, tab: String?)] =
            window.tabBar?.tabs.map { ($0.navigation, $0.name) } ?? [(window.base, nil)]
        stacks += window.modals.map { ($0, nil) }
        writer.objects("stacks", of: stacks) { writer, element in
            writer.member("shown", element.stack.rootShown.rawValue)
            if let tab = element.tab { writer.member("tab", tab) }
            writer.member("displayed", window.isDisplayed(element.stack))
            write(element.stack.screens, into: &writer)
        }
    }

    private func write(_ node: Node, into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", node.id)
            writer.member("type", String(describing: type(of: node.coordinator)))
            writer.member("name", String(node.name))
            write(window.screens.filter { $0.owner === node.coordinator }, into: &writer)
            writer.objects("work", of: pendingWork.items.filter { $0.node === node }) { writer, work in
                writer.member("id", work.id.description)
                writer.member("name", work.name)
            }
            writer.array("children", of: node.children.compactMap(\.node)) { write($1, into: &$0) }
        }
    }

    func write(_ screens: some Sequence<ScreenInstance>, into writer: inout JSONWriter) {
        writer.objects("screens", of: screens) { writer, instance in
            writer.member("id", instance.id)
            writer.member("screen", instance.name)
        }
    }
}

extension Tree {
    /// A digest of the tree's navigation.
    ///
    /// The digest covers the screens with their ids, names, coordinators and styles, the selected tab, the live
    /// coordinators, and the pending work. It does not cover the screens' state, so that a new member of a state breaks
    /// no replay.
    package var digest: UInt64 {
        var digest = Digest()
        window.forEachStack { $0.add(to: &digest) }
        digest.add(window.tabBar?.selected ?? -1)
        digest.add(hierarchy.digest)
        for work in pendingWork.items where !work.isDeferred {
            digest.add(work.id.revision)
            digest.add(work.id.index)
            digest.add(work.name)
        }
        return digest.value
    }
}

extension Tree {
    /// Returns a digest of the session's shape.
    ///
    /// The digest covers the names and order of screens and coordinators, the ways in which screens are shown, the
    /// tabs, the pending work, and whether the user can go back. It does not cover ids, times and revisions. It also
    /// covers the shape of each screen's state, because a home screen with a user, for example, leads to other screens
    /// than a home screen without a user. Work with the same name and coordinator counts once.
    ///
    /// - Parameter includesStates: Pass true to distinguish all values of screens' states.
    /// - Throws: `JSONError` if a state does not encode.
    package func shape(includingStates includesStates: Bool) throws(JSONError) -> UInt64 {
        var digest = Digest()
        try window.forEachStack { stack throws(JSONError) in
            digest.add(stack.rootShown.rawValue)
            for screen in stack.screens {
                digest.add(screen.name)
                digest.add(screen.owner?.node?.shapePath ?? "")
                var writer = JSONWriter()
                try screen.encodeState(into: &writer)
                if includesStates {
                    digest.add(String(decoding: writer.bytes, as: UTF8.self))
                } else {
                    digest.add(shapeOf: try JSONDocument(parsing: writer.bytes).root)
                }
            }
            digest.add(stack.screens.count)
        }
        for tab in window.tabBar?.tabs ?? [] { digest.add(tab.name) }
        digest.add(window.tabBar?.selected ?? -1)
        for path in hierarchy.nodes.map(\.shapePath).sorted() { digest.add(path) }
        for work in Set(pendingWork.items.map { "\($0.node.shapePath) \($0.name)" }).sorted() { digest.add(work) }
        for step in link.pending?.steps ?? [] { digest.add(String(decoding: step.bytes, as: UTF8.self)) }
        digest.add(window.back.name)
        digest.add(ending?.reason.rawValue ?? "")
        return digest.value
    }

    /// The places of all screens, such as `0.1 detail`, and the names of their types; the visible screen is last.
    package var screenPlaces: [(place: String, type: String)] {
        var places: [(place: String, type: String)] = []
        var last: (place: String, type: String)?
        var index = 0
        window.forEachStack { stack in
            for (position, screen) in stack.screens.enumerated() {
                let place = (place: "\(index).\(position) \(screen.name)", type: screen.type?.name ?? screen.name)
                if screen === visible { last = place } else { places.append(place) }
            }
            index += 1
        }
        return places + (last.map { [$0] } ?? [])
    }

    /// The visible screen's name; nil if no screen is visible.
    package var visibleName: String? { visible?.name }

    /// A Boolean value indicating whether a link waits for a host that is not ready.
    package var isLinkPending: Bool { link.pending != nil }
}

extension Digest {
    /// Adds the shape of a value: the names of its members, its Booleans, and whether arrays are empty, but no texts
    /// and numbers.
    fileprivate mutating func add(shapeOf value: JSONValue) {
        switch value.kind {
        case .object:
            add("{")
            for (name, member) in value.members {
                add(name)
                add(shapeOf: member)
            }
        case .array:
            // Add only the first element: lists grow without limit, and their elements mostly have the same shape.
            add("[")
            if let first = value.elements.first(where: { _ in true }) { add(shapeOf: first) }
        case .boolean: add(value.boolean == true ? 1 : 0)
        case .string: add("text")
        case .number: add("number")
        case .null: add("null")
        }
    }
}

extension Node {
    /// The path without the ids that distinguish siblings of the same name.
    fileprivate var shapePath: String {
        path.split(separator: "/").map { $0.prefix { $0 != "#" } }.joined(separator: "/")
    }
}

extension BackStep {
    fileprivate var name: String {
        switch self {
        case .pop, .dismiss: "back"
        case .refused: "refused"
        case .impossible: "impossible"
        }
    }
}

extension Tree {
    /// Appends the coordinators that the app itself stores, as the member `own`, if there are any.
    func writeOwnTree(into writer: inout JSONWriter) {
        let keepers = hierarchy.nodes.compactMap { $0.coordinator as? any OwnTreeKeeping }
        guard let own = keepers.first?.ownTree(), !own.roots.isEmpty || !own.leaks.isEmpty else { return }
        writer.object("own") { writer in
            writer.array("roots", of: own.roots) { write($1, into: &$0) }
            write(own.zombies, as: "zombies", into: &writer)
            write(own.leaks, as: "leaks", into: &writer)
        }
    }

    private func write(_ member: OwnTree.Member, into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("type", member.type)
            write(window.screens.filter { member.screens.contains($0.id) }, into: &writer)
            if member.isZombie { writer.member("zombie", true) }
            if member.isGuessed { writer.member("guessed", true) }
            writer.array("children", of: member.children) { write($1, into: &$0) }
        }
    }

    private func write(_ retained: [OwnTree.Retained], as name: String, into writer: inout JSONWriter) {
        writer.objects(name, of: retained) { writer, coordinator in
            writer.member("type", coordinator.type)
            writer.member("holder", coordinator.holder)
        }
    }
}

extension JSONValue {
    /// All stacks of a report in the notation of tests.
    ///
    /// Each stack has the name of its tab or its style: `tab(home){home[home], chat[chatList]} ⊕ sheet[invite]`.
    package var stackNotation: String {
        let stacks = self[member: "stacks"].map { Array($0.elements) } ?? []
        let tabs = stacks.filter { $0[member: "tab"] != nil }
        let others = stacks.filter { $0[member: "tab"] == nil }.map { stack in
            let shown = stack[member: "shown"]?.string ?? ""
            return stack.screenNotation(named: shown == "root" ? "n" : shown)
        }
        return (tabs.isEmpty ? others : [Self.tabNotation(tabs)] + others).joined(separator: " ⊕ ")
    }

    private static func tabNotation(_ tabs: [JSONValue]) -> String {
        let selected = tabs.first { $0[member: "displayed"]?.boolean == true }
        let stacks = tabs.map { $0.screenNotation(named: $0[member: "tab"]?.string ?? "") }
        return "tab(\(selected?[member: "tab"]?.string ?? "")){\(stacks.joined(separator: ", "))}"
    }

    private func screenNotation(named name: String) -> String {
        let screens = self[member: "screens"]?.elements.compactMap { $0[member: "screen"]?.string } ?? []
        return "\(name)[\(screens.joined(separator: ", "))]"
    }
}

public import UsherJSON

extension Tree {
    /// How many screens are in its stacks.
    public var screens: Int { screenCount }

    /// Appends the coordinators with their screens and children, for whoever operates the server.
    ///
    /// The writer must be inside an object.
    ///
    /// - Parameter writer: Where to append.
    public func writeReport(into writer: inout JSONWriter) {
        writer.key("coordinators")
        census.write(into: &writer)
        writer.key("bytes")
        writer.integer(stateBytes)
        writer.key("root")
        if let node = root?.node { write(node, into: &writer) } else { writer.null() }
        writeStacks(into: &writer)
        writeLeaks(into: &writer)
    }

    /// Appends every stack of the window as the member `stacks`, those of hidden tabs included.
    private func writeStacks(into writer: inout JSONWriter) {
        writer.key("stacks")
        writer.beginArray()
        for tab in window.tabBar?.tabs ?? [] { write(tab.navigation, tab: tab.name, into: &writer) }
        if window.tabBar == nil { write(window.base, into: &writer) }
        for modal in window.modals { write(modal, into: &writer) }
        writer.endArray()
    }

    private func write(_ stack: Navigation, tab: String? = nil, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("shown")
        writer.string(stack.rootShown.rawValue)
        if let tab {
            writer.key("tab")
            writer.string(tab)
        }
        writer.key("displayed")
        writer.boolean(window.isDisplayed(stack))
        writer.key("screens")
        writer.beginArray()
        for instance in stack.screens { writeSummary(instance, into: &writer) }
        writer.endArray()
        writer.endObject()
    }

    private func write(_ node: Node, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("id")
        writer.integer(node.id)
        writer.key("type")
        writer.string(String(describing: type(of: node.coordinator)))
        writer.key("name")
        writer.string(node.name)
        writer.key("screens")
        writer.beginArray()
        for instance in window.screens where instance.owner === node.coordinator {
            writeSummary(instance, into: &writer)
        }
        writer.endArray()
        writer.key("work")
        writer.beginArray()
        for work in pendingWork where work.node === node { write(work, into: &writer) }
        writer.endArray()
        writer.key("children")
        writer.beginArray()
        for child in node.children.compactMap(\.node) { write(child, into: &writer) }
        writer.endArray()
        writer.endObject()
    }

    private func write(_ work: PendingWork, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("id")
        writer.string(work.id.description)
        writer.key("name")
        writer.string(work.name)
        writer.endObject()
    }

    private func writeSummary(_ instance: ScreenInstance, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("id")
        writer.integer(instance.id)
        writer.key("screen")
        writer.string(instance.name)
        writer.endObject()
    }
}

extension CoordinatorCounts {
    /// Appends the counts as one object.
    ///
    /// - Parameter writer: Where to append.
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        for (name, count) in [("live", live), ("created", created), ("finished", finished), ("leaked", leaked)] {
            writer.key(name)
            writer.integer(count)
        }
        writer.endObject()
    }
}

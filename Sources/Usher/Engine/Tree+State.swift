import UsherBytes
package import UsherJSON

extension Tree {
    /// The topmost screen, which is completely visible, and the only one that can send events.
    var visible: ScreenInstance? { window.top }

    /// The visible screen's name and id, such as `login 5`; empty if no screen is visible.
    ///
    /// The text describes the result of an input for people, without the screen's state.
    package var visibleScreen: String {
        guard let visible else { return "" }
        let (name, id) = (visible.name, UInt64(visible.id))
        return String(capacity: name.utf8.count + 1 + id.digitCount) { output in
            output.append(copying: name.utf8.span)
            output.append(UInt8(ascii: " "))
            output.append(decimal: id)
        }
    }

    /// The visible screen's type; nil if no screen is visible, or if the type is unknown.
    package var visibleType: (any Screen.Type)? { visible?.type }
}

extension Tree {
    /// Appends the members of the session's state that come from the tree.
    ///
    /// The members `stack`, `back`, `changes` and `pending` are always present. The members `tabs`, `resumed`,
    /// `warnings`, `leaks` and `ended` are present if they have a value. The writer must be inside an object.
    ///
    /// - Parameters:
    ///   - notes: The session's own warnings, in addition to the tree's warnings.
    ///   - history: The changes since the client's state; nil for the changes of the last input.
    package func writeState(
        into writer: inout JSONWriter, notes: [String] = [], changes history: ChangeHistory? = nil
    ) {
        let visible = visible
        writer.key(.stack)
        writeStack(upTo: visible, into: &writer)
        if let tabBar = window.tabBar { write(tabBar, into: &writer) }
        writeBack(into: &writer)
        writer.part(#","changes":["#)
        if let history { history.write(into: &writer) } else { window.writeChanges(into: &writer) }
        writer.part(#"],"pending":["#)
        if !pendingWork.isEmpty { for work in pendingWork.items where !work.isDeferred { writer.string(work.name) } }
        if link.pending != nil, ending == nil { writer.string("open") }
        writer.endArray()
        if let notice { notice.write(at: revision, into: &writer) }
        writeWarnings(notes, isEmpty: visible == nil && ending == nil, into: &writer)
        if leakCount > 0 { writeLeaks(into: &writer) }
        if let ending { write(ending, into: &writer) }
    }

    func writeLeaks(into writer: inout JSONWriter) { leaks.write(into: &writer) }

    /// Appends the screens on display, bottom to top; the last one, the visible screen, also has its events.
    private func writeStack(upTo visible: ScreenInstance?, into writer: inout JSONWriter) {
        writer.beginArray()
        window.writeDisplayed(into: &writer)
        if let visible {
            // Removes the brace and the comma at the end of the screen's entry, to add a member.
            for _ in 0..<2 { writer.bytes.removeLast() }
            writer.part(visible.shownDescription.eventsFragment)
            writer.endObject()
        }
        writer.endArray()
    }

    private func write(_ tabBar: TabBar, into writer: inout JSONWriter) {
        writer.key("tabs")
        writer.beginObject()
        writer.member("selected", tabBar.selectedTab.name)
        writer.key("names")
        writer.beginArray()
        for tab in tabBar.tabs { writer.string(tab.name) }
        writer.endArray()
        writer.endObject()
    }

    private func writeBack(into writer: inout JSONWriter) {
        switch window.back {
        case .pop, .dismiss: writer.part(#","back":true"#)
        case .impossible: writer.part(#","back":false"#)
        case .refused(let reason):
            writer.key(.back)
            writer.beginObject()
            writer.member("refused", reason)
            writer.endObject()
        }
    }

    private func writeWarnings(_ notes: [String], isEmpty: Bool, into writer: inout JSONWriter) {
        guard isEmpty || !warnings.messages.isEmpty || !notes.isEmpty else { return }
        writer.key("warnings")
        writer.beginArray()
        for message in warnings.messages + notes { writer.string(message) }
        if isEmpty { writer.string("the window is empty: no screen is shown") }
        writer.endArray()
    }

    private func write(_ ending: Ending, into writer: inout JSONWriter) {
        writer.key("ended")
        writer.beginObject()
        writer.member("reason", ending.reason.rawValue)
        if let result = ending.result {
            writer.key("result")
            writer.raw(result)
        }
        writer.endObject()
    }
}

extension [Leak] {
    /// Appends the leaks as the member `leaks`.
    func write(into writer: inout JSONWriter) {
        writer.key("leaks")
        writer.beginArray()
        for leak in self {
            writer.beginObject()
            writer.member("type", leak.type)
            writer.member("coordinator", leak.coordinator)
            writer.key("revision")
            writer.integer(leak.revision)
            writer.member("input", leak.input)
            if let holder = leak.holder { writer.member("holder", holder) }
            writer.endObject()
        }
        writer.endArray()
    }
}

// The properties below are not inlined, because other modules would otherwise retain and release the part of the tree
// that contains the value.
extension Tree {
    /// The numbers of the tree's coordinators.
    @inline(never) package var coordinatorCounts: CoordinatorCounts { hierarchy.counts }

    /// The session's end; nil while the root is live.
    @inline(never) package var ending: Ending? { hierarchy.ending }

    /// The leaks so far, up to a limit.
    package var leaks: [Leak] { ledger.leaks }

    /// The number of leaks in `leaks`.
    @inline(never) package var leakCount: Int { ledger.leaks.count }

    /// The number of screens in all stacks.
    package var screens: Int { Int(window.screenCount) }

    /// The size of all screens' JSON in bytes.
    @inline(never) package var stateBytes: Int { window.byteCount }

    /// The maximum size of an effect's output, in bytes of JSON.
    package var outputLimit: Int { limits.outputBytes }

    /// The window's changes in the last input.
    package var changes: ChangeHistory { ChangeHistory(window.changes, to: revision) }

    /// All pending work, in the order of ids.
    ///
    /// After each accepted input, the session starts new work and cancels work that is no longer pending.
    package var work: [Work] { pendingWork.items.compactMap(\.work) }

    /// Makes all pending effects that began at a revision or earlier fail whenever they run.
    package func failEffects(through revision: Int, as failure: EffectFailure) {
        for work in pendingWork.items where work.id.revision <= revision { work.fail(as: failure) }
    }

    /// A Boolean value indicating whether work is pending.
    @inline(never) package var hasWork: Bool { !pendingWork.isEmpty && pendingWork.items.contains { $0.work != nil } }

    /// The places of the secrets in the last input, if accepted, or in the creation; the next input replaces them.
    package var inputSecrets: SecretPlaces { secrets.places }

    /// Returns the revisions of inputs whose secrets no replay needs any more.
    ///
    /// No object holds these secrets, and no handler has read them. A tree returns each revision only once. If the
    /// secrets of a revision were not erased, a rebuilt tree returns the revision again.
    package func takeErasableRevisions() -> [Int] {
        secrets.takeErasableRevisions(waiting: link.pending?.secrets)
    }
}

extension Tree {
    var isReplaying: Bool { gaps?.isReplaying ?? false }

    /// Ends the replay of accepted inputs: from now on, the client sees the screens.
    ///
    /// - Returns: nil if the client can draw all screens on display. Otherwise, a screen that the client cannot draw,
    ///   and the last revision at which the client could draw all screens (0 if there was no such revision). The tree
    ///   must then not be shown.
    package func endReplay() -> (screen: UndrawableScreen, drawable: Int)? {
        guard let gaps else { return nil }
        gaps.isReplaying = false
        return window.displayedScreens.compactMap(\.undrawable).first.map { ($0, gaps.drawableRevision) }
    }

    /// The session's client.
    package var client: Client { audience.client }

    /// The screens that were shown during the replay and that the client cannot draw.
    package var undrawn: [UndrawableScreen] { gaps?.undrawn ?? [] }
}

extension JSONKey {
    static var stack: JSONKey { JSONKey(#""stack":"#) }
    static var back: JSONKey { JSONKey(#""back":"#) }
    static var id: JSONKey { JSONKey(#""id":"#) }
    static var coordinator: JSONKey { JSONKey(#""coordinator":"#) }
}

import UsherBytes
package import UsherJSON

extension Tree {
    /// The screen that the user can see all of, the only one that can speak.
    var visible: ScreenInstance? { window.top }

    /// The visible screen's name and id, such as `login 5`; empty where there is none.
    ///
    /// For people: it names where an input led without telling the screen's state.
    package var visibleScreen: String {
        guard let visible else { return "" }
        let (name, id) = (visible.name, UInt64(visible.id))
        return String(capacity: name.utf8.count + 1 + id.digitCount) { output in
            output.append(copying: name.utf8.span)
            output.append(UInt8(ascii: " "))
            output.append(decimal: id)
        }
    }

    /// The visible screen's type; nil where there is none.
    package var visibleType: (any Screen.Type)? { visible?.type }
}

extension Tree {
    /// Appends the members of the session's state that the tree knows: `stack`, `tabs`, `back`, `changes`, `pending`, and
    /// `resumed`, `warnings`, `leaks` and `ended` where there are any.
    ///
    /// The writer must be inside an object.
    ///
    /// - Parameters:
    ///   - writer: Where to append.
    ///   - notes: The session's own `warnings`, beside the tree's.
    ///   - history: The changes since the state that the client knows; by the last input where nil.
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

    /// Appends the session's leaks as the member `leaks`.
    func writeLeaks(into writer: inout JSONWriter) { leaks.write(into: &writer) }

    /// Writes the screens on display, bottom to top; the last of them is the visible one, and tells its events.
    private func writeStack(upTo visible: ScreenInstance?, into writer: inout JSONWriter) {
        writer.beginArray()
        window.writeDisplayed(into: &writer)
        if let visible {
            // In the place of the brace and the comma that end each screen's entry.
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

// Not inlined: elsewhere the part of the tree that is asked would be counted by reference for it.
extension Tree {
    /// The counts of the coordinators that it has seen.
    @inline(never) package var coordinatorCounts: CoordinatorCounts { hierarchy.counts }

    /// The end of the root, once it has ended.
    @inline(never) package var ending: Ending? { hierarchy.ending }

    /// All leaks so far, up to a limit.
    package var leaks: [Leak] { ledger.leaks }

    /// The number of these.
    @inline(never) package var leakCount: Int { ledger.leaks.count }

    /// The number of screens in its stacks.
    package var screens: Int { Int(window.screenCount) }

    /// Bytes of JSON of all screens.
    @inline(never) package var stateBytes: Int { window.byteCount }

    /// The bytes of JSON that an effect's output may have.
    package var outputLimit: Int { limits.outputBytes }

    /// The changes of the last input in the window.
    package var changes: ChangeHistory { ChangeHistory(window.changes, to: revision) }

    /// All that is pending now, in the order of ids.
    ///
    /// After each input that counted, its session starts what is new and cancels what is gone.
    package var work: [Work] { pendingWork.items.compactMap(\.work) }

    /// Has pending effects fail that inputs up to a revision have begun elsewhere, whoever begins them here.
    package func failEffects(through revision: Int, as failure: EffectFailure) {
        for work in pendingWork.items where work.id.revision <= revision { work.fail(as: failure) }
    }

    /// True where anything is pending.
    @inline(never) package var hasWork: Bool { !pendingWork.isEmpty && pendingWork.items.contains { $0.work != nil } }

    /// The places of the secrets of the input that was handled last, if it counted; or of the creation.
    ///
    /// Ask at once: what follows replaces it.
    package var inputSecrets: SecretPlaces { secrets.places }

    /// The revisions of the inputs whose secrets replay can do without from now on: nobody holds one any more, and no
    /// handler has read one.
    ///
    /// Each is told once. A tree that was built anew tells them again, but for those that were erased.
    package func takeErasableRevisions() -> [Int] {
        secrets.takeErasableRevisions(waiting: link.pending?.secrets)
    }
}

extension Tree {
    /// True while inputs are handled again that a build has accepted.
    var isReplaying: Bool { gaps?.isReplaying ?? false }

    /// Notes that the inputs which a build has accepted are handled: from now on its client sees the screens.
    ///
    /// - Returns: A screen on display that the client cannot draw, for which the tree must not be shown, and the last
    ///   revision before, at which there was none; 0 where that would be before the creation.
    package func endReplay() -> (screen: UndrawableScreen, drawable: Int)? {
        guard let gaps else { return nil }
        gaps.isReplaying = false
        return window.displayedScreens.compactMap(\.undrawable).first.map { ($0, gaps.drawableRevision) }
    }

    /// The client that it was opened by.
    package var client: Client { audience.client }

    /// The screens that its client could not draw, of all that the inputs have shown which were handled again.
    package var undrawn: [UndrawableScreen] { gaps?.undrawn ?? [] }
}

/// The members of a session's state.
extension JSONKey {
    static var stack: JSONKey { JSONKey(#""stack":"#) }
    static var back: JSONKey { JSONKey(#""back":"#) }
    static var id: JSONKey { JSONKey(#""id":"#) }
    static var coordinator: JSONKey { JSONKey(#""coordinator":"#) }
}

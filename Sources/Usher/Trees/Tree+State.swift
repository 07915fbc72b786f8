public import UsherJSON

extension Tree {
    /// Appends the members of the session's state that the tree knows: `stack`, `back`, `changes`, `pending`, and
    /// `warnings`, `leaks` and `ended` where there are any.
    ///
    /// The writer must be inside an object.
    ///
    /// - Parameter writer: Where to append.
    public func writeState(into writer: inout JSONWriter) {
        writer.key("stack")
        writer.beginArray()
        for instance in base.screens { write(instance, into: &writer) }
        writer.endArray()
        writer.key("back")
        writer.boolean(canGoBack)
        writer.key("changes")
        writer.beginArray()
        for change in changeLog.changes { change.write(into: &writer) }
        writer.endArray()
        writer.key("pending")
        writer.beginArray()
        writer.endArray()
        writeWarnings(into: &writer)
        if !leaks.isEmpty { writeLeaks(into: &writer) }
        if let ending { write(ending, into: &writer) }
    }

    /// Appends the session's leaks as the member `leaks`.
    func writeLeaks(into writer: inout JSONWriter) {
        writer.key("leaks")
        writer.beginArray()
        for leak in leaks {
            writer.beginObject()
            writer.key("type")
            writer.string(leak.type)
            writer.key("coordinator")
            writer.string(leak.coordinator)
            writer.key("revision")
            writer.integer(leak.revision)
            writer.endObject()
        }
        writer.endArray()
    }

    private func write(_ instance: ScreenInstance, into writer: inout JSONWriter) {
        writer.raw(instance.fragment)
        if instance === visible { writer.bytes += instance.eventsFragment }
        writer.endObject()
    }

    private func writeWarnings(into writer: inout JSONWriter) {
        var messages = warnings.messages
        if visible == nil, ending == nil { messages.append("the window is empty: no screen is shown") }
        guard !messages.isEmpty else { return }
        writer.key("warnings")
        writer.beginArray()
        for message in messages { writer.string(message) }
        writer.endArray()
    }

    private func write(_ ending: Ending, into writer: inout JSONWriter) {
        writer.key("ended")
        writer.beginObject()
        writer.key("reason")
        writer.string(ending.reason.rawValue)
        if let result = ending.result {
            writer.key("result")
            writer.raw(result)
        }
        writer.endObject()
    }
}

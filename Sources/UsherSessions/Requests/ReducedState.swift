import UsherJSON

extension Snapshot {
    /// The part of a state that a client of the profile `changes` is told.
    package enum Extent: Sendable {
        /// All screens.
        case all
        /// The screens that are new or changed since the base revision, and of the rest the ids; all where that is not known.
        case changes
    }

    /// The same in the profile `changes`: of events the names alone, and of screens that the client has the ids.
    ///
    /// It is made of the whole state, and not of the tree: so nobody pays for it who does not ask, and the answer that the
    /// journal has under a key serves every form.
    ///
    /// - Parameter extent: The part of the state that is told.
    package func reduced(to extent: Extent) -> Snapshot {
        guard let whole = try? JSONDocument(parsing: state).root else { return self }
        let news = extent == .changes && baseRevision > 0 ? NewScreens(of: whole) : nil
        var writer = JSONWriter(reservingCapacity: 512)
        writer.beginObject()
        for (name, value) in whole.members {
            writer.key(name)
            if name == "stack" { writer.write(value, only: news) } else { writer.raw(value.bytes) }
            guard name == "revision", news != nil else { continue }
            writer.key("since")
            writer.integer(baseRevision)
        }
        writer.endObject()
        return Snapshot(
            revision: revision, epoch: epoch, state: writer.bytes, ending: ending, newLeaks: newLeaks,
            isReplayed: isReplayed, baseRevision: baseRevision)
    }
}

/// The ids of the screens that a state's `changes` bring as they are now.
private struct NewScreens {
    private var ids: Set<Int> = []

    /// Fails where all screens are new, or where some may come, or be shown otherwise, that `changes` do not name: those of a
    /// tab that is selected, and the one that begins its stack once those below it have left.
    init?(of state: JSONValue) {
        guard let changes = state[member: "changes"], let stack = state[member: "stack"] else { return nil }
        for (name, value) in changes.elements.lazy.flatMap(\.members) {
            switch name {
            case "push", "present", "update": insert(value)
            case "replace": if let list = value[member: "in"] { insert(list) }
            case "pop", "dismiss": break
            default: return nil
            }
        }
        if stack.elements.allSatisfy(contains) { return nil }
    }

    func contains(_ screen: JSONValue) -> Bool {
        screen[member: "id"]?.integer.map(ids.contains) ?? true
    }

    private mutating func insert(_ list: JSONValue) {
        ids.formUnion(list.elements.lazy.compactMap(\.integer))
    }
}

extension JSONWriter {
    /// Writes a stack.
    ///
    /// - Parameters:
    ///   - stack: The stack with its screens in full.
    ///   - news: The screens that stay so; all where nil.
    fileprivate mutating func write(_ stack: JSONValue, only news: NewScreens?) {
        beginArray()
        for screen in stack.elements {
            let isWhole = news?.contains(screen) ?? true
            beginObject()
            for (name, value) in screen.members where isWhole || name == "id" || name == "events" {
                key(name)
                if name == "events" { writeNames(of: value) } else { raw(value.bytes) }
            }
            endObject()
        }
        endArray()
    }

    private mutating func writeNames(of events: JSONValue) {
        beginArray()
        for event in events.members { string(event.name) }
        endArray()
    }
}

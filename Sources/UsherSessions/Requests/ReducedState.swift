import UsherJSON

extension Snapshot {
    /// The part of a state that a client of the profile `changes` receives.
    package enum Extent: Sendable {
        /// All screens.
        case all
        /// The screens that are new or changed since the base revision; of all others, only ids and event names.
        ///
        /// If it is unknown which screens have changed, the client receives all screens.
        case changes
    }

    /// Returns the same state in the profile `changes`: events without their payloads, and known screens without their
    /// states.
    ///
    /// The function computes this form from the whole state. Clients of the full profile therefore pay nothing for this
    /// profile, and a stored answer serves both profiles.
    package func reduced(to extent: Extent) -> Snapshot {
        guard let whole = try? JSONDocument(parsing: state).root else { return self }
        let news = extent == .changes && baseRevision > 0 ? NewScreens(of: whole) : nil
        let reduced = JSONWriter.object { writer in
            for (name, value) in whole.members {
                if name == "stack" {
                    writer.array(name, of: value.elements) { $0.write($1, only: news) }
                } else {
                    writer.key(name)
                    writer.raw(value.bytes)
                }
                if name == "revision", news != nil { writer.member("since", baseRevision) }
            }
        }
        return Snapshot(
            revision: revision, epoch: epoch, state: reduced, ending: ending, newLeaks: newLeaks,
            isReplayed: isReplayed, baseRevision: baseRevision)
    }
}

/// The ids of the screens that a state's `changes` add or update.
private struct NewScreens {
    private var ids: Set<Int> = []

    /// Creates the set; `nil` if all screens are new, or if `changes` may not name all changed screens.
    ///
    /// `changes` does not name the screens of a newly selected tab. Nor does `changes` name a screen that looks
    /// different because it is now the first of its stack.
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
    /// Writes a screen of a stack; a known screen has only its id and the names of its events.
    fileprivate mutating func write(_ screen: JSONValue, only news: NewScreens?) {
        let isWhole = news?.contains(screen) ?? true
        object { writer in
            for (name, value) in screen.members where isWhole || name == "id" || name == "events" {
                if name == "events" {
                    writer.member(name, value.members.map(\.name))
                } else {
                    writer.key(name)
                    writer.raw(value.bytes)
                }
            }
        }
    }
}

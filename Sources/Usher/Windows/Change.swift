import UsherJSON

/// One thing that happened to the window, so that a client can animate it.
///
/// Ids that left stand top first.
enum WindowChange: Equatable, Sendable {
    /// Came on top of a stack; or left from there, from under others, with its modal.
    case push(Few<Int>)
    case pop(Few<Int>)
    case remove(Few<Int>)
    case present(Few<Int>)
    case dismiss(Few<Int>)
    case update(Few<Int>)
    /// All screens of a stack were swapped for others.
    case replace(out: Few<Int>, in: Few<Int>)
    /// A tab was selected.
    case select(String)

    func write(into writer: inout JSONWriter) {
        writer.beginObject()
        switch self {
        case .push(let ids): writer.member("push", ids)
        case .pop(let ids): writer.member("pop", ids)
        case .remove(let ids): writer.member("remove", ids)
        case .present(let ids): writer.member("present", ids)
        case .dismiss(let ids): writer.member("dismiss", ids)
        case .update(let ids): writer.member("update", ids)
        case .replace(let out, let `in`):
            writer.key("replace")
            writer.beginObject()
            writer.member("out", out)
            writer.member("in", `in`)
            writer.endObject()
        case .select(let tab):
            writer.key("select")
            writer.string(tab)
        }
        writer.endObject()
    }

    /// Whether a client that applies this change has the screen's newest state.
    func brings(_ id: Int) -> Bool {
        switch self {
        case .push(let ids), .present(let ids), .update(let ids), .replace(_, let ids): ids.contains(id)
        case .pop, .remove, .dismiss, .select: false
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ ids: Few<Int>) {
        key(name)
        beginArray()
        for id in ids { integer(id) }
        endArray()
    }
}

import UsherJSON

/// One thing that happened to the stacks, so that a client can animate it.
///
/// Ids that left stand top first.
enum Change: Equatable {
    case push([Int])
    /// Left from the top of a stack.
    case pop([Int])
    /// Left from under others.
    case remove([Int])
    case update([Int])
    /// All screens of a stack were swapped for others.
    case replace(out: [Int], in: [Int])

    func write(into writer: inout JSONWriter) {
        writer.beginObject()
        switch self {
        case .push(let ids): writer.member("push", ids)
        case .pop(let ids): writer.member("pop", ids)
        case .remove(let ids): writer.member("remove", ids)
        case .update(let ids): writer.member("update", ids)
        case .replace(let out, let `in`):
            writer.key("replace")
            writer.beginObject()
            writer.member("out", out)
            writer.member("in", `in`)
            writer.endObject()
        }
        writer.endObject()
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ ids: [Int]) {
        key(name)
        beginArray()
        for id in ids { integer(id) }
        endArray()
    }
}
